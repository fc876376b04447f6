import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { useAsk } from '../../components/use-ask';
import { useApp } from '../../stores/app-store';
import { pressedShortcut, shortcutText } from './accelerator';
import { SettingLine } from './setting-line';

type CheckState = 'none' | 'waiting' | 'arrived' | 'silent';

/** The global shortcut: shown, captured from pressed keys, taken away, and checked by pressing it. */
export function ShortcutSetting() {
  const { t } = useTranslation();
  const shortcut = useApp((state) => state.settings.quickChatShortcut);
  const platform = useApp((state) => state.platform);
  const doubt = useApp((state) => state.shortcutDoubt);
  const refusal = useApp((state) => state.shortcutRefusal);
  const { ask, problem, clear } = useAsk();
  const [capturing, setCapturing] = useState(false);
  const [check, setCheck] = useState<CheckState>('none');
  const shown = shortcut === null ? null : shortcutText(shortcut, platform);
  const refused = problem ?? (shown && refusal ? { code: refusal, fields: { shortcut: shown } } : null);
  const set = (next: string | null) => {
    setCapturing(false);
    setCheck('none');
    void ask(() => request('quickChat.setShortcut', { shortcut: next }));
  };
  const checkNow = async () => {
    setCheck('waiting');
    const went = await ask(async () => setCheck((await request('quickChat.checkShortcut', {})) ? 'arrived' : 'silent'));
    if (!went) setCheck('none');
  };
  return (
    <>
      <SettingLine title={t('settings.quickChat.shortcut')} {...(capturing ? { hint: captureHint() } : {})}>
        {() =>
          capturing ? (
            <Capture onKeys={set} onCancel={() => setCapturing(false)} />
          ) : (
            <>
              {shown ? (
                <kbd className="big-keys">{shown}</kbd>
              ) : (
                <span className="t3">{t('settings.quickChat.none')}</span>
              )}
              <Button
                onClick={() => {
                  clear();
                  setCapturing(true);
                }}
              >
                {shown ? t('settings.quickChat.change') : t('settings.quickChat.set')}
              </Button>
              {shown && <Button onClick={() => set(null)}>{t('settings.quickChat.remove')}</Button>}
            </>
          )
        }
      </SettingLine>
      {refused && (
        <li className="setting-note">
          <ErrorLine error={refused} />
        </li>
      )}
      {doubt === 'wayland' && <li className="setting-note t2">{t('settings.quickChat.wayland')}</li>}
      {shown && !refusal && (
        <SettingLine title={t('settings.quickChat.check')} hint={checkHint(shown)}>
          {() => (
            <Button disabled={check === 'waiting'} onClick={() => void checkNow()}>
              {t('settings.quickChat.check')}
            </Button>
          )}
        </SettingLine>
      )}
    </>
  );

  function captureHint(): string {
    return t('settings.quickChat.captureHint', {
      meta: platform === 'darwin' ? 'Cmd' : shortcutText('Super', platform),
    });
  }

  function checkHint(keys: string): string {
    switch (check) {
      case 'none':
        return t('settings.quickChat.checkHint');
      case 'waiting':
        return t('settings.quickChat.checking', { shortcut: keys });
      case 'arrived':
        return t('settings.quickChat.checkYes');
      case 'silent':
        return t('settings.quickChat.checkNo');
    }
  }
}

function Capture({ onKeys, onCancel }: { readonly onKeys: (shortcut: string) => void; readonly onCancel: () => void }) {
  const { t } = useTranslation();
  const field = useRef<HTMLButtonElement>(null);
  useEffect(() => field.current?.focus(), []);
  const keyed = (event: KeyboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return onCancel();
    const pressed = pressedShortcut(event.nativeEvent);
    if (pressed.kind === 'shortcut') onKeys(pressed.shortcut);
  };
  return (
    <button ref={field} type="button" className="input capture" onKeyDown={keyed} onBlur={onCancel}>
      {t('settings.quickChat.capture')}
    </button>
  );
}
