/** What a model is told of a server that cannot be used. What the user reads comes from the error's code. Pure. */
export function failureWords(name: string, fields: Readonly<Record<string, string | number>>, message: string): string {
  const { said, code, command, reason, seconds, status, address, version } = fields;
  const saying = said === undefined || said === '' ? '' : `: ${said}`;
  switch (name) {
    case 'tool-no-command':
      return `the tool server cannot be started: there is no program ${command}`;
    case 'tool-not-started':
      return `the tool server cannot be started: ${command} (${reason})`;
    case 'tool-server-exited':
      return `the tool server ended in the middle${code === '' ? '' : ` (${code})`}${saying}`;
    case 'tool-server-silent':
      return `the tool server did not answer within ${seconds} s`;
    case 'tool-server-flooded':
      return 'the tool server sent more than can be taken, and was ended';
    case 'tool-server-unknown':
      return `the tool server answers with something else than a result${saying}`;
    case 'tool-server-version':
      return `the tool server speaks another version of the protocol: ${version}`;
    case 'tool-server-refused':
      return `the tool server refused with status ${status}${saying}`;
    case 'tool-server-unwilling':
      return `the tool server refused to start${saying}`;
    case 'tool-server-lost':
      return `the tool server cannot be reached: ${address} (${reason})`;
    case 'not-found':
      return 'the tool server is no longer there, or was switched off';
    case 'no-keyring':
      return 'the tool server cannot be started: what was entered for it cannot be read on this computer';
    default:
      return `the tool server failed: ${message}`;
  }
}
