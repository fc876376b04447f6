/** Which way a request goes: straight, or through the proxy that the system names for its address. */
import http from 'node:http';
import https from 'node:https';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';
import { isLoopback } from '../../../shared/loopback';

/** Sockets are kept between requests, so that a turn's request does not wait for a connection. */
const KEEP = { keepAlive: true } as const;
const straight = { 'http:': new http.Agent(KEEP), 'https:': new https.Agent(KEEP) };
const proxied = new Map<string, http.Agent>();

/** `proxy` is an address with one of the schemes http, https, socks4, socks5h; null = none. This machine has none ever. */
export function agentFor(url: URL, proxy: string | null): http.Agent {
  const protocol = url.protocol as 'http:' | 'https:';
  if (proxy === null || isLoopback(url)) return straight[protocol];
  const key = `${protocol} ${proxy}`;
  const agent = proxied.get(key) ?? through(proxy, protocol);
  proxied.set(key, agent);
  return agent;
}

function through(proxy: string, protocol: 'http:' | 'https:'): http.Agent {
  if (proxy.startsWith('socks')) return new SocksProxyAgent(proxy, KEEP);
  return protocol === 'https:' ? new HttpsProxyAgent(proxy, KEEP) : new HttpProxyAgent(proxy, KEEP);
}
