import type { StreamId } from '../hosts/protocol';
import type { ToolJob } from '../hosts/tool-protocol';
import type { ToolHost } from '../tools/host-call';
import { SimulatedStream } from './simulated-host';

/** A tool host without a process: every server and every call is in the test's hands. */
export class SimulatedToolHost implements ToolHost {
  readonly streams: SimulatedStream<ToolJob>[] = [];

  tool(job: ToolJob): SimulatedStream<ToolJob> {
    const stream = new SimulatedStream(this.streams.length as StreamId, job);
    this.streams.push(stream);
    return stream;
  }

  /** Those of a kind that have not ended, in order. */
  open(kind: ToolJob['kind']): SimulatedStream<ToolJob>[] {
    return this.streams.filter(({ job, end }) => job.kind === kind && end === null);
  }
  /** The newest of them. */
  last(kind: ToolJob['kind']): SimulatedStream<ToolJob> {
    const stream = this.open(kind).at(-1);
    if (!stream) throw new Error(`no ${kind} is open`);
    return stream;
  }
}
