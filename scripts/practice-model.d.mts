/** Where the built-in practice model lies once it was written. */
export const PRACTICE_MODEL: string;
/** Writes the model where it is missing or its scripts have changed. */
export function ensurePracticeModel(): void;
/** The bytes of the model. */
export function practiceModel(): Buffer;
