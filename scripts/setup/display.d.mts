/** The environment for starting Electron: without Chromium's sandbox only where it cannot work. */
export function electronEnvironment(): Record<string, string>;
/** Starts an X display that nobody else uses; answers what leads an app to it, for its environment, and how to end it. */
export function privateDisplay(): Promise<{ readonly env: Record<string, string>; readonly end: () => void }>;
