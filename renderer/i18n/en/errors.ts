/** One sentence for each error code: what happened, and what to do next. */
export const errors = {
  'bad-input': 'The app asked for something it cannot do. Try once more; if it stays, restart the app.',
  'not-found': 'This {{what}} is no longer there. It may have been deleted in another window.',
  'already-ended': 'It had ended before the click arrived. Nothing was changed.',
  busy: 'The database was busy for 5 seconds. Nothing was lost; try again.',
  'turn-running': 'This chat is still answering. Wait for the end or stop it first.',
  'held-elsewhere': 'Another window is working on this chat. Try again when it is done.',
  'nothing-to-compress': 'There is nothing to compress: all messages are either protected or covered already.',
  'range-unknown':
    'The app was started again and no longer knows which messages you chose. Choose the range once more.',
  'summary-empty': 'There is no line left. Write at least one, or roll the summary back.',
  'summary-too-large':
    'Your text has {{tokens, number}} tokens and the messages it stands for have {{covered, number}}. Make it shorter.',
  'summary-changed':
    'This summary was changed or rolled back meanwhile. Nothing was saved; copy your text if you need it.',
  'summary-outdated':
    'What this summary was built on was changed or deleted meanwhile, so it was not used. Compress again for a new one.',
  'summaries-cross': 'A newer summary overlaps these messages. Roll that one back first.',
  'does-not-fit':
    'The request needs {{needTokens, number}} tokens and the window leaves {{windowTokens, number}} for it. Compress, or choose a model with a larger window.',
  'model-in-use':
    '“{{model}}” is answering or writing a summary now. Stop that or wait for its end, then try once more.',
  'model-downloading':
    '“{{model}}” is being downloaded, perhaps in another window. Wait for its end or pause it there, then try once more.',
  'no-model': 'No model is chosen for this chat. Choose one beside the Send button.',
  unreachable: 'Nothing answers at {{address}} ({{reason}}). Check that the server runs and that the address is right.',
  'unreachable-server': 'The server can’t be reached ({{reason}}). Check that it runs and that its address is right.',
  'connection-lost':
    'The connection to the server broke off, or the server ended. Check that it still runs, then go on.',
  'server-failed': 'The server failed: “{{message}}”. Try again, or choose another model.',
  'model-not-loaded': 'The model could not be loaded: {{reason}}. Try again, or choose another model.',
  'refused-by-server': 'The server answered {{status}}: “{{message}}”. Check the key and the model, then try again.',
  'not-a-model-file': '“{{file}}” is not a model this app can load: {{reason}}. Choose a GGUF file.',
  'file-unreadable': '“{{file}}” cannot be read: {{reason}}. Check that it is still there and that you may open it.',
  'unsupported-file': '“{{file}}” is neither text nor Markdown. Choose a .txt or .md file.',
  'attachment-folder': '“{{file}}” is a folder. Attach the files in it.',
  'attachment-empty': '“{{file}}” is empty, so there is nothing to attach.',
  'attachment-kind':
    '“{{file}}” is neither text nor code, PDF or Word (.docx). Save it in one of these forms and attach that.',
  'attachment-image':
    '“{{file}}” is an image, and this model does not say that it can see any. Choose one that does, or attach text.',
  'attachment-too-large':
    '“{{file}}” is too large: {{bytes, number}} bytes of at most {{limit, number}}. Attach the part that matters.',
  'attachment-too-long':
    '“{{file}}” has too much text: the files of one message can have {{limit, number}} characters. Attach the part that matters.',
  'attachment-locked': '“{{file}}” asks for a password. Save it without one and attach that.',
  'attachment-damaged':
    '“{{file}}” could not be read: it is damaged or not what its name says. Open and save it again.',
  'attachment-no-text': '“{{file}}” holds no text, only pictures of its pages. Run text recognition on it first.',
  'too-many-attachments': 'A message takes {{limit, number}} files. Send some of them with the next one.',
  'insecure-address':
    'A key is not sent to a remote address without encryption. Use an address that begins with https.',
  'password-in-address':
    'A name or a password in the address would be shown and stored openly. Take it out, and enter the secret as the token.',
  'shortcut-taken': '{{shortcut}} belongs to another app or to the system. Choose other keys.',
  'shortcut-invalid':
    '{{shortcut}} cannot be a shortcut. Use Ctrl, Alt or Cmd together with a letter, a digit or F1 to F12.',
  'tool-runs-too-long':
    'How this server runs is longer than {{limit, number}} characters, too long to allow it for ever. Allow the call once or in this chat, or shorten its arguments in Settings, Tools.',
  'tool-no-command':
    'There is no program “{{command}}”. Check its name, or give its full path; arguments have a field of their own.',
  'tool-not-started': '“{{command}}” could not be started: {{reason}}. Check that you may run it.',
  'tool-server-exited':
    'The server ended by itself ({{code}}): “{{said}}”. Look at its last lines, put right what they say, then start it again.',
  'tool-server-exited-silently': 'The server ended by itself ({{code}}) and said nothing. Check how it is started.',
  'tool-server-gone': 'The server ended by itself. Start it again.',
  'tool-server-silent':
    'The server did not answer within {{seconds, number}} seconds. Check that it is a tool server (MCP), then start it again.',
  'tool-server-flooded': 'The server sent more than any answer needs, and was ended. Start it again, or remove it.',
  'tool-server-unknown':
    'This does not speak the protocol of tool servers (MCP). It said: “{{said}}”. Check what is started.',
  'tool-server-version':
    'The server speaks version {{version}} of the protocol, which this app does not know. Update the server, or the app.',
  'tool-server-refused': 'The server answered {{status}}: “{{said}}”. Check its address and its token.',
  'tool-server-unwilling': 'The server refused to start: “{{said}}”. Check its variables or its token.',
  'tool-server-lost':
    'Nothing answers at {{address}} ({{reason}}). Check that the server runs and that the address is right.',
  'no-keyring': 'The system offers no place to keep secrets encrypted. Unlock or install a keyring, then add it again.',
  'disk-full': 'The disk is full. Nothing was changed; free some space and try again.',
  internal: 'A fault in the app: {{message}}. Your chats are safe; try again or restart the app.',
} as const;
