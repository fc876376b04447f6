import type { KeyboardEvent, MenuItem } from 'electron';
import { describe, expect, it } from 'vitest';
import type { AppEvent } from '../../shared/ipc/events';
import type { SessionId } from '../../shared/model/ids';
import type { Activity, SessionRow } from '../../shared/model/session';
import { RunningCompressions } from './running-compressions';
import { type TrayActions, type TrayModel, trayMenu, trayState, trayTooltip } from './tray-menu';

const a = '11111111-1111-4111-8111-111111111111' as SessionId;
const b = '22222222-2222-4222-8222-222222222222' as SessionId;
const idle: TrayModel = { running: [], automatic: true, shortcut: null };
const compressing: TrayModel = {
  ...idle,
  running: [
    { sessionId: a, title: 'Move orders to Postgres 16', done: 3, of: 9 },
    { sessionId: b, title: 'Kitchen & wiring', done: 2, of: 2 },
  ],
};

function actions(heard: unknown[] = []): TrayActions {
  return {
    quickChat: () => heard.push('quickChat'),
    open: () => heard.push('open'),
    openSession: (id) => heard.push(id),
    setAutomatic: (automatic) => heard.push(automatic),
    settings: () => heard.push('settings'),
    quit: () => heard.push('quit'),
  };
}
const labels = (model: TrayModel) => trayMenu(model, actions()).map((item) => item.label ?? item.type);

describe('trayMenu', () => {
  it('has its entries in the fixed order, running compressions only while there are some', () => {
    expect(labels(idle)).toEqual([
      'Quick chat',
      'Open Palimpsest',
      'separator',
      'Pause automatic compression',
      'separator',
      'Settings…',
      'Quit Palimpsest',
    ]);
    expect(labels(compressing).slice(3, 6)).toEqual([
      'Compressing',
      '    Move orders to Postgres 16  3 of 9',
      '    Kitchen && wiring  writing',
    ]);
  });

  it('opens the session that is clicked, and pausing turns to its opposite', () => {
    const heard: unknown[] = [];
    const click = (model: TrayModel, label: RegExp) => {
      const item = trayMenu(model, actions(heard)).find((entry) => label.test(entry.label ?? ''));
      expect(item).toBeDefined();
      item?.click?.({} as MenuItem, undefined, {} as KeyboardEvent);
    };
    click(compressing, /Kitchen/);
    click(idle, /Pause/);
    click({ ...idle, automatic: false }, /Pause/);
    expect(heard).toEqual([b, false, true]);
  });

  it('says in words what the icon shows', () => {
    expect([trayState(idle), trayTooltip(idle)]).toEqual(['idle', 'Palimpsest']);
    expect([trayState(compressing), trayTooltip(compressing)]).toEqual([
      'compressing',
      'Palimpsest: compressing 2 chats',
    ]);
    expect(trayState({ ...idle, automatic: false })).toBe('paused');
  });
});

describe('RunningCompressions', () => {
  const changed = (id: SessionId, activity: Activity): AppEvent => ({
    type: 'session.changed',
    session: { id, title: 'x', activity } as SessionRow,
  });

  it('lists a session from its first progress to its end, and only says what is new', () => {
    const running = new RunningCompressions();
    expect(running.heard(changed(a, { kind: 'idle' }))).toBeNull();
    expect(running.heard(changed(a, { kind: 'compressing', done: 0, of: 4 }))).toHaveLength(1);
    expect(running.heard(changed(a, { kind: 'compressing', done: 0, of: 4 }))).toBeNull();
    expect(running.heard(changed(a, { kind: 'compressing', done: 1, of: 4 }))).toEqual([
      { sessionId: a, title: 'x', done: 1, of: 4 },
    ]);
    expect(running.heard(changed(a, { kind: 'answering' }))).toEqual([]);
    running.heard(changed(b, { kind: 'compressing', done: 0, of: 0 }));
    expect(running.heard({ type: 'session.removed', sessionId: b })).toEqual([]);
  });
});
