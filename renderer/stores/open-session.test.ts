import { afterEach, expect, it } from 'vitest';
import { AppError } from '../../shared/errors';
import { session } from '../testing/fixture-data';
import { askedFor, closeFixture, openFixture } from '../testing/fixture-window';
import { appStore } from './app-store';
import { newChat, openSession } from './open-session';
import { sessionStore } from './session-store';
import { toastStore, told } from './toast-store';

afterEach(closeFixture);

it('shows the session that was asked for last, whichever view comes first', async () => {
  const bridge = await openFixture();
  const late = bridge.view(session(2));
  let answer: () => void = () => undefined;
  bridge.handlers['sessions.open'] = ({ sessionId }) =>
    sessionId === session(2)
      ? new Promise((done) => {
          answer = () => done(late);
        })
      : bridge.view(sessionId);
  const first = openSession(session(2), null);
  await openSession(session(3), null);
  answer();
  await first;
  expect(sessionStore.getState().sessionId).toBe(session(3));
  expect(appStore.getState().currentId).toBe(session(3));
});

it('says on the page, and only there, why a session could not be opened', async () => {
  const bridge = await openFixture();
  bridge.handlers['sessions.open'] = () => {
    throw new AppError('busy');
  };
  expect(await told(openSession(session(2), null))).toBe(false);
  expect(sessionStore.getState().problem?.code).toBe('busy');
  expect(sessionStore.getState().sessionId).toBeNull();
  expect(toastStore.getState().toasts).toEqual([]);
});

it('makes one new chat however often the button is pressed', async () => {
  const bridge = await openFixture();
  await newChat();
  await newChat();
  const made = askedFor(bridge, 'sessions.create');
  expect(made).toHaveLength(1);
  const { sessionId } = sessionStore.getState();
  expect(askedFor(bridge, 'sessions.renew')).toEqual([]); // it is in use
  await openSession(session(1), null);
  await newChat();
  expect(sessionStore.getState().sessionId).toBe(sessionId);
  expect(askedFor(bridge, 'sessions.renew')).toEqual([{ sessionId }]);
});
