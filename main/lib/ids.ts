/** Mints ids. Injected, so that a simulation can name them. */
export interface Ids {
  uuid(): string;
}

export const systemIds: Ids = { uuid: () => crypto.randomUUID() };
