import { describe, expect, it } from 'vitest';
import type { BranchId, MessageId, TurnId } from '../../shared/model/ids';
import type { Turn, TurnState } from '../../shared/model/turn';
import { endedTurnStates, openTurnStates } from '../../shared/model/turn';
import { sendLook } from './send-look';

const turn = (state: TurnState, elsewhere = false): Turn => ({
  id: 1 as TurnId,
  branchId: 1 as BranchId,
  messageId: 'm' as MessageId,
  state,
  reason: null,
  retryAt: null,
  elsewhere,
  startedAt: 0,
  endedAt: null,
});

describe('sendLook', () => {
  it.each([null, ...endedTurnStates.map((state) => turn(state))])('at rest sends what there is', (at) => {
    expect(sendLook('', at)).toBe('nothing');
    expect(sendLook(' \n', at)).toBe('nothing');
    expect(sendLook('hello', at)).toBe('ready');
  });

  it.each(openTurnStates.filter((state) => state !== 'deferred'))('while %s adds text and stops without', (state) => {
    expect(sendLook('hello', turn(state))).toBe('adds');
    expect(sendLook('', turn(state))).toBe('stop');
  });

  it('has nothing to stop while deferred or answered elsewhere', () => {
    expect(sendLook('', turn('deferred'))).toBe('nothing');
    expect(sendLook('hello', turn('deferred'))).toBe('adds');
    expect(sendLook('', turn('streaming', true))).toBe('nothing');
  });
});
