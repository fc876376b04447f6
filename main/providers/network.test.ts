import { expect, onTestFinished, test } from 'vitest';
import type { ProviderId } from '../../shared/model/ids';
import { madeRegistry } from '../testing/made-registry';
import { MemoryProviders } from '../testing/memory-providers';
import { startScriptedServer } from '../testing/scripted-server';
import type { Registry } from './registry';

test('another machine is reached as the system says, from the first moment on; this one never through a proxy', async () => {
  const asked: string[] = [];
  const fetched = new Set<string>();
  const network = {
    fetch: async (url: URL) => {
      fetched.add(url.host);
      return Response.json({ data: [{ id: 'm' }] });
    },
    proxyOf: async (address: string) => {
      asked.push(address);
      return 'http://proxy.example:3128';
    },
  };
  const server = await startScriptedServer();
  onTestFinished(() => server.close());
  const rows = new MemoryProviders();
  const made = await madeRegistry({ ...rows, network });
  const far = await made.add({ kind: 'openai', name: 'far', address: 'https://models.example/v1', key: null });
  const near = await made.add({ kind: 'openai', name: 'near', address: server.address, key: null });
  const target = (of: Registry, id: ProviderId) => of.facts({ providerId: id, model: 'm' })?.target;
  expect(target(made, far.id)).toMatchObject({ proxy: 'http://proxy.example:3128' });
  expect(asked).toEqual(['https://models.example/v1']);
  expect([...fetched]).toEqual(['models.example']);
  expect(made.facts({ providerId: near.id, model: near.models[0]?.model ?? '' })?.target).not.toHaveProperty('proxy');
  expect(target(await madeRegistry({ ...rows, network }), far.id)).toMatchObject({
    proxy: 'http://proxy.example:3128',
  });
});

test('another address has neither the models nor the proxy of the old one, and is asked though the old one still is', async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const network = {
    fetch: async (url: URL) => {
      if (url.host === 'old.example') await held;
      return Response.json({ data: [{ id: url.host }] });
    },
    proxyOf: async (address: string) => (address.includes('old') ? 'http://proxy.example:3128' : null),
  };
  const made = await madeRegistry({ network });
  const adding = made.add({ kind: 'openai', name: 'far', address: 'https://old.example/v1', key: null });
  const id = made.list().find(({ name }) => name === 'far')?.id;
  if (!id) throw new Error('not listed');
  const moving = made.change(id, { address: 'https://new.example/v1' });
  letGo();
  const moved = await moving;
  await adding;
  expect(moved.models.map(({ model }) => model)).toEqual(['new.example']);
  expect(made.facts({ providerId: id, model: 'new.example' })?.target).not.toHaveProperty('proxy');
});
