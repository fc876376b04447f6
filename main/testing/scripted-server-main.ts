import { startScriptedServer } from './scripted-server';

// The scripted server as a process of its own: options as JSON in the first argument, its address as one JSON line
// on standard output. It ends when its standard input closes, so that it never outlives who started it.
const server = await startScriptedServer(JSON.parse(process.argv[2] ?? '{}'));
process.stdout.write(`${JSON.stringify({ url: server.url, address: server.address })}\n`);
process.stdin.resume();
process.stdin.on('end', () => void server.close().then(() => process.exit(0)));
