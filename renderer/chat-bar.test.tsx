import { act, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AppError } from '../shared/errors';
import type { SessionView } from '../shared/model/session';
import { ChatBar } from './chat-bar';
import { openSession } from './stores/open-session';
import { told } from './stores/toast-store';
import { session } from './testing/fixture-data';
import { closeFixture, openFixture, renderIn } from './testing/fixture-window';

afterEach(closeFixture);

const name = () => within(screen.getByRole('heading', { level: 1 })).getByRole('button').title;

it('names the chat whose transcript and composer are here, until the wanted one is', async () => {
  const bridge = await openFixture();
  let arrived: (view: SessionView) => void = () => undefined;
  bridge.handlers['sessions.open'] = () =>
    new Promise((resolve) => {
      arrived = resolve;
    });
  renderIn(<ChatBar rightmost />);
  const [first, second] = bridge.rows.map(({ title }) => title);
  let opened: Promise<void> = Promise.resolve();
  act(() => {
    opened = openSession(session(2), null);
  });
  expect(name()).toBe(first);
  await act(async () => {
    arrived(bridge.view(session(2)));
    await opened;
  });
  expect(name()).toBe(second);
});

it('names the wanted chat where it cannot be opened', async () => {
  const bridge = await openFixture();
  bridge.handlers['sessions.open'] = () => {
    throw new AppError('busy');
  };
  renderIn(<ChatBar rightmost />);
  await act(async () => void (await told(openSession(session(2), null))));
  expect(name()).toBe(bridge.rows[1]?.title);
});
