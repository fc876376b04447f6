import { type CatalogueRow, catalogueId, type Download } from '../../shared/model/download';

/** Rows as main makes them, with what is here of each. */
export function fixtureCatalogue(downloads: Readonly<Record<string, Download>> = {}): CatalogueRow[] {
  const row = (
    id: string,
    name: string,
    bytes: number | null,
    needsBytes: number | null,
    fit: CatalogueRow['fit'],
  ) => ({
    id: catalogueId.parse(id),
    name,
    licence: 'Apache-2.0',
    source: `someone/${id}-GGUF/${id}-q4_k_m.gguf`,
    parameters: 4,
    bytes,
    sha256: bytes === null ? null : 'ab'.repeat(32),
    needsBytes,
    fit,
    download: downloads[id] ?? null,
  });
  return [
    row('qwen2.5-0.5b-instruct', 'Qwen2.5 0.5B Instruct', 491_400_032, 942_726_624, 'fits'),
    row('qwen3-4b-instruct-2507', 'Qwen3 4B Instruct 2507', 2_497_280_736, 5_163_199_840, 'tight'),
    row('mistral-7b-instruct-v0.3', 'Mistral 7B Instruct v0.3', null, null, null),
    row('qwen2.5-7b-instruct', 'Qwen2.5 7B Instruct', 4_683_074_240, 5_872_598_336, 'too-large'),
  ];
}
