import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { type Bridge, CHANNELS } from '../shared/ipc/bridge';
import type { Numbered } from '../shared/ipc/events';
import type { Reply } from '../shared/ipc/reply';

const bridge: Bridge = {
  request: (route, input) => {
    const { plain, paths } = takeFilesOut(input);
    return ipcRenderer.invoke(CHANNELS.request, route, plain, paths) as Promise<Reply<unknown>>;
  },
  subscribe: (listener) => {
    const heard = (_event: unknown, events: readonly Numbered[]) => listener(events);
    ipcRenderer.on(CHANNELS.events, heard);
    return () => {
      ipcRenderer.off(CHANNELS.events, heard);
    };
  },
};

/**
 * Leaves the number of dropped files in the input and answers their paths apart from it: main takes paths from
 * this list only, so that nothing a page writes can pose as a file. A file made by script has an empty path, which
 * main refuses.
 */
function takeFilesOut(input: unknown): { readonly plain: unknown; readonly paths: readonly string[] } {
  if (typeof input !== 'object' || input === null || !('files' in input)) return { plain: input, paths: [] };
  const { files } = input;
  if (!Array.isArray(files)) return { plain: input, paths: [] };
  const paths = files.map((file) => (file instanceof File ? webUtils.getPathForFile(file) : ''));
  return { plain: { ...input, files: paths.length }, paths };
}

contextBridge.exposeInMainWorld('palimpsest', bridge);
