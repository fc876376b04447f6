import { z } from 'zod';
import { defaultSettings as defaults } from './default-settings';
import { modelRef } from './ids';

/** 5 minutes, 10 minutes, an hour, or until the app ends. */
export const keepModelChoices = ['5m', '10m', '1h', 'app'] as const;
export type KeepModel = (typeof keepModelChoices)[number];

const fields = {
  theme: z.enum(['system', 'light', 'dark']),
  readingSize: z.enum(['small', 'normal', 'large']),
  /** How much of the growing summary the card shows. */
  newestLine: z.enum(['off', 'line', 'full']),
  automaticCompression: z.boolean(),
  extractAllowed: z.boolean(),
  defaultModel: modelRef.nullable(),
  /** Writes the summaries; null = the chat's own model. */
  summaryModel: modelRef.nullable(),
  /** Tried once where the first stalls or dies; null = none. */
  secondSummaryModel: modelRef.nullable(),
  /** How long a model stays in memory without work. */
  keepModel: z.enum(keepModelChoices),
  quickChatShortcut: z.string().max(100).nullable(),
  /** What closing the last app window does; `ask` explains once. */
  onClose: z.enum(['ask', 'tray', 'quit']),
  firstRunDone: z.boolean(),
  /** Models are offered a tool that answers the time. */
  timeTool: z.boolean(),
  sidebarWidth: z.number().min(216).max(360),
};

/** Every setting with its default; unknown or damaged stored values fall back to the default. */
export const settingsSchema = z.object({
  theme: fields.theme.default(defaults.theme),
  readingSize: fields.readingSize.default(defaults.readingSize),
  newestLine: fields.newestLine.default(defaults.newestLine),
  automaticCompression: fields.automaticCompression.default(defaults.automaticCompression),
  extractAllowed: fields.extractAllowed.default(defaults.extractAllowed),
  defaultModel: fields.defaultModel.default(defaults.defaultModel),
  summaryModel: fields.summaryModel.default(defaults.summaryModel),
  secondSummaryModel: fields.secondSummaryModel.default(defaults.secondSummaryModel),
  keepModel: fields.keepModel.default(defaults.keepModel),
  quickChatShortcut: fields.quickChatShortcut.default(defaults.quickChatShortcut),
  onClose: fields.onClose.default(defaults.onClose),
  firstRunDone: fields.firstRunDone.default(defaults.firstRunDone),
  timeTool: fields.timeTool.default(defaults.timeTool),
  sidebarWidth: fields.sidebarWidth.default(defaults.sidebarWidth),
});
export type Settings = z.infer<typeof settingsSchema>;

/** A change of some settings. Made from the fields without defaults: zod fills those in even under `partial()`. */
export const settingsPatch = z.object(fields).partial();
export type SettingsPatch = z.infer<typeof settingsPatch>;
