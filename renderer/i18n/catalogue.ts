import { app } from './en/app';
import { composer } from './en/composer';
import { compression } from './en/compression';
import { context } from './en/context';
import { errors } from './en/errors';
import { firstRun } from './en/first-run';
import { getModel } from './en/get-model';
import { palette } from './en/palette';
import { quickChat } from './en/quick-chat';
import { settings } from './en/settings';
import { sidebar } from './en/sidebar';
import { tools } from './en/tools';
import { transcript } from './en/transcript';

/** Every word the user reads, in English, split by feature. Its keys type the `t` function. */
export const english = {
  app,
  composer,
  compression,
  context,
  errors,
  firstRun,
  getModel,
  palette,
  quickChat,
  settings,
  sidebar,
  tools,
  transcript,
} as const;
