import type { ProviderId } from '../../shared/model/ids';
import type { WindowRow } from '../providers/provider-rows';
import { one, type ReadDb, run, type WriteTx } from './database';

export function getWindow(db: ReadDb, providerId: ProviderId, model: string, settingsHash: string): WindowRow | null {
  return one<WindowRow>(
    db,
    `SELECT provider_id AS providerId, model, settings_hash AS settingsHash, served, trained, source,
       ascii_rate AS asciiRate, cjk_rate AS cjkRate, other_rate AS otherRate, prefill_rate AS prefillRate,
       decode_rate AS decodeRate, updated_at AS updatedAt
     FROM windows WHERE provider_id = :providerId AND model = :model AND settings_hash = :settingsHash`,
    { providerId, model, settingsHash },
  );
}
export function putWindow(tx: WriteTx, row: WindowRow): void {
  run(
    tx,
    `INSERT INTO windows (provider_id, model, settings_hash, served, trained, source, ascii_rate, cjk_rate, other_rate,
       prefill_rate, decode_rate, updated_at)
     VALUES (:providerId, :model, :settingsHash, :served, :trained, :source, :asciiRate, :cjkRate, :otherRate,
       :prefillRate, :decodeRate, :updatedAt)
     ON CONFLICT (provider_id, model, settings_hash) DO UPDATE SET served = :served, trained = :trained, source = :source,
       ascii_rate = :asciiRate, cjk_rate = :cjkRate, other_rate = :otherRate, prefill_rate = :prefillRate,
       decode_rate = :decodeRate, updated_at = :updatedAt`,
    { ...row },
  );
}
