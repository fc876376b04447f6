// The demo's steps in their order.
import { addServer } from './steps/add-server.mjs';
import { compressByHand } from './steps/compress-by-hand.mjs';
import { continueUntilCompressed, importIt, openFold, startFresh } from './steps/first-compression.mjs';
import { messageWaits } from './steps/message-waits.mjs';
import { quickChatAndDark } from './steps/quick-chat-and-dark.mjs';
import { startAgainWhole } from './steps/start-again.mjs';

export const steps = [
  { title: 'first run on an empty profile', run: startFresh },
  { title: 'import of a long conversation', run: importIt },
  { title: 'next message with the practice model', run: continueUntilCompressed },
  { title: 'the fold: summary, sources, receipt', run: openFold },
  { title: 'a model server by its address', run: addServer },
  { title: 'compression by hand with a model', run: compressByHand },
  { title: 'another process compresses: a message waits', run: messageWaits },
  { title: 'restart', run: startAgainWhole },
  { title: 'quick chat and dark theme', run: quickChatAndDark },
];
