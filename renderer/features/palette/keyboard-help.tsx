import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { keysText } from '../../components/keys';
import { layoutStore } from '../../stores/layout-store';

/** Every shortcut, by the place where it works. */
export function KeyboardHelp() {
  const { t } = useTranslation();
  const close = () => layoutStore.getState().overlayShown('none');
  const groups = [
    {
      name: t('palette.help.groups.app'),
      keys: [
        ['Mod+K', t('palette.help.palette')],
        ['Mod+N', t('palette.commands.newChat')],
        ['Mod+F', t('palette.commands.search')],
        ['Mod+B', t('palette.commands.sidebar')],
        ['Mod+I', t('palette.commands.panel')],
        ['Mod+,', t('palette.help.settings')],
        ['Mod+/', t('palette.help.help')],
      ],
    },
    {
      name: t('palette.help.groups.composer'),
      keys: [
        ['Enter', t('palette.help.send')],
        ['Shift+Enter', t('palette.help.newline')],
      ],
    },
    {
      name: t('palette.help.groups.reading'),
      keys: [
        ['Mod+Shift+F', t('palette.help.find')],
        ['PageUp', t('palette.help.page')],
        ['Home', t('palette.help.start')],
        ['End', t('palette.help.end')],
      ],
    },
    {
      name: t('palette.help.groups.list'),
      keys: [
        ['↑+↓', t('palette.help.move')],
        ['Enter', t('palette.help.openRow')],
        ['F2', t('palette.help.rename')],
        ['Delete', t('palette.help.bin')],
      ],
    },
  ] as const;
  return (
    <Dialog title={t('palette.help.title')} onClose={close} foot={<Button onClick={close}>{t('app.close')}</Button>}>
      <div className="key-help">
        {groups.map((group) => (
          <section key={group.name}>
            <h3>{group.name}</h3>
            <dl>
              {group.keys.map(([keys, does]) => (
                <div key={keys}>
                  <dt>{does}</dt>
                  <dd>
                    <kbd>{keysText(keys)}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
