import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const schema = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int(), maximized: z.boolean() });
export type StoredBounds = z.infer<typeof schema>;

export const DEFAULT_SIZE = { width: 1240, height: 820 } as const;
export const MIN_SIZE = { width: 480, height: 400 } as const;
/** How much of a window must lie on a display to be found again, in pixels. */
const VISIBLE = 80;

const fileIn = (profile: string) => path.join(profile, 'window.json');

/** What was stored when the window was last closed; null where there is nothing usable. */
export function readBounds(profile: string): StoredBounds | null {
  try {
    return schema.parse(JSON.parse(fs.readFileSync(fileIn(profile), 'utf8')));
  } catch {
    return null;
  }
}

export function writeBounds(profile: string, bounds: StoredBounds): void {
  fs.writeFileSync(fileIn(profile), JSON.stringify(bounds));
}

/**
 * Where a window that was there before opens now: as it was while enough of it lies on one of the displays,
 * else at its size on the first display. It never is larger than its display or smaller than the minimum.
 */
export function placeWindow(
  stored: Rectangle | null,
  displays: readonly Rectangle[],
): { width: number; height: number; x?: number; y?: number } {
  const wanted = stored ?? DEFAULT_SIZE;
  const home = stored && displays.find((display) => overlap(stored, display));
  const display = home ?? displays[0];
  const width = clamp(wanted.width, MIN_SIZE.width, display?.width ?? wanted.width);
  const height = clamp(wanted.height, MIN_SIZE.height, display?.height ?? wanted.height);
  return home ? { x: stored.x, y: stored.y, width, height } : { width, height };
}

function overlap(a: Rectangle, b: Rectangle): boolean {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width >= VISIBLE && height >= VISIBLE;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
