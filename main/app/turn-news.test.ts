import { describe, expect, it } from 'vitest';
import type { SessionId, TurnId } from '../../shared/model/ids';
import type { Turn, TurnState } from '../../shared/model/turn';
import { TurnNewsReader } from './turn-news';

const sessionId = '11111111-1111-4111-8111-111111111111' as SessionId;

function hear(reader: TurnNewsReader, states: readonly TurnState[], elsewhere = false) {
  return states.flatMap((state) => {
    const endedAt = ['completed', 'stopped', 'interrupted', 'exhausted', 'failed'].includes(state) ? 1 : null;
    const turn = { id: 1 as TurnId, state, elsewhere, endedAt } as Turn;
    return reader.heard({ type: 'turn.changed', sessionId, turn })?.kind ?? [];
  });
}

describe('TurnNewsReader', () => {
  it('tells a finished answer once', () => {
    const reader = new TurnNewsReader();
    expect(hear(reader, ['queued', 'preparing', 'requesting', 'streaming', 'streaming', 'completed'])).toEqual([
      'answered',
    ]);
    expect(hear(reader, ['completed'])).toEqual([]);
  });
  it('tells when a deferred message leaves, whatever had to be done before', () => {
    const states: TurnState[] = ['preparing', 'deferred', 'preparing', 'compressing', 'preparing', 'requesting'];
    expect(hear(new TurnNewsReader(), [...states, 'streaming', 'completed'])).toEqual(['waiting-sent', 'answered']);
  });
  it('says nothing of a message that is deferred again, of a stop, or of what another window did', () => {
    expect(hear(new TurnNewsReader(), ['deferred', 'preparing', 'deferred', 'stopped'])).toEqual([]);
    expect(hear(new TurnNewsReader(), ['streaming', 'failed'])).toEqual([]);
    expect(hear(new TurnNewsReader(), ['requesting', 'streaming', 'completed'], true)).toEqual([]);
  });
  it('tells of a call that waits for the user, and nothing when it no longer does', () => {
    const reader = new TurnNewsReader();
    const question = { callId: 'c', server: 'Mail', tool: 'send', changed: false };
    expect(reader.heard({ type: 'tool.asks', sessionId, question })).toEqual({
      kind: 'asks',
      sessionId,
      server: 'Mail',
      tool: 'send',
    });
    expect(reader.heard({ type: 'tool.asks', sessionId, question: null })).toBeNull();
  });
});
