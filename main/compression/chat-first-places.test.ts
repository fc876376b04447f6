import { beforeEach, describe, expect, test } from 'vitest';
import type { Strategy } from '../../shared/model/compression';
import type { ModelFacts } from '../providers/registry-types';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { FixedModels } from '../testing/fixed-models';
import { marksFor } from '../turns/measure';
import { ChatFirst } from './chat-first';
import type { Wish } from './wish';

const on = (facts: Partial<ModelFacts>): ModelFacts => ({ ...new FixedModels().facts(), ...facts });
const at = (address: string) => on({ target: { kind: 'openai', address, model: 'test-model', key: null } });
const HERE = at('http://127.0.0.1:1');
const THERE = at('http://127.0.0.1:2');
const PARALLEL = on({ oneAtATime: false });
const fileAt = (path: string) => on({ target: { kind: 'embedded', path, askWindow: 8_192, threads: 2 } });
const FILE = fileAt('/models/test.gguf');
const OTHER_FILE = fileAt('/models/other.gguf');

let chats: ChatFirst;
/** What was heard, in order. */
let heard: string[];
let again: Wish[];
beforeEach(() => {
  heard = [];
  again = [];
  chats = new ChatFirst({
    running: () => [],
    again: (wish) => again.push(wish),
    free: () => heard.push('free'),
  });
});
const waits = (name: string, model = HERE) => chats.whenFree(model, () => heard.push(name));

describe('a place', () => {
  test.each([
    ['a chat takes a server that works on one request at a time', HERE, true],
    ['a chat takes an embedded model', FILE, true],
    ['a chat leaves room on a server that works on several', PARALLEL, false],
  ])('%s', (_, model, taken) => {
    const leave = chats.begins(model);
    expect([chats.busy(model), chats.wants(model)]).toEqual([taken, taken]);
    leave();
    expect([chats.busy(model), chats.wants(model)]).toEqual([false, false]);
  });

  test('is one file of an embedded model, not another', () => {
    chats.begins(FILE);
    expect([chats.busy(FILE), chats.busy(OTHER_FILE)]).toEqual([true, false]);
  });

  test('is wanted between the requests of a turn too, and used by none of them then', () => {
    const leave = chats.stays(HERE);
    expect([chats.busy(HERE), chats.wants(HERE), chats.wants(THERE)]).toEqual([false, true, false]);
    leave();
    expect(chats.wants(HERE)).toBe(false);
  });

  test('is told to be free where it was taken: not by what a server with room for all has done', () => {
    chats.begins(PARALLEL)();
    chats.stays(PARALLEL)();
    expect(heard).toEqual([]);
    chats.begins(HERE)();
    chats.stays(HERE)();
    expect(heard).toEqual(['free', 'free']);
  });

  test('goes free with the last of those who want it, whatever is said twice', () => {
    const [first, second] = [chats.begins(HERE), chats.begins(HERE)];
    first();
    first();
    expect([chats.busy(HERE), heard]).toEqual([true, []]);
    second();
    expect([chats.busy(HERE), heard]).toEqual([false, ['free']]);
  });
});

describe('who waits for a place', () => {
  test('is called once, in the order of coming, when no chat has it', () => {
    const leave = chats.begins(HERE);
    waits('one');
    waits('two');
    leave();
    expect(heard).toEqual(['one', 'two', 'free']);
    chats.begins(HERE)();
    expect(heard).toEqual(['one', 'two', 'free', 'free']);
  });

  test('hears nothing of another place', () => {
    const leave = chats.begins(HERE);
    waits('here');
    chats.begins(THERE)();
    expect(heard).toEqual(['free']);
    leave();
    expect(heard).toEqual(['free', 'here', 'free']);
  });

  test('is not called where a turn ends beside a chat that goes on', () => {
    const leave = chats.begins(HERE);
    const turn = chats.stays(HERE);
    waits('one');
    turn();
    expect(heard).toEqual([]);
    leave();
    expect(heard).toEqual(['one', 'free']);
  });

  test('is not called any more once it waits no longer, were it in the very step', () => {
    const leave = chats.begins(HERE);
    waits('gone')();
    let other = () => {};
    chats.whenFree(HERE, () => other());
    other = waits('gone in the same step');
    leave();
    expect(heard).toEqual(['free']);
  });

  test('need not where no chat is in the way, or where a file’s own process can pause', () => {
    const asks = (model: ModelFacts) => chats.letChatEnd(model, () => heard.push('asked'));
    expect(asks(HERE)).toBeNull();
    chats.begins(FILE);
    expect(asks(FILE)).toBeNull();
    const leave = chats.begins(HERE);
    expect(asks(HERE)).not.toBeNull();
    leave();
    expect(heard).toEqual(['asked', 'free']);
  });
});

describe('an attempt', () => {
  let engine: Engine;
  eachEngine((made) => {
    engine = made;
  });
  const begin = async (strategy: Strategy) => {
    const session = engine.session(40, 800);
    const model = engine.models.facts();
    const marks = marksFor(engine.db, session.sessionId, model);
    if (!marks) throw new Error('the window is unknown');
    const started = await engine.coordinator.start({
      ...{ ...session, model, marks, need: 'manual', trigger: 'button', chosen: [strategy], turnId: null, range: null },
      ...{ accepts: null, bulkyResults: false, fixedTokens: 0, bypass: true },
    });
    if (started.kind !== 'running') throw new Error('not started');
    return started.attempt;
  };

  test('that stands back asks nothing more, and is wished for again when its own place is free: by the rules of all', async () => {
    const attempt = await begin('summarize');
    await engine.settle();
    const [here, there] = [chats.begins(HERE), chats.begins(THERE)];
    expect(chats.look(attempt)).toBe(true);
    expect((await attempt.outcome).kind).toBe('deferred');
    there();
    expect(again).toEqual([]);
    here();
    // a backoff is passed over once, by the click that asked for it
    expect(again).toMatchObject([{ sessionId: attempt.spec.sessionId, need: 'manual', turnId: null, bypass: false }]);
  });

  test('that asks its model nothing does not stand back', async () => {
    const attempt = await begin('extract');
    const leave = chats.begins(HERE);
    expect(chats.look(attempt)).toBe(false);
    leave();
    expect(again).toEqual([]);
    await engine.settle();
    expect((await attempt.outcome).kind).toBe('committed');
  });
});
