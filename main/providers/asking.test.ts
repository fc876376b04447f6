import { expect, onTestFinished, test } from 'vitest';
import { startHttpServer } from '../testing/http-server';
import { madeRegistry } from '../testing/made-registry';
import { ManualClock } from '../testing/manual-clock';
import { startScriptedServer } from '../testing/scripted-server';

async function begin() {
  const server = await startScriptedServer();
  onTestFinished(() => server.close());
  const clock = new ManualClock();
  const made = await madeRegistry({ clock });
  const { id } = await made.add({ kind: 'openai', name: '', address: server.address, key: null });
  return { server, clock, made, id };
}

test('while it is needed all are asked each 30 s, and no more after that', async () => {
  const { server, clock, made } = await begin();
  const asked = () => server.journal.filter(({ path }) => path === '/v1/models').length;
  const stop = made.need();
  await made.test(null); // joins the question that is under way
  const before = asked();
  clock.advance(30_000);
  await made.test(null);
  expect(asked()).toBe(before + 1);
  stop();
  expect(clock.armed).toBe(0);
});

test('a server that is away stays away while it is asked again by itself; who asks sees that it is asked', async () => {
  const { server, clock, made, id } = await begin();
  await server.close();
  await made.test(id);
  const states: unknown[] = [];
  const told = new Promise<void>((resolve) => {
    made.changed.on((providers) => {
      states.push(providers.find((provider) => provider.id === id)?.state);
      resolve();
    });
  });
  const stop = made.need();
  const firstBeat = clock.wall();
  await told;
  clock.advance(20_000);
  await made.test(id);
  stop();
  const away = { kind: 'offline', nextTryAt: firstBeat + 30_000 }; // asking in between moves no beat
  expect(states).toEqual([away, { kind: 'asking', away: true }, away]);
});

test('that the address before is silent says nothing of the one that was entered since', async () => {
  const silent = async () => {
    const server = await startHttpServer(() => {});
    onTestFinished(() => server.close());
    return server;
  };
  const [before, now] = [await silent(), await silent()];
  const clock = new ManualClock();
  const made = await madeRegistry({ clock });
  const adding = made.add({ kind: 'openai', name: '', address: before.url, key: null });
  await before.asked('/models');
  const server = () => made.list().find(({ kind }) => kind === 'openai');
  const id = server()?.id;
  if (!id) throw new Error('not listed');
  const changing = made.change(id, { address: now.url });
  clock.advance(1_500);
  await now.asked('/models');
  expect(server()?.state).toEqual({ kind: 'asking', away: false });
  clock.advance(1_500);
  await Promise.all([adding, changing]);
  expect(server()?.state.kind).toBe('offline');
});
