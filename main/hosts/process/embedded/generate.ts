import type { Job } from '../../protocol';
import type { JobContext, JobEnd } from '../job';
import { JobFailure } from '../job-failure';
import { chatHistory } from './chat-history';
import type { EmbeddedTarget, LoadedModel } from './loaded-model';

type Talk = Extract<Job, { kind: 'chat' | 'summary' }>;

/** Sampling of a real model's chat: llama.cpp's own defaults. Everything else takes the likeliest token. */
const SAMPLING = { temperature: 0.8, topK: 40, topP: 0.95, minP: 0.05 } as const;
/** Tokens that stay free beside prompt and answer, so that the library never shifts the context. */
const SPARE_TOKENS = 2;
/** Fewer tokens than this say nothing about speed. */
const RATE_TOKENS = 16;

/**
 * Streams one answer. The prompt is counted exactly beforehand and refused where it does not fit: the library itself
 * would cut the newest message in silence.
 */
export async function talk(
  job: Talk,
  target: EmbeddedTarget,
  loaded: LoadedModel,
  context: JobContext,
): Promise<JobEnd> {
  const { sink, signal, hold, clock } = context;
  const history = chatHistory(job.messages);
  const tokens = loaded.promptTokens(history);
  const room = loaded.window - tokens.length - SPARE_TOKENS;
  if (room < 1) {
    throw new JobFailure('refused', 'overflow', 'the prompt is longer than the window', {
      needTokens: tokens.length + SPARE_TOKENS + 1,
      windowTokens: loaded.window,
    });
  }
  const lane = await loaded.lane(job.kind === 'summary' && job.whole ? 'chat' : job.kind);
  return lane.alone(sink, hold, signal, async () => {
    const cached = await lane.read(tokens, hold, signal, (done) => sink.phase('reading', done, tokens.length));
    const started = clock.monotonic();
    let output = 0;
    let writing = false;
    const answer = await lane.chat.generateResponse(history, {
      signal,
      maxTokens: Math.min(job.maxTokens, room),
      ...(job.kind === 'chat' && !target.greedy ? SAMPLING : { temperature: 0 }),
      ...(target.greedy ? { repeatPenalty: false as const } : {}),
      onResponseChunk: (chunk) => {
        output += chunk.tokens.length;
        if (chunk.text === '') return;
        if (!writing) sink.phase('writing');
        writing = true;
        sink.text(chunk.text, chunk.type === 'segment' && chunk.segmentType === 'thought');
      },
    });
    signal.throwIfAborted();
    const seconds = (clock.monotonic() - started) / 1_000;
    sink.usage({
      prompt: tokens.length,
      output,
      cached,
      ...(lane.prefillRate !== null && tokens.length - cached >= RATE_TOKENS ? { prefillRate: lane.prefillRate } : {}),
      ...(output >= RATE_TOKENS && seconds > 0 ? { decodeRate: output / seconds } : {}),
    });
    const finish = answer.metadata.stopReason === 'maxTokens' ? 'length' : 'stop';
    if (answer.response.trim() === '') {
      throw new JobFailure(finish === 'length' ? 'cut' : 'empty', 'server-error', 'no text came');
    }
    return { value: { text: answer.response }, finish };
  });
}
