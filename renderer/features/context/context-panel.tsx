import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/icon-button';
import { IconPanel } from '../../components/icons';
import { formatTokens } from '../../i18n/format';
import { useLayout } from '../../stores/layout-store';
import { useSession } from '../../stores/session-store';
import { AttemptList } from './attempt-list';
import { breakdown } from './breakdown';
import { CompressButtons } from './compress-buttons';
import { ContextBar, type ContextBarProps } from './context-bar';
import { ContextNotes, type ContextNotesProps } from './context-notes';
import { PartList } from './part-list';
import { PinList } from './pin-list';
import { SessionRules } from './session-rules';
import { SpendList } from './spend-list';
import { SummaryList } from './summary-list';
import { useSpend } from './use-spend';
import './panel.css';

/** What the next request sends, in parts that add up, and what to do about it. */
export function ContextPanel() {
  const { t } = useTranslation();
  const sessionId = useSession((state) => state.sessionId);
  const branchId = useSession((state) => state.branchId);
  const use = useSession((state) => state.context);
  const close = useLayout((state) => state.panelToggled);
  const spend = useSpend(sessionId);
  return (
    <aside className="panel" aria-label={t('context.title')}>
      <header className="panel-head">
        <h2>{t('context.title')}</h2>
        <IconButton icon={IconPanel} label={t('context.close')} onClick={close} />
      </header>
      <div className="panel-body">
        {use ? <Use use={use} peak={spend?.peak ?? null} /> : <p className="panel-why">{t('context.none')}</p>}
        {sessionId && branchId && (
          <>
            <CompressButtons sessionId={sessionId} branchId={branchId} />
            <PinList />
            <SummaryList sessionId={sessionId} branchId={branchId} />
            <AttemptList sessionId={sessionId} />
            <SpendList spend={spend} />
            <SessionRules sessionId={sessionId} />
          </>
        )}
      </div>
    </aside>
  );
}

function Use({ use, peak }: ContextNotesProps) {
  const { t } = useTranslation();
  const [lit, setLit] = useState<ContextBarProps['lit']>(null);
  const all = breakdown(use);
  const total = formatTokens(use.total);
  return (
    <>
      <p className="panel-total">
        <b>{use.exact ? total : t('context.about', { value: total })}</b>
        <span>{use.window === null ? t('context.totalNoWindow') : t('context.total', { window: use.window })}</span>
      </p>
      <ContextBar use={use} all={all} lit={lit} />
      <PartList all={all} onPoint={setLit} />
      <ContextNotes use={use} peak={peak} />
    </>
  );
}
