import { conversation } from '../fixtures/conversation';
import type { RunningApp } from '../fixtures/running-app';
import { expect, test } from '../fixtures/test';

/** Grace, kill, exit: from the cancel until the lease of a worker that hears nothing is free. Source: design, section 10. */
const KILLED_MS = 7_200;

/** The utility process that summarizes, as Electron knows it. */
async function summarizer({ electron }: RunningApp): Promise<number> {
  const found = await electron.evaluate(({ app }) =>
    app
      .getAppMetrics()
      .flatMap(({ pid, serviceName, name }) =>
        `${serviceName} ${name}`.includes('palimpsest-summarizer') ? [pid] : [],
      ),
  );
  const [pid] = found;
  if (pid === undefined) throw new Error('nobody summarizes');
  return pid;
}
const runs = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a summarizer that hears nothing is killed after the grace; its lease is free then and not before, and the next one works', async ({
  begin,
  stored,
}) => {
  const source = conversation(70, 900);
  const { server, app, main, session } = await begin(source);
  server.behave({ stallAfter: 30 });
  await main.compressNow();
  await expect(main.card.newestLine).not.toContainText('No line yet');
  const pid = await summarizer(app);
  process.kill(pid, 'SIGSTOP');
  await main.card.cancelButton.click();
  const cancelled = performance.now();
  await expect(main.card.title).toHaveText('Cancelled by you');
  expect(stored.lease(session, 'compression').instanceId).not.toBeNull();
  expect(runs(pid)).toBe(true);
  await expect
    .poll(() => stored.lease(session, 'compression').instanceId, { timeout: 15_000, intervals: [20] })
    .toBeNull();
  expect(performance.now() - cancelled).toBeLessThan(KILLED_MS);
  expect(runs(pid)).toBe(false);
  expect(stored.summaries(session)).toEqual([]);

  server.behave({});
  await main.compressNow();
  await expect(main.card.title).toHaveText('Compressed');
  expect(stored.messages(session).map((message) => message.text)).toEqual(source.texts);
});

test('a summarizer that is killed from outside is a failure, whatever code its end carries', async ({
  begin,
  stored,
}) => {
  const source = conversation(70, 900);
  const { server, app, main, session } = await begin(source);
  server.behave({ stallAfter: 30 });
  await main.compressNow('Summarize with the model');
  await expect(main.card.newestLine).not.toContainText('No line yet');
  process.kill(await summarizer(app), 'SIGKILL');
  await expect.poll(() => stored.attempts(session)[0]?.outcome).toEqual({ kind: 'failed', failure: 'died' });
  await expect.poll(() => stored.lease(session, 'compression').instanceId).toBeNull();
  expect(stored.summaries(session)).toEqual([]);
  expect(stored.backoff(session)).toMatchObject({ kind: 'died', rung: 1 });
  await expect(main.card.region).toContainText('Nothing was changed.');
  expect(stored.messages(session).map((message) => message.text)).toEqual(source.texts);
  await expect(main.field).toBeEditable();
});
