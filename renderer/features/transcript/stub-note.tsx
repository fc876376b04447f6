import './stub-note.css';
import { useTranslation } from 'react-i18next';
import { useShallow } from 'zustand/react/shallow';
import { Button } from '../../components/button';
import { Icon } from '../../components/icon';
import { IconFold } from '../../components/icon-fold';
import { isCovered } from '../../stores/covered';
import { sendWhole } from '../../stores/rolled-back-store';
import { useSession } from '../../stores/session-store';
import { told } from '../../stores/toast-store';

/** Says that requests carry a line in the place of this message, shows it, and offers to send the whole again. */
export function StubNote({ seq }: { readonly seq: number }) {
  const { t } = useTranslation();
  const sessionId = useSession((state) => state.sessionId);
  const covered = useSession(isCovered(seq));
  const stub = useSession((state) => state.stubs.find((one) => one.seq === seq));
  const together = useSession(
    useShallow((state) => state.stubs.filter((one) => one.summaryId === stub?.summaryId).map((one) => one.seq)),
  );
  if (!stub || covered || !sessionId) return null;
  return (
    <div className="stub-note">
      <Icon of={IconFold} />
      <span title={stub.text}>{t('transcript.stub.note')}</span>
      <Button look="quiet" onClick={() => void told(sendWhole(sessionId, stub.summaryId))}>
        {t('transcript.stub.whole', { count: together.length })}
      </Button>
    </div>
  );
}
