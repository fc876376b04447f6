import type { ModelRef, ProviderId } from '../../shared/model/ids';
import type { ChatMessage } from '../hosts/protocol';
import type { CharCounts } from '../lib/char-counts';
import type { ModelFacts, Models } from '../providers/registry-types';

export const TEST_MODEL: ModelRef = { providerId: 'test' as ProviderId, model: 'test-model' };

/** One model with a window that the test sets; a token is four characters. */
export class FixedModels implements Models {
  facts_: ModelFacts;
  readonly learned: number[] = [];
  readonly reports: number[] = [];

  constructor(served: number | null = 8_192) {
    this.facts_ = {
      ref: TEST_MODEL,
      name: 'Test model',
      target: { kind: 'openai', address: 'http://127.0.0.1:1', model: 'test-model', key: null },
      window: { served, trained: served, source: served === null ? 'unknown' : 'server' },
      rates: { ascii: 0.25, cjk: 1, other: 0.5, calibrated: true },
      prefillRate: null,
      canSummarize: true,
      tools: true,
      sees: false,
      remote: false,
      outputCap: null,
      countsExactly: false,
      oneAtATime: true,
    };
  }

  change(facts: Partial<ModelFacts>): void {
    this.facts_ = { ...this.facts_, ...facts };
  }
  facts(): ModelFacts {
    return this.facts_;
  }
  defaultModel(): ModelRef {
    return TEST_MODEL;
  }
  count(_ref: ModelRef, _messages: readonly ChatMessage[]): Promise<number | null> {
    return Promise.resolve(null);
  }
  reported(_ref: ModelRef, _sent: CharCounts, _messages: number, promptTokens: number): void {
    this.reports.push(promptTokens);
  }
  /** What the server is found to have proved by a cut. */
  cutAt: number | null = null;
  promptCut(ref: ModelRef): Promise<number | null> {
    if (this.cutAt !== null) this.learnWindow(ref, this.cutAt);
    return Promise.resolve(this.cutAt);
  }
  learnNoTools(): void {
    this.change({ tools: false });
  }
  learnWindow(_ref: ModelRef, servedTokens: number): void {
    this.learned.push(servedTokens);
    this.change({ window: { served: servedTokens, trained: servedTokens, source: 'learned' } });
  }
}
