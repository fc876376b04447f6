import type { Network } from '../providers/ask-http';

/** A machine without proxies. */
export const straightNetwork: Network = { proxyOf: () => Promise.resolve(null), fetch };
