import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContextUse } from '../../../shared/model/context';
import type { ModelRef } from '../../../shared/model/ids';
import type { Model, Provider } from '../../../shared/model/provider';
import { Button } from '../../components/button';
import { useApp } from '../../stores/app-store';
import { useSession } from '../../stores/session-store';
import { SetWindow } from './set-window';
import { windowChange } from './window-choices';

/** The way to another window, where the server of this chat's model lets one ask for it or does not tell it. */
export function RaiseWindow({ use }: { readonly use: ContextUse }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const sessionId = useSession((state) => state.sessionId);
  const ref = useApp((state) => (sessionId === null ? null : (state.rows[sessionId]?.model ?? null)));
  const providers = useApp((state) => state.providers);
  const found = ref && findModel(providers, ref);
  const change = found ? windowChange(found.provider, found.model, use) : null;
  if (!ref || !found || !change) return null;
  return (
    <>
      <Button look="plain" className="raise" onClick={() => setOpen(true)}>
        {t(`context.window.${change}`)}
      </Button>
      {open && (
        <SetWindow
          modelRef={ref}
          provider={found.provider}
          model={found.model}
          use={use}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function findModel(
  providers: readonly Provider[],
  ref: ModelRef,
): { readonly provider: Provider; readonly model: Model } | null {
  const provider = providers.find(({ id }) => id === ref.providerId);
  const model = provider?.models.find((one) => one.model === ref.model);
  return provider && model ? { provider, model } : null;
}
