import { useTranslation } from 'react-i18next';
import type { ContextUse } from '../../../shared/model/context';
import { Button } from '../../components/button';
import { useWindowChange } from '../../components/models/window-change';
import { useLayout } from '../../stores/layout-store';
import { SetWindow } from './set-window';

/** The way to another window, where the server of this chat's model lets one ask for it or does not tell it. */
export function RaiseWindow({ use }: { readonly use: ContextUse }) {
  const { t } = useTranslation();
  const open = useLayout((state) => state.windowAsked);
  const show = useLayout((state) => state.windowWanted);
  const close = useLayout((state) => state.windowClosed);
  const found = useWindowChange(use);
  if (!found) return null;
  const { change, ...of } = found;
  return (
    <>
      <Button look="plain" className="raise" onClick={show}>
        {t(`context.window.${change}`)}
      </Button>
      {open && <SetWindow {...of} change={change} use={use} onClose={close} />}
    </>
  );
}
