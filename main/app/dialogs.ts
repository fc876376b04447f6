import { BrowserWindow, dialog, webContents } from 'electron';
import type { Caller } from '../ipc/handlers';
import type { Confirmation } from './core';
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

/** The folder that the user grants over the asking window; null = the dialog was closed. */
export async function pickFolder(caller: Caller): Promise<string | null> {
  const options = {
    title: words.pickFolder,
    message: words.pickFolder, // macOS shows no title
    buttonLabel: words.pickFolderGrant,
    properties: ['openDirectory'] as 'openDirectory'[],
  };
  const window = windowOf(caller);
  const picked = window ? await dialog.showOpenDialog(window, options) : await dialog.showOpenDialog(options);
  return picked.canceled ? null : (picked.filePaths[0] ?? null);
}

/** What only the user can allow, asked over the asking window. Closing the dialog is a no. */
export async function confirm(caller: Caller, what: Confirmation): Promise<boolean> {
  const said =
    what.kind === 'tool-server' ? words.confirmServer(what) : words.confirmAlways(what.server, what.tool, what.runs);
  const options = {
    type: 'question' as const,
    message: said.message,
    detail: said.detail,
    buttons: [words.cancel, said.yes],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
  const window = windowOf(caller);
  const { response } = window ? await dialog.showMessageBox(window, options) : await dialog.showMessageBox(options);
  return response === 1;
}

function windowOf(caller: Caller): BrowserWindow | null {
  const contents = webContents.fromId(caller.windowId);
  return contents ? BrowserWindow.fromWebContents(contents) : null;
}
