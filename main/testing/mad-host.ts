/**
 * A host process that has gone mad in one way, named by its first argument. It speaks the protocol over Node's channel
 * as far as it speaks at all.
 */
import { type HostRole, PROCESS, PROTOCOL, type ToHost, type ToMain } from '../hosts/protocol';
import { GOOD_SUMMARY } from './good-summary';

export const madDeeds = [
  'hears nothing',
  'spins',
  'eats its memory',
  'floods',
  'answers twice',
  'answers after the cancel',
  'leaves with code 0',
  'speaks an older version',
] as const;
export type MadDeed = (typeof madDeeds)[number];

const deed = process.argv[2] as MadDeed;
const version = deed === 'speaks an older version' ? PROTOCOL - 1 : PROTOCOL;
const sent = new Map<number, number>();
type Body = ToMain extends infer F ? (F extends unknown ? Omit<F, 'v' | 's' | 'n'> : never) : never;

function say(stream: number, body: Body): void {
  const n = (sent.get(stream) ?? 0) + 1;
  sent.set(stream, n);
  process.send?.({ v: version, s: stream, n, ...body });
}
const FIRST = '## Goal\n';
const rest = GOOD_SUMMARY.slice(FIRST.length);
const answer = { t: 'result', value: { text: GOOD_SUMMARY }, finish: 'stop' } as const;

function work(stream: number): void {
  say(stream, { t: 'phase', phase: 'writing' });
  say(stream, { t: 'text', text: FIRST });
  switch (deed) {
    case 'spins':
      setImmediate(() => {
        for (;;); // no signal handler, no timer, no message gets in any more
      });
      return;
    case 'eats its memory': {
      const eaten: string[] = [];
      const eat = () => {
        for (let i = 0; i < 200_000; i++) eaten.push(`${eaten.length} is one more`);
        setImmediate(eat);
      };
      return eat();
    }
    case 'floods':
      for (let i = 0; i < 5_000; i++) say(stream, { t: 'alive' });
      return;
    case 'answers twice':
      say(stream, { t: 'text', text: rest });
      say(stream, answer);
      say(stream, answer);
      return;
    case 'leaves with code 0':
      setImmediate(() => process.exit(0));
      return;
    case 'hears nothing':
    case 'answers after the cancel':
    case 'speaks an older version':
      return;
  }
}

process.on('message', (frame: ToHost) => {
  if (frame.t === 'start') say(PROCESS, { t: 'ready', role: frame.role as HostRole, pid: process.pid, runtime: 'mad' });
  else if (frame.t === 'open') work(frame.s);
  else if (frame.t === 'cancel' && deed === 'answers after the cancel') {
    say(frame.s, { t: 'text', text: rest });
    say(frame.s, answer);
  }
});
if (deed === 'hears nothing') process.on('SIGTERM', () => {});
setInterval(() => {}, 1_000); // it does not even end with its parent's channel
