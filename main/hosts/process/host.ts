import { systemClock } from '../../lib/clock';
import { runDownload } from './download/download';
import { embeddedRunner } from './embedded/embedded-jobs';
import { HostProcess } from './host-process';
import { onParent } from './port';
import { readDocument } from './read-document';
import { runServerJob } from './server-jobs';

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
      return role === 'embedded' ? embeddedRunner() : runServerJob;
    },
    exit: (how) => {
      // A model that is evaluating holds up an orderly exit, and an orphan has nothing left to put in order.
      if (how === 'orphaned') process.kill(process.pid, 'SIGKILL');
      process.exit(0);
    },
  });
});
