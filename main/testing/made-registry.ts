import { systemClock } from '../lib/clock';
import { Emitter } from '../lib/emitter';
import { systemIds } from '../lib/ids';
import { Registry, type RegistryOptions } from '../providers/registry';
import { MemoryProviders } from './memory-providers';
import { SimulatedHost } from './simulated-host';
import { straightNetwork } from './straight-network';

/** A registry that keeps what it learns in memory, knows no models and looks for no servers. */
export async function madeRegistry(over: Partial<RegistryOptions> = {}): Promise<Registry> {
  const made = new Registry({
    ...new MemoryProviders(),
    clock: systemClock,
    ids: systemIds,
    hosts: Object.assign(new SimulatedHost(), {
      changed: new Emitter<void>(),
      unload: async () => {},
      memoryOf: () => 'not-loaded' as const,
      inUse: () => false,
    }),
    network: straightNetwork,
    practiceFile: null,
    threads: 1,
    chosenDefault: () => null,
    candidates: [],
    ...over,
  });
  await made.start();
  return made;
}
