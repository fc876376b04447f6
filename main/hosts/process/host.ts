import { systemClock } from '../../lib/clock';
import { runDownload } from './download/download';
import { embeddedRunner } from './embedded/embedded-jobs';
import { HostProcess } from './host-process';
import type { RunJob } from './job';
import { onParent } from './port';
import { readDocument } from './read-document';
import { runServerJob } from './server-jobs';
import { endAllTrees } from './tool-host/live-trees';

// The one entry of every utility process; the role comes with the first frame.
onParent((port) => {
  new HostProcess({
    port,
    clock: systemClock,
    pid: process.pid,
    runtime: `${process.versions.electron ? `electron ${process.versions.electron}, ` : ''}node ${process.versions.node}`,
    runnerOf: (role) => {
      if (role === 'documents') return readDocument;
      if (role === 'downloads') return runDownload;
      if (role === 'tools' || role === 'files')
        return whenLoaded(() => import('./tool-host/tool-jobs').then(({ toolRunner }) => toolRunner()));
      return role === 'embedded' ? embeddedRunner() : runServerJob;
    },
    exit: (how) => {
      endAllTrees();
      // A model that is evaluating holds up an orderly exit, and an orphan has nothing left to put in order.
      if (how === 'orphaned') process.kill(process.pid, 'SIGKILL');
      process.exit(0);
    },
  });
});

/** Code that only one role needs is loaded with its first job. */
function whenLoaded(load: () => Promise<RunJob>): RunJob {
  let loaded: Promise<RunJob> | null = null;
  return async (job, context) => {
    loaded ??= load();
    const run = await loaded;
    return run(job, context);
  };
}
