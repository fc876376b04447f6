import { useTranslation } from 'react-i18next';
import type { Siblings } from '../../../shared/model/message';
import { IconButton } from '../../components/icon-button';
import { IconLeft, IconRight } from '../../components/icons';
import { told } from '../../stores/toast-store';
import { showBranch } from './branch-actions';

/** "2 / 3": goes through the versions of one message. */
export function BranchSwitcher({ siblings, seq }: { readonly siblings: Siblings; readonly seq: number }) {
  const { t } = useTranslation();
  const { index, branches } = siblings;
  const before = branches[index - 1];
  const after = branches[index + 1];
  return (
    // biome-ignore lint/a11y/useSemanticElements: three inline parts of a row, not a form's fieldset
    <span className="branch" role="group" aria-label={t('transcript.branch.label')}>
      <IconButton
        icon={IconLeft}
        label={t('transcript.branch.previous')}
        disabled={before === undefined}
        onClick={() => before !== undefined && void told(showBranch(before, seq))}
      />
      {t('transcript.branch.place', { index: index + 1, count: branches.length })}
      <IconButton
        icon={IconRight}
        label={t('transcript.branch.next')}
        disabled={after === undefined}
        onClick={() => after !== undefined && void told(showBranch(after, seq))}
      />
    </span>
  );
}
