import { Menu, type MenuItemConstructorOptions } from 'electron';
import { words } from './words';

/**
 * The application menu. On macOS it stands at the top of the screen; elsewhere the windows have no frame to show it
 * in, and it only carries the keys for editing and zoom.
 */
export function setMenu(openSettings: () => void): void {
  const settings: MenuItemConstructorOptions = {
    label: words.traySettings,
    accelerator: 'CmdOrCtrl+,',
    click: openSettings,
  };
  const app: MenuItemConstructorOptions = {
    label: words.appName,
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'services' },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  };
  const file: MenuItemConstructorOptions = { label: words.appName, submenu: [settings, { role: 'quit' }] };
  const menu: MenuItemConstructorOptions[] = [
    process.platform === 'darwin' ? app : file,
    { role: 'editMenu', label: words.edit },
    {
      label: words.view,
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu', label: words.window },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
}
