import { z } from 'zod';
import { modelRef } from './ids';

/** Every setting with its default; unknown or damaged stored values fall back to the default. */
export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  readingSize: z.enum(['small', 'normal', 'large']).default('normal'),
  /** How much of the growing summary the card shows. */
  newestLine: z.enum(['off', 'line', 'full']).default('line'),
  automaticCompression: z.boolean().default(true),
  extractAllowed: z.boolean().default(true),
  defaultModel: modelRef.nullable().default(null),
  quickChatShortcut: z.string().max(100).nullable().default(null),
  /** What closing the last app window does; `ask` explains once. */
  onClose: z.enum(['ask', 'tray', 'quit']).default('ask'),
  firstRunDone: z.boolean().default(false),
  sidebarWidth: z.number().min(216).max(360).default(264),
});
export type Settings = z.infer<typeof settingsSchema>;
