import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import type { Proposal } from '../../../shared/model/compression';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { Icon } from '../../components/icon';
import { IconEdit, IconFold } from '../../components/icons';
import { useAsk } from '../../components/use-ask';
import { jumpStore } from '../../stores/jump-store';
import { sessionStore, useSession } from '../../stores/session-store';
import { aboutWords, writerWords } from './fold-words';
import { summaryEditStore, useSummaryEdit } from './summary-edit-store';
import { SummaryEditor } from './summary-editor';
import { shownSections } from './summary-lines';
import { SummaryText } from './summary-text';
import './card.css';
import './proposal-card.css';

/** A summary that waits for the user's word: what it says, what it would gain, and the three things to do with it. */
export function ProposalCard({ proposal }: { readonly proposal: Proposal }) {
  const { t } = useTranslation();
  const editing = useSummaryEdit((state) => state.id === proposal.id);
  const range = { from: proposal.coversFrom, to: proposal.coversTo };
  return (
    <section className="card" aria-label={t('compression.proposal.label')}>
      <div className="card-head">
        <Icon of={IconFold} />
        <h2>{t('compression.proposal.title')}</h2>
        <span className="t2 cut">{t('compression.proposal.range', range)}</span>
      </div>
      <ProposalFacts proposal={proposal} />
      <div className="proposal-text">
        {editing ? (
          <SummaryEditor
            label={t('compression.fold.editing.label', range)}
            stored={proposal.text}
            saveWords={t('compression.fold.editing.save')}
            onSave={(text) => saveEdit(proposal, text)}
          />
        ) : (
          <SummaryText
            sections={shownSections(proposal)}
            onSource={(seq) => jumpStore.getState().messageWanted(seq, null)}
          />
        )}
      </div>
      {!editing && <ProposalFoot proposal={proposal} />}
    </section>
  );
}

function ProposalFacts({ proposal }: { readonly proposal: Proposal }) {
  const { t } = useTranslation();
  const now = useSession((state) => state.context?.total ?? null);
  return (
    <div className="facts">
      <span>
        <Trans
          t={t}
          i18nKey="compression.proposal.gain"
          values={{ before: proposal.tokensBefore, after: proposal.tokensAfter }}
          components={{ b: <b /> }}
        />
      </span>
      {now !== null && (
        <span>{t('compression.proposal.next', { now, after: Math.round(now * (1 - proposal.gain)) })}</span>
      )}
      <span>{aboutWords(t, proposal)}</span>
      <span>{writerWords(t, proposal)}</span>
    </div>
  );
}

function ProposalFoot({ proposal }: { readonly proposal: Proposal }) {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  const [accepting, setAccepting] = useState(false);
  const waits = useSession(
    ({ turn }) => turn?.reason?.state === 'deferred' && turn.reason.why.kind === 'review-pending',
  );
  const accept = async () => {
    setAccepting(true);
    await ask(() => request('compression.accept', here(proposal)));
    setAccepting(false);
  };
  return (
    <>
      {problem && (
        <div className="facts">
          <ErrorLine error={problem} />
        </div>
      )}
      <div className="card-foot line">
        <Button look="primary" disabled={accepting} onClick={() => void accept()}>
          {t(waits ? 'compression.proposal.acceptAndSend' : 'compression.proposal.accept')}
        </Button>
        <Button
          icon={IconEdit}
          aria-expanded={false}
          onClick={() => summaryEditStore.getState().editBegun(proposal.id, proposal.text)}
        >
          {t('compression.fold.edit')}
        </Button>
        <Button look="plain" onClick={() => void ask(() => request('compression.reject', here(proposal)))}>
          {t('compression.proposal.reject')}
        </Button>
        <span className="card-foot-note">
          {t(waits ? 'compression.proposal.waits' : 'compression.proposal.unused')}
        </span>
      </div>
    </>
  );
}

function here(proposal: Proposal) {
  const { sessionId } = sessionStore.getState();
  if (sessionId === null) throw new Error('no chat is shown'); // a card without its chat is not on screen
  return { sessionId, summaryId: proposal.id };
}

async function saveEdit(proposal: Proposal, text: string): Promise<void> {
  await request('compression.editProposal', { ...here(proposal), text });
}
