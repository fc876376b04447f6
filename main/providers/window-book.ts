import type { ModelRef } from '../../shared/model/ids';
import type { WindowRow, WindowRows } from './provider-rows';
import type { TokenRates } from './registry-types';

/** What was learned and measured of the models, read once from the table and written through. */
export class WindowBook {
  readonly #rows: WindowRows;
  readonly #now: () => number;
  readonly #known = new Map<string, WindowRow>();

  /** `now` gives wall-clock milliseconds. */
  constructor(rows: WindowRows, now: () => number) {
    this.#rows = rows;
    this.#now = now;
  }

  get(ref: ModelRef, settings: string): WindowRow {
    const key = JSON.stringify([ref.providerId, ref.model, settings]);
    const known = this.#known.get(key) ?? this.#rows.get(ref.providerId, ref.model, settings) ?? blank(ref, settings);
    this.#known.set(key, known);
    return known;
  }

  change(ref: ModelRef, settings: string, patch: Partial<WindowRow>): WindowRow {
    const row = { ...this.get(ref, settings), ...patch, updatedAt: this.#now() };
    this.#known.set(JSON.stringify([ref.providerId, ref.model, settings]), row);
    this.#rows.put(row);
    return row;
  }

  learned(ref: ModelRef, settings: string): number | null {
    const { source, served } = this.get(ref, settings);
    return source === 'learned' ? served : null;
  }

  rates(ref: ModelRef, settings: string, unmeasured: TokenRates): TokenRates {
    const { asciiRate, cjkRate, otherRate } = this.get(ref, settings);
    if (asciiRate === null || cjkRate === null || otherRate === null) return unmeasured;
    return { ascii: asciiRate, cjk: cjkRate, other: otherRate, calibrated: true };
  }
}

function blank({ providerId, model }: ModelRef, settingsHash: string): WindowRow {
  return {
    providerId,
    model,
    settingsHash,
    served: null,
    trained: null,
    source: 'unknown',
    asciiRate: null,
    cjkRate: null,
    otherRate: null,
    prefillRate: null,
    decodeRate: null,
    updatedAt: 0,
  };
}
