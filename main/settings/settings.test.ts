import { describe, expect, it } from 'vitest';
import { type Settings, settingsPatch } from '../../shared/model/settings';
import { SettingsStore } from './settings';

function rows(stored: Record<string, string> = {}) {
  const set = (key: string, json: string) => {
    stored[key] = json;
  };
  return { stored, all: () => stored, set };
}

describe('SettingsStore', () => {
  it('falls back to the default key by key where a stored value is damaged, unknown or out of range', () => {
    const store = new SettingsStore(
      rows({ theme: '"dark"', readingSize: '"huge"', sidebarWidth: '{', extractAllowed: 'false', gone: '1' }),
    );
    expect(store.current).toMatchObject({
      theme: 'dark',
      readingSize: 'normal',
      sidebarWidth: 264,
      extractAllowed: false,
    });
    expect(store.current).not.toHaveProperty('gone');
  });

  it('a change of one key leaves the others, also when it came through the route', () => {
    const disk = rows({ theme: '"dark"' });
    const store = new SettingsStore(disk);
    store.change(settingsPatch.parse({ onClose: 'tray' }));
    expect(store.current).toMatchObject({ theme: 'dark', onClose: 'tray' });
    expect(disk.stored).toEqual({ theme: '"dark"', onClose: '"tray"' });
    expect(new SettingsStore(disk).current).toEqual(store.current);
  });

  it('can set a value back to null', () => {
    const disk = rows({ quickChatShortcut: '"Alt+Space"' });
    const store = new SettingsStore(disk);
    store.change({ quickChatShortcut: null });
    expect(store.current.quickChatShortcut).toBeNull();
    expect(disk.stored).toEqual({ quickChatShortcut: 'null' });
  });

  it('reports once for a change and not at all where nothing changed', () => {
    const heard: Settings[] = [];
    const store = new SettingsStore(rows());
    store.changed.on((settings) => heard.push(settings));
    store.change({ theme: 'light', readingSize: 'large' });
    store.change({ theme: 'light' });
    expect(heard).toEqual([store.current]);
  });
});
