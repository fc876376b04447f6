import { describe, expect, it } from 'vitest';
import { type Keyring, Secrets } from './secrets';

/** Reverses the text: enough to see whether it was stored in clear. */
const turned: Keyring = {
  available: () => true,
  encrypt: (text) => Buffer.from([...text].reverse().join('')),
  decrypt: (ciphertext) => [...ciphertext.toString()].reverse().join(''),
};

function rows() {
  const stored = new Map<string, Buffer>();
  const at = (owner: string, name: string) => `${owner} ${name}`;
  return {
    stored,
    get: (owner: string, name: string) => stored.get(at(owner, name)) ?? null,
    set: (owner: string, name: string, ciphertext: Buffer) => void stored.set(at(owner, name), ciphertext),
    remove: (owner: string, name: string) => void stored.delete(at(owner, name)),
    names: (owner: string) =>
      [...stored.keys()].filter((key) => key.startsWith(`${owner} `)).map((key) => key.slice(owner.length + 1)),
  };
}

describe('Secrets', () => {
  it('stores ciphertext and gives the text back to who asks', () => {
    const disk = rows();
    const secrets = new Secrets(turned, disk);
    secrets.store('openai', 'key', 'sk-1234');
    expect([...disk.stored.values()].map(String)).toEqual(['4321-ks']);
    expect(secrets.read('openai', 'key')).toBe('sk-1234');
    expect(secrets.read('ollama', 'key')).toBeNull();
    expect(secrets.names('openai')).toEqual(['key']);
    secrets.remove('openai', 'key');
    expect(secrets.has('openai', 'key')).toBe(false);
  });

  it('without a keyring it stores nothing and says so', () => {
    const disk = rows();
    const secrets = new Secrets({ ...turned, available: () => false }, disk);
    expect(() => secrets.store('openai', 'key', 'sk-1234')).toThrow(expect.objectContaining({ code: 'no-keyring' }));
    expect(disk.stored.size).toBe(0);
  });

  it('a secret of another keyring is still there, but has to be entered again', () => {
    const disk = rows();
    new Secrets(turned, disk).store('openai', 'key', 'sk-1234');
    const elsewhere: Keyring = {
      ...turned,
      decrypt: () => {
        throw new Error('wrong key');
      },
    };
    const secrets = new Secrets(elsewhere, disk);
    expect(secrets.has('openai', 'key')).toBe(true);
    expect(() => secrets.read('openai', 'key')).toThrow(expect.objectContaining({ code: 'no-keyring' }));
  });
});
