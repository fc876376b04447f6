import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { net, protocol } from 'electron';
import { RENDERER } from './paths';

export const ORIGIN = 'app://bundle';

/** Styles may be inline (measured positions of the virtual list); everything else comes from the bundle alone. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: 'app',
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
    },
  ]);
}

/** Serves the built pages, and nothing outside their folder. */
export function serveApp(): void {
  protocol.handle('app', async (request) => {
    const file = fileFor(request.url);
    if (file === null) return new Response('not found', { status: 404 });
    const answer = await net.fetch(pathToFileURL(file).toString());
    const headers = new Headers(answer.headers);
    headers.set('Content-Security-Policy', CSP);
    headers.set('X-Content-Type-Options', 'nosniff');
    return new Response(answer.body, { status: answer.status, headers });
  });
}

function fileFor(address: string): string | null {
  const url = new URL(address);
  if (`${url.protocol}//${url.host}` !== ORIGIN) return null;
  const file = path.normalize(path.join(RENDERER, decodeURIComponent(url.pathname)));
  return file.startsWith(RENDERER + path.sep) ? file : null;
}
