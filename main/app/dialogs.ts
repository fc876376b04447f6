import { BrowserWindow, dialog, webContents } from 'electron';
import type { Caller } from '../ipc/handlers';
import { words } from './words';

const KINDS = {
  conversations: {
    title: words.pickConversations,
    name: words.conversationFiles,
    extensions: ['md', 'markdown', 'txt'],
  },
  attachments: { title: words.pickAttachments, name: words.attachmentFiles, extensions: ['*'] },
  models: { title: words.pickModels, name: words.modelFiles, extensions: ['gguf'] },
} as const;

/** Paths that the user picked over the asking window; empty = the dialog was closed. */
export async function pickFiles(caller: Caller, what: keyof typeof KINDS): Promise<readonly string[]> {
  const { title, name, extensions } = KINDS[what];
  const options = {
    title,
    filters: [{ name, extensions: [...extensions] }],
    properties: ['openFile', 'multiSelections'] as ('openFile' | 'multiSelections')[],
  };
  const window = windowOf(caller);
  const picked = window ? await dialog.showOpenDialog(window, options) : await dialog.showOpenDialog(options);
  return picked.canceled ? [] : picked.filePaths;
}

/** Where the user wants a file saved; null = the dialog was closed. */
export async function pickTarget(caller: Caller, suggestedName: string): Promise<string | null> {
  const options = { title: words.save, defaultPath: suggestedName };
  const window = windowOf(caller);
  const picked = window ? await dialog.showSaveDialog(window, options) : await dialog.showSaveDialog(options);
  return picked.canceled || !picked.filePath ? null : picked.filePath;
}

function windowOf(caller: Caller): BrowserWindow | null {
  const contents = webContents.fromId(caller.windowId);
  return contents ? BrowserWindow.fromWebContents(contents) : null;
}
