import type { WindowSource } from '../../shared/model/context';
import type { ProviderId } from '../../shared/model/ids';
import type { Provider, ProviderKind } from '../../shared/model/provider';

/** What a provider's row keeps besides its columns; stored as JSON. */
export interface ProviderFields {
  /** Window asked for, or entered by the user where the server does not let one ask. */
  readonly askWindow?: number | null;
  /** The same for single models, by name: it goes first. */
  readonly askWindows?: Readonly<Record<string, number>>;
  /** GGUF files the user added, by path. */
  readonly files?: readonly string[];
  /** Found by itself and removed by the user: it stays away. */
  readonly hidden?: boolean;
}

export interface ProviderRow {
  readonly id: ProviderId;
  readonly kind: ProviderKind;
  readonly name: string;
  readonly address: string | null;
  readonly origin: Provider['origin'];
  readonly fields: ProviderFields;
  readonly createdAt: number;
}

/** Table `providers`. Writes are queued by the table; the registry holds the truth of this run. */
export interface ProviderRows {
  all(): readonly ProviderRow[];
  insert(row: ProviderRow): void;
  update(row: ProviderRow): void;
  delete(id: ProviderId): void;
}

/** Table `windows`: what was learned and measured of one model under one setting. */
export interface WindowRow {
  readonly providerId: ProviderId;
  readonly model: string;
  readonly settingsHash: string;
  readonly served: number | null;
  readonly trained: number | null;
  readonly source: WindowSource;
  readonly asciiRate: number | null;
  readonly cjkRate: number | null;
  readonly otherRate: number | null;
  readonly prefillRate: number | null;
  readonly decodeRate: number | null;
  readonly updatedAt: number;
}

export interface WindowRows {
  get(providerId: ProviderId, model: string, settingsHash: string): WindowRow | null;
  put(row: WindowRow): void;
}
