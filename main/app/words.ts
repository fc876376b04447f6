import { assertNever } from '../../shared/exhaustive';

/** Every word that main itself shows: menus, tray, dialogs of the system, notifications. */
export const words = {
  appName: 'Palimpsest',
  trayQuickChat: 'Quick chat',
  trayOpen: 'Open Palimpsest',
  trayCompressing: 'Compressing',
  trayPause: 'Pause automatic compression',
  traySettings: 'Settings…',
  quit: 'Quit Palimpsest',
  compressionStarting: 'starting',
  compressionWriting: 'writing',
  compressionPart: (done: number, of: number) => `${done} of ${of}`,
  tooltipIdle: 'Palimpsest',
  tooltipPaused: 'Palimpsest: automatic compression is paused',
  tooltipCompressing: (chats: number) => `Palimpsest: compressing ${chats} ${chats === 1 ? 'chat' : 'chats'}`,
  answerReady: 'The answer is ready.',
  waitingSent: (time: string) => `Your waiting message was sent at ${time}.`,
  closeTitle: 'Keep running in the tray?',
  closeDetail: 'Quick chat and running compressions go on. You can change this in Settings.',
  closeKeep: 'Keep running',
  closeQuit: 'Quit',
  noTrayTitle: 'Quit Palimpsest?',
  noTrayDetail:
    'This desktop has no tray, so closing the last window quits. Running compressions go on at the next start.',
  noTrayStay: 'Keep the window',
  pickConversations: 'Import conversations',
  pickAttachments: 'Attach files',
  pickModels: 'Add models',
  conversationFiles: 'Text and Markdown',
  attachmentFiles: 'All files',
  modelFiles: 'GGUF models',
  pickFolder: 'Choose a folder that models may read',
  pickFolderGrant: 'Let models read it',
  cancel: 'Cancel',
  // what the user must know stands before what may be long
  confirmServer: ({ name, runs, place }: { name: string; runs: string; place: 'program' | 'local' | 'remote' }) => {
    switch (place) {
      case 'program':
        return {
          message: `Run the tool server “${name}”?`,
          detail: `This program runs with your rights on this computer. Add it only if you know where it comes from.\n\n${runs}`,
          yes: 'Run it',
        };
      case 'local':
        return {
          message: `Use the tool server “${name}”?`,
          detail: `What models write into its tools goes to whatever program answers at this address of this computer. Each call is shown to you before, until you allow it.\n\n${runs}`,
          yes: 'Use it',
        };
      case 'remote':
        return {
          message: `Use the tool server “${name}”?`,
          detail: `What models write into its tools leaves this computer. Each call is shown to you before, until you allow it.\n\n${runs}`,
          yes: 'Use it',
        };
      default:
        return assertNever(place);
    }
  },
  confirmAlways: (server: string, tool: string, runs: string) => ({
    message: `Always allow “${tool}” of ${server}?`,
    detail: `Models in every chat may then call it without asking, with any arguments. A change of the tool or of how its server runs asks again. Settings, Tools takes it back.\n\n${runs}`,
    yes: 'Always allow',
  }),
  wantsTool: (server: string, tool: string) => `A call waits for you: ${tool} of ${server}.`,
  save: 'Export chat',
  edit: 'Edit',
  view: 'View',
  window: 'Window',
  hasToStop: 'Palimpsest has to stop',
  pageDiedTitle: 'This window stopped working',
  pageDiedDetail: 'Nothing is lost: answers and compressions go on in the background.',
  pageReload: 'Load it again',
} as const;
