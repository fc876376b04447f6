/** The defaults of all settings, apart from their schema: a window draws with them before main has answered. */
export const defaultSettings = {
  theme: 'system',
  readingSize: 'normal',
  newestLine: 'line',
  automaticCompression: true,
  extractAllowed: true,
  defaultModel: null,
  summaryModel: null,
  secondSummaryModel: null,
  keepModel: '10m',
  quickChatShortcut: null,
  onClose: 'ask',
  firstRunDone: false,
  timeTool: true,
  sidebarWidth: 264,
} as const;
