import { type Handler, sendJson, startHttpServer } from './http-server';

export const httpDeeds = [
  'answers in JSON',
  'answers in a stream',
  'wants another token',
  'is no tool server',
  'breaks off in mid-call',
  'closes in mid-call',
  'answers with 5 MB',
  'leads elsewhere',
  'forbids the call',
  'forgets the session',
] as const;
export type HttpDeed = (typeof httpDeeds)[number];

const probe = { name: 'probe', description: 'Says it again.', inputSchema: { type: 'object' } };

/** A tool server over HTTP, sane or mad in one way; `deed` may be changed while it runs. */
export async function startMcpHttpServer(first: HttpDeed, elsewhere = 'http://127.0.0.2:9/') {
  const state = { deed: first, token: 'the-right-token' };
  const handler: Handler = ({ method, headers, body }, response) => {
    const { deed, token } = state;
    if (deed === 'is no tool server')
      return sendJson(response, 200, '<h1>Welcome</h1>', { 'content-type': 'text/html' });
    if (deed === 'leads elsewhere') return sendJson(response, 307, '', { location: elsewhere });
    if (headers.authorization !== `Bearer ${token}`)
      return sendJson(response, 401, { error: `Incorrect API key provided: ${headers.authorization}` });
    if (method !== 'POST') return sendJson(response, 405, {});
    const id = body.id;
    if (id === undefined) return sendJson(response, 202, '');
    const called = body.method === 'tools/call';
    if (called && deed === 'forgets the session') return sendJson(response, 404, { error: 'no such session' });
    if (called && deed === 'forbids the call')
      return sendJson(response, 403, `${'x'.repeat(290)}${headers.authorization}`);
    const result =
      body.method === 'initialize'
        ? {
            protocolVersion: '2025-06-18',
            capabilities: { tools: {} },
            serverInfo: { name: 'over HTTP', version: '2' },
          }
        : body.method === 'tools/list'
          ? { tools: [probe] }
          : { content: [{ type: 'text', text: deed === 'answers with 5 MB' ? 'x'.repeat(5_000_000) : 'over HTTP' }] };
    const message = JSON.stringify({ jsonrpc: '2.0', id, result });
    if (deed === 'answers in JSON' || deed === 'forgets the session' || !called)
      return sendJson(response, 200, message, { 'mcp-session-id': 'one' });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (deed === 'closes in mid-call') return void response.end(': wait\n\n');
    if (deed === 'breaks off in mid-call') {
      response.write(': wait\n\n', () => response.destroy());
      return;
    }
    response.end(`event: message\ndata: ${message}\n\n`);
  };
  const server = await startHttpServer(handler);
  return { ...server, state };
}
