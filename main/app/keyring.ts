import { safeStorage } from 'electron';
import type { Keyring } from '../settings/secrets';

/** The system's keyring through Electron. Only after the app is ready. */
export const systemKeyring: Keyring = {
  // on Linux without a keyring Electron falls back to a fixed password, which it reports as not available
  available: () => safeStorage.isEncryptionAvailable(),
  encrypt: (text) => safeStorage.encryptString(text),
  decrypt: (ciphertext) => safeStorage.decryptString(ciphertext),
};
