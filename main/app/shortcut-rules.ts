const MODIFIER = /^(command|cmd|control|ctrl|commandorcontrol|cmdorctrl|alt|option|altgr|shift|super|meta)$/i;
/** Keys that may stand alone: nobody types with them. */
const ALONE = /^(f([1-9]|1\d|2[0-4])|media\w+|volume\w+|printscreen|pause)$/i;

/** Whether a combination may be a global shortcut: a plain letter would be taken from every other program. */
export function isUsableShortcut(shortcut: string): boolean {
  const parts = shortcut.split('+').map((part) => part.trim());
  const key = parts.pop();
  if (!key || MODIFIER.test(key) || !parts.every((part) => MODIFIER.test(part))) return false;
  const strong = parts.filter((part) => !/^shift$/i.test(part));
  return strong.length > 0 || ALONE.test(key);
}

/** On Wayland registering may silently do nothing. */
export function shortcutDoubt(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): 'wayland' | null {
  if (platform !== 'linux') return null;
  return env.XDG_SESSION_TYPE === 'wayland' || env.WAYLAND_DISPLAY ? 'wayland' : null;
}
