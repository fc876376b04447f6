import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_SIZE, MIN_SIZE, placeWindow, readBounds, writeBounds } from './window-bounds';

const laptop = { x: 0, y: 25, width: 1440, height: 875 };
const screen = { x: 1440, y: 0, width: 2560, height: 1440 };

describe('placeWindow', () => {
  it('opens where it was', () => {
    const stored = { x: 1600, y: 100, width: 1800, height: 1200 };
    expect(placeWindow(stored, [laptop, screen])).toEqual(stored);
  });
  it('comes back to the first display when its own is gone or only a corner would be seen', () => {
    const stored = { x: 1600, y: 100, width: 1800, height: 1200 };
    expect(placeWindow(stored, [laptop])).toEqual({ width: 1440, height: 875 });
    expect(placeWindow({ x: 1400, y: 860, width: 900, height: 600 }, [laptop])).toEqual({ width: 900, height: 600 });
  });
  it('starts at the usual size and never under the smallest', () => {
    expect(placeWindow(null, [screen])).toEqual(DEFAULT_SIZE);
    expect(placeWindow({ x: 10, y: 30, width: 100, height: 100 }, [laptop])).toEqual({ x: 10, y: 30, ...MIN_SIZE });
  });
});

describe('stored bounds', () => {
  let profile: string;
  beforeEach(() => {
    profile = fs.mkdtempSync(path.join(os.tmpdir(), 'bounds-'));
  });
  afterEach(() => fs.rmSync(profile, { recursive: true }));

  it('are read back, and forgotten where the file is missing or damaged', () => {
    expect(readBounds(profile)).toBeNull();
    const bounds = { x: 1, y: 2, width: 900, height: 700, maximized: true };
    writeBounds(profile, bounds);
    expect(readBounds(profile)).toEqual(bounds);
    fs.writeFileSync(path.join(profile, 'window.json'), '{"x":1');
    expect(readBounds(profile)).toBeNull();
    fs.writeFileSync(path.join(profile, 'window.json'), '{"x":"1"}');
    expect(readBounds(profile)).toBeNull();
  });
});
