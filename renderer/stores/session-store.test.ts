import { beforeEach, describe, expect, it } from 'vitest';
import { FixtureBridge } from '../testing/fixture-bridge';
import { branch, fixtureMessage, fixtureSummary, message, session } from '../testing/fixture-data';
import { isCovered } from './covered';
import { messageAt } from './message-window';
import { isBusy, sessionStore } from './session-store';

const NOW = Date.UTC(2026, 2, 20, 14, 32);
const store = () => sessionStore.getState();
const text = (seq: number) => messageAt(store().window, seq)?.text;

beforeEach(() => {
  sessionStore.setState(sessionStore.getInitialState(), true);
  store().viewOpened(new FixtureBridge({ messages: 246, now: NOW }).view(session(1)));
});

const growing = { ...fixtureMessage(247, 247, NOW), id: message(247), status: 'streaming' as const, text: 'ab' };

describe('streamed text', () => {
  beforeEach(() => store().messageAdded(growing));

  it('joins a piece that begins where the text ends', () => {
    expect(store().textArrived(message(247), 2, 'cd')).toBe(true);
    expect(text(247)).toBe('abcd');
  });

  it('takes of a repeated piece only what is new', () => {
    expect(store().textArrived(message(247), 0, 'abc')).toBe(true);
    expect(store().textArrived(message(247), 1, 'bc')).toBe(true);
    expect(text(247)).toBe('abc');
  });

  it('reports a gap and leaves the text as it is', () => {
    expect(store().textArrived(message(247), 3, 'd')).toBe(false);
    expect(text(247)).toBe('ab');
  });

  it('takes no more text once the message is complete', () => {
    store().messageChanged(growing.branchId, { ...growing, status: 'complete', text: 'abc' });
    store().textArrived(message(247), 2, 'cd');
    expect(text(247)).toBe('abc');
  });

  it('changes no other page of the window', () => {
    const before = store().window[3];
    store().textArrived(message(247), 2, 'c');
    expect(store().window[3]).toBe(before);
  });
});

describe('the path', () => {
  it('shows what was recalled on it, and not what was recalled for the same question on another', () => {
    const question = { ...fixtureMessage(245, 245, NOW), recalled: [] };
    const passage = { seq: 3, role: 'user' as const, text: 'It listens on 8471.' };
    const recalled = () => messageAt(store().window, 245)?.recalled;
    store().messageChanged(question.branchId, { ...question, recalled: [passage] });
    expect(recalled()).toEqual([passage]);
    store().messageChanged(branch(7), { ...question, recalled: [{ ...passage, text: 'Elsewhere.' }] });
    expect(recalled()).toEqual([passage]);
  });

  it('grows by a message of its branch and not by one of another', () => {
    store().messageAdded({ ...growing, branchId: branch(7) });
    expect(store().lastSeq).toBe(246);
    store().messageAdded(growing);
    expect(store().lastSeq).toBe(247);
  });

  it('gets shorter when an answer ended without a word', () => {
    store().messageAdded(growing);
    store().messageRemoved(message(247));
    expect(store().lastSeq).toBe(246);
    expect(text(247)).toBeUndefined();
  });

  it('takes no page of a branch that is not shown any more', () => {
    store().messagesRead(branch(9), [{ ...fixtureMessage(10, 246, NOW), text: 'other' }]);
    expect(text(10)).toBeUndefined();
  });

  it('begins anew only when another path is opened', () => {
    const { opened } = store();
    const bridge = new FixtureBridge({ messages: 246, now: NOW });
    store().viewOpened(bridge.view(session(1)));
    expect(store().opened).toBe(opened);
    store().viewOpened({ ...bridge.view(session(1)), branchId: branch(2) });
    expect(store().opened).toBe(opened + 1);
  });
});

it('counts a message as covered up to the cutoff', () => {
  store().summariesChanged(branch(1), [fixtureSummary(212, NOW)]);
  expect([1, 212, 213].map((seq) => isCovered(seq)(store()))).toEqual([true, true, false]);
});

it('is busy from the first state of a turn to its end', () => {
  const turn = {
    id: 1 as never,
    branchId: branch(1),
    messageId: message(1),
    reason: null,
    retryAt: null,
    elsewhere: false,
    startedAt: NOW,
    endedAt: null,
  };
  store().turnChanged({ ...turn, state: 'deferred' });
  expect(isBusy(store())).toBe(true);
  store().turnChanged({ ...turn, state: 'stopped' });
  expect(isBusy(store())).toBe(false);
});
