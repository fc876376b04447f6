/** How requests reach other machines: as the system's proxy settings say. */
import { net, session } from 'electron';
import type { Network } from '../providers/ask-http';
import { proxyIn } from './proxy-list';

export const systemNetwork: Network = {
  proxyOf: async (address) => proxyIn(await session.defaultSession.resolveProxy(address)),
  // Chromium's own stack goes through the same proxies; it is given no cookies and answers no other machine's questions
  fetch: (input, init) => net.fetch(input.href, { ...init, credentials: 'omit' }),
};
