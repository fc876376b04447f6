import { createRequire } from 'node:module';
import path from 'node:path';
import { buildHostEntry } from '../../main/testing/node-fork';
import { ask } from '../fixtures/ask';
import { faults } from '../fixtures/axe';
import { withServer } from '../fixtures/begin';
import { answerDialogs, dialogsAsked } from '../fixtures/confirm';
import { answersAsked } from '../fixtures/journal';
import { leftOver, processTree, runningProcesses } from '../fixtures/processes';
import type { RunningApp } from '../fixtures/running-app';
import { expect, test } from '../fixtures/test';
import type { MainWindow } from '../pages/main-window';
import { ToolsPage } from '../pages/tools-page';

const EVERYTHING = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);
const running = () => runningProcesses().filter(({ command }) => command.includes(EVERYTHING));

/** A server that neither ends with its input nor when it is asked, and neither does the program that it starts. */
let stubborn: Awaited<ReturnType<typeof buildHostEntry>>;
test.beforeAll(async () => {
  stubborn = await buildHostEntry('main/testing/mcp-server.ts');
});
test.afterAll(() => stubborn.remove());

/** Adds the protocol's reference server in the settings, as a user does. */
async function addEverything(app: RunningApp, main: MainWindow): Promise<ToolsPage> {
  const tools = new ToolsPage(main.page);
  await answerDialogs(app, true);
  await tools.open();
  await tools.addProgram('Everything', process.execPath, [EVERYTHING, 'stdio']);
  await expect(tools.server('Everything').getByRole('status')).toHaveText(/^ready, \d+ tools$/);
  return tools;
}

for (const theme of ['light', 'dark'] as const)
  test(`a tool server is added in the settings, and its tool runs once it was allowed, ${theme}`, async ({
    launch,
    serve,
    stored,
  }, info) => {
    const server = await serve();
    const app = await launch();
    const main = await withServer(app, server);
    await ask(main.page, 'settings.change', { theme });
    const look = async (state: string) => {
      await main.page.screenshot({ path: info.outputPath(`${state}-${theme}.png`) });
      expect.soft(await faults(main.page), state).toEqual([]);
    };
    expect(running()).toEqual([]);
    const tools = await addEverything(app, main);
    const [asked] = await dialogsAsked(app);
    expect(asked?.message).toBe('Run the tool server “Everything”?');
    expect(asked?.detail).toContain(`${process.execPath} ${EVERYTHING} stdio`);
    await look('settings');
    await tools.show('Everything');
    await expect(tools.server('Everything').getByRole('listitem').filter({ hasText: 'echo' })).toBeVisible();
    await tools.server('Everything').getByRole('button', { name: 'Remove' }).scrollIntoViewIfNeeded();
    await look('server');
    await tools.server('Everything').getByRole('button', { name: 'Edit…' }).click();
    await main.page.getByRole('button', { name: 'Add variable' }).click();
    await look('form');
    await main.page.keyboard.press('Escape');
    await tools.close();

    const call = { name: 'everything__echo', args: { message: 'is anybody there' } };
    server.behave({ calls: [call], text: 'Let me ask.' });
    await main.send('Ask the other side.');
    const box = main.transcript.getByRole('region', { name: /echo.*Everything.*waits for you/ });
    await expect(box.getByRole('region', { name: 'Arguments' })).toContainText('is anybody there');
    const session = stored.newestSession();
    expect(stored.turn(session)?.state).toBe('tools');
    expect(stored.messages(session).map(({ role }) => role)).toEqual(['user', 'assistant']);
    await look('asks');
    // by the keys alone
    await box.getByRole('button', { name: 'Allow once' }).focus();
    await main.page.keyboard.press('Enter');

    const result = main.transcript.getByRole('button', { name: /echo.*Everything.*done/ });
    await result.click();
    await expect(main.transcript.getByRole('region', { name: 'Result' })).toContainText('Echo: is anybody there');
    await expect.poll(() => stored.turn(session)?.state).toBe('completed');
    expect(answersAsked(server).at(-1)?.at(-1)).toMatchObject({ role: 'tool', content: 'Echo: is anybody there' });
    await look('result');
  });

test('a call that is not allowed does not run, and the answer goes on; “always” asks no more until it is taken back', async ({
  launch,
  serve,
  stored,
}) => {
  const server = await serve();
  const app = await launch();
  const main = await withServer(app, server);
  const tools = await addEverything(app, main);
  await tools.close();
  const box = main.transcript.getByRole('region', { name: /echo.*waits for you/ });
  const done = () => expect.poll(() => stored.turn(stored.newestSession())?.state).toBe('completed');

  server.behave({ calls: [{ name: 'everything__echo', args: { message: 'one' } }], text: 'So be it.' });
  await main.send('First.');
  await box.getByRole('button', { name: 'Don’t allow' }).click();
  await expect(main.transcript.getByRole('button', { name: /echo.*not allowed/ })).toBeVisible();
  await done();
  expect(answersAsked(server).at(-1)?.at(-1)?.content).toContain('The user did not allow this call');

  // refused in the dialog of the system, it waits on
  await answerDialogs(app, false);
  await main.send('Second.');
  await box.getByRole('button', { name: 'Always…' }).click();
  await expect.poll(async () => (await dialogsAsked(app)).at(-1)?.message).toBe('Always allow “echo” of Everything?');
  await expect(box).toBeVisible();
  await answerDialogs(app, true);
  await box.getByRole('button', { name: 'Always…' }).click();
  await expect(main.transcript.getByRole('button', { name: /echo.*done/ })).toHaveCount(1);
  await done();
  await main.send('Third.');
  await expect(main.transcript.getByRole('button', { name: /echo.*done/ })).toHaveCount(2);
  await done();

  await tools.open();
  await tools.show('Everything');
  await tools.server('Everything').getByRole('button', { name: 'Ask again before echo runs' }).click();
  await expect(tools.server('Everything').getByText('always allowed')).toHaveCount(0);
  await tools.close();
  await main.send('Fourth.');
  await expect(box).toBeVisible();
  await main.stopButton.click();
  await expect(box).toBeHidden();
  await expect.poll(() => stored.turn(stored.newestSession())?.state).toBe('stopped');
});

test('a tool server ends with the app and with all that it started, also when the app is killed; at the next start it does not run', async ({
  launch,
  serve,
}) => {
  const server = await serve();
  const app = await launch();
  const main = await withServer(app, server);
  const tools = new ToolsPage(main.page);
  await answerDialogs(app, true);
  await tools.open();
  await tools.addProgram('Stubborn', process.execPath, [stubborn.file, 'starts another program']);
  const ready = (page: ToolsPage) => expect(page.server('Stubborn').getByRole('status')).toHaveText(/^ready/);
  await ready(tools);
  const trees = () => runningProcesses().filter(({ command }) => command.includes(stubborn.file));
  const [tree] = trees().map(({ pid }) => processTree(pid));
  expect(tree?.length).toBeGreaterThan(1);
  await app.kill();
  await expect.poll(() => leftOver(tree ?? [], stubborn.file).length).toBe(0);

  const again = await launch();
  await expect(again.window.getByRole('region', { name: 'Composer' })).toBeVisible();
  expect(trees()).toEqual([]);
  const settings = new ToolsPage(again.window);
  await settings.open();
  await ready(settings);
  const [next] = trees().map(({ pid }) => processTree(pid));
  await again.quit();
  await expect.poll(() => leftOver(next ?? [], stubborn.file).length).toBe(0);
});

test('what is wrong with a server is said where it stands, with what it wrote', async ({ launch, serve }, info) => {
  const app = await launch();
  const main = await withServer(app, await serve());
  const tools = new ToolsPage(main.page);
  await answerDialogs(app, true);
  await tools.open();
  await tools.addProgram('Missing', 'no-such-program', []);
  await expect(tools.server('Missing').getByRole('alert')).toContainText('There is no program “no-such-program”.');
  await tools.addProgram('Broken', process.execPath, ['-e', 'console.error("no disk left"); process.exit(3)']);
  await expect(tools.server('Broken').getByRole('alert')).toContainText(
    'The server ended by itself (3): “no disk left”.',
  );
  await expect(tools.server('Broken').getByRole('region', { name: 'Last lines that Broken wrote' })).toHaveText(
    'no disk left',
  );
  await main.page.screenshot({ path: info.outputPath('failed.png') });
  await tools.server('Missing').getByRole('button', { name: 'Remove' }).click();
  await expect(tools.server('Missing')).toHaveCount(0);
});
