import { act, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { appStore } from '../../stores/app-store';
import { sessionStore } from '../../stores/session-store';
import { fixtureTurn } from '../../testing/fixture-attempt';
import { ollamaId, session } from '../../testing/fixture-data';
import { closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { WaitingLine } from './waiting-line';

afterEach(closeFixture);

it('names the model of the chat that is shown, while the view of another is on its way', async () => {
  const { rows } = await openFixture({ messages: 245 });
  const [, second] = rows;
  if (!second) throw new Error('no second chat');
  sessionStore.setState({ turn: fixtureTurn({ state: 'requesting' }) });
  appStore.getState().sessionChanged({ ...second, model: { providerId: ollamaId, model: 'gone' } });
  renderIn(<WaitingLine />);
  const waits = () => screen.getByText(/qwen3/);
  expect(waits()).toBeTruthy();
  act(() => appStore.getState().sessionShown(session(2)));
  expect(waits()).toBeTruthy();
});
