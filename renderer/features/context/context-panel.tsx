import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContextUse } from '../../../shared/model/context';
import { IconButton } from '../../components/icon-button';
import { IconPanel } from '../../components/icons';
import { formatTokens } from '../../i18n/format';
import { useLayout } from '../../stores/layout-store';
import { useSession } from '../../stores/session-store';
import { AttemptList } from './attempt-list';
import { breakdown } from './breakdown';
import { CompressButtons } from './compress-buttons';
import { ContextBar, type ContextBarProps } from './context-bar';
import { ContextNotes } from './context-notes';
import { PartList } from './part-list';
import { PinList } from './pin-list';
import { SessionRules } from './session-rules';
import { SummaryList } from './summary-list';
import './panel.css';

/** What the next request sends, in parts that add up, and what to do about it. */
export function ContextPanel() {
  const { t } = useTranslation();
  const sessionId = useSession((state) => state.sessionId);
  const branchId = useSession((state) => state.branchId);
  const use = useSession((state) => state.context);
  const close = useLayout((state) => state.panelToggled);
  return (
    <aside className="panel" aria-label={t('context.title')}>
      <header className="panel-head">
        <h2>{t('context.title')}</h2>
        <IconButton icon={IconPanel} label={t('context.close')} onClick={close} />
      </header>
      <div className="panel-body">
        {use ? <Use use={use} /> : <p className="panel-why">{t('context.none')}</p>}
        {sessionId && branchId && (
          <>
            <CompressButtons sessionId={sessionId} branchId={branchId} />
            <PinList />
            <SummaryList sessionId={sessionId} branchId={branchId} />
            <AttemptList sessionId={sessionId} />
            <SessionRules sessionId={sessionId} />
          </>
        )}
      </div>
    </aside>
  );
}

function Use({ use }: { readonly use: ContextUse }) {
  const { t } = useTranslation();
  const [lit, setLit] = useState<ContextBarProps['lit']>(null);
  const all = breakdown(use);
  return (
    <>
      <p className="panel-total">
        <b>{formatTokens(use.total)}</b>
        <span>{use.window === null ? t('context.totalNoWindow') : t('context.total', { window: use.window })}</span>
      </p>
      <ContextBar use={use} all={all} lit={lit} />
      <PartList all={all} onPoint={setLit} />
      <ContextNotes use={use} />
    </>
  );
}
