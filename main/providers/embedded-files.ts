import { AppError } from '../../shared/errors';
import { type ModelRef, type ProviderId, providerId } from '../../shared/model/ids';
import { type EmbeddedModel, inspectFile } from './embedded-models';
import type { KnownProvider } from './known-provider';
import type { ProviderBook } from './provider-book';

/** The one provider that needs no server. */
export const EMBEDDED: ProviderId = providerId.parse('embedded');

/** What knows which GGUF files are in memory. */
export interface FileHolder {
  unload(path: string): Promise<void>;
  inUse(path: string): boolean;
}

/** The GGUF files of the embedded provider: references by path, with what their heads tell. */
export class EmbeddedFiles {
  readonly #book: ProviderBook;
  readonly #holder: FileHolder;

  constructor(book: ProviderBook, holder: FileHolder) {
    this.#book = book;
    this.#holder = holder;
  }

  async start(practiceFile: string | null): Promise<void> {
    const paths = this.#book.require(EMBEDDED).row.fields.files ?? [];
    const found = await Promise.all([
      ...(practiceFile === null ? [] : [inspectFile(practiceFile, true).catch(() => null)]),
      ...paths.map((path) => inspectFile(path, false).catch(() => null)),
    ]);
    this.#book.patch(EMBEDDED, { files: found.filter((file) => file !== null) });
  }

  /** Answers how many are new. */
  async add(paths: readonly string[]): Promise<number> {
    const files = await Promise.all(paths.map((path) => inspectFile(path, false)));
    const { row, files: present } = this.#book.require(EMBEDDED);
    const fresh = files.filter(
      (file, i) =>
        !present.some(({ path }) => path === file.path) && files.findIndex(({ path }) => path === file.path) === i,
    );
    if (fresh.length > 0) this.#keep([...present, ...fresh], row);
    return fresh.length;
  }

  async remove(ref: ModelRef): Promise<string> {
    const file = this.#book.require(EMBEDDED).files.find(({ model, practice }) => model === ref.model && !practice);
    if (ref.providerId !== EMBEDDED || !file) throw new AppError('not-found', { what: 'model' });
    await this.letGo(file);
    const { row, files } = this.#book.require(EMBEDDED);
    this.#keep(
      files.filter((other) => other !== file),
      row,
    );
    return file.path;
  }

  /** Out of memory, unless something runs on it: ending that would only load it again. */
  async letGo({ path, name }: Pick<EmbeddedModel, 'path' | 'name'>): Promise<void> {
    if (this.#holder.inUse(path)) throw new AppError('model-in-use', { model: name });
    await this.#holder.unload(path);
  }

  #keep(files: readonly EmbeddedModel[], row: KnownProvider['row']): void {
    const paths = files.flatMap(({ path, practice }) => (practice ? [] : [path]));
    this.#book.patch(EMBEDDED, { files });
    this.#book.update({ ...row, fields: { ...row.fields, files: paths } });
  }
}
