/**
 * What a tool server may know of this app's environment: where programs and the user's folder are, who the user is, and
 * the language. Everything else may hold keys of others and stays here. Pure.
 */
const USUAL: Readonly<Record<'win32' | 'other', readonly string[]>> = {
  win32: [
    'APPDATA',
    'COMSPEC',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'NUMBER_OF_PROCESSORS',
    'OS',
    'PATH',
    'PATHEXT',
    'PROCESSOR_ARCHITECTURE',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'PROGRAMFILES(X86)',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'TMP',
    'USERNAME',
    'USERPROFILE',
    'WINDIR',
  ],
  other: ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'],
};

/** The environment of a tool server: the usual few, and over them what the user entered for it (holds I12). */
export function cleanEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const usual = new Set(USUAL[platform === 'win32' ? 'win32' : 'other']);
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    // names on Windows know no case; exported functions of a shell are code
    const known = usual.has(platform === 'win32' ? name.toUpperCase() : name);
    if (known && value !== undefined && !value.startsWith('()')) clean[name] = value;
  }
  for (const [name, value] of Object.entries(variables)) {
    const same = platform === 'win32' && Object.keys(clean).find((one) => one.toUpperCase() === name.toUpperCase());
    if (same) delete clean[same];
    clean[name] = value;
  }
  return clean;
}
