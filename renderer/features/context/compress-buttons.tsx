import { useTranslation } from 'react-i18next';
import type { Strategy } from '../../../shared/model/compression';
import type { BranchId, SessionId } from '../../../shared/model/ids';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { IconButton } from '../../components/icon-button';
import { IconDown, IconFold } from '../../components/icons';
import { Menu, MenuItem } from '../../components/menu';
import { useAsk } from '../../components/use-ask';
import { chooseRange } from '../../stores/range-store';
import { useSession } from '../../stores/session-store';

const ways = {
  all: ['prune', 'summarize', 'extract'],
  summarize: ['summarize'],
  extract: ['extract'],
} as const satisfies Record<string, readonly Strategy[]>;

/** Compression by hand: all strategies in turn, or one that is chosen. */
export function CompressButtons({
  sessionId,
  branchId,
}: {
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
}) {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  // another window's is no reason to keep the user from asking: the answer says who holds it, and has Recover
  const running = useSession(({ attempt }) => attempt !== null && attempt.outcome === null && !attempt.elsewhere);
  const isEmpty = useSession((state) => state.lastSeq === 0);
  const start = (way: keyof typeof ways) =>
    void ask(() => request('compression.start', { sessionId, branchId, strategies: [...ways[way]] }));
  return (
    <>
      <div className="panel-do">
        <Button look="primary" icon={IconFold} disabled={running} onClick={() => start('all')}>
          {t(running ? 'context.compressing' : 'context.compress')}
        </Button>
        <Menu
          align="end"
          trigger={<IconButton className="panel-how" icon={IconDown} label={t('context.how')} disabled={running} />}
        >
          {(['all', 'summarize', 'extract'] as const).map((way) => (
            <MenuItem key={way} onSelect={() => start(way)}>
              <span>
                {t(`context.ways.${way}`)}
                <span className="way-hint">{t(`context.ways.${way}Hint`)}</span>
              </span>
            </MenuItem>
          ))}
        </Menu>
        <Button disabled={running || isEmpty} onClick={chooseRange}>
          {t('context.range')}
        </Button>
      </div>
      {problem && <ErrorLine error={problem} />}
    </>
  );
}
