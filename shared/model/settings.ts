import { z } from 'zod';
import { modelRef } from './ids';

const fields = {
  theme: z.enum(['system', 'light', 'dark']),
  readingSize: z.enum(['small', 'normal', 'large']),
  /** How much of the growing summary the card shows. */
  newestLine: z.enum(['off', 'line', 'full']),
  automaticCompression: z.boolean(),
  extractAllowed: z.boolean(),
  defaultModel: modelRef.nullable(),
  quickChatShortcut: z.string().max(100).nullable(),
  /** What closing the last app window does; `ask` explains once. */
  onClose: z.enum(['ask', 'tray', 'quit']),
  firstRunDone: z.boolean(),
  sidebarWidth: z.number().min(216).max(360),
};

/** Every setting with its default; unknown or damaged stored values fall back to the default. */
export const settingsSchema = z.object({
  theme: fields.theme.default('system'),
  readingSize: fields.readingSize.default('normal'),
  newestLine: fields.newestLine.default('line'),
  automaticCompression: fields.automaticCompression.default(true),
  extractAllowed: fields.extractAllowed.default(true),
  defaultModel: fields.defaultModel.default(null),
  quickChatShortcut: fields.quickChatShortcut.default(null),
  onClose: fields.onClose.default('ask'),
  firstRunDone: fields.firstRunDone.default(false),
  sidebarWidth: fields.sidebarWidth.default(264),
});
export type Settings = z.infer<typeof settingsSchema>;

/** A change of some settings. Made from the fields without defaults: zod fills those in even under `partial()`. */
export const settingsPatch = z.object(fields).partial();
export type SettingsPatch = z.infer<typeof settingsPatch>;
