import { type NativeImage, nativeImage } from 'electron';

/** What the tray shows at a glance. */
export type TrayState = 'idle' | 'compressing' | 'paused';

interface Stroke {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly width: number;
  readonly alpha: number;
}
const line = (y: number, to: number, alpha: number): Stroke => ({ from: [2.75, y], to: [to, y], width: 1.5, alpha });

/** The four lines of the logo on a field of 16, and a dot or two bars over their end. */
const DRAWING: Readonly<Record<TrayState, readonly Stroke[]>> = {
  idle: [line(3.25, 13.25, 0.5), line(9.25, 13.25, 0.5), line(6.25, 10.75, 1), line(12.25, 8, 1)],
  compressing: [
    line(3.25, 13.25, 0.5),
    line(9.25, 8, 0.5),
    line(6.25, 10.75, 1),
    line(12.25, 8, 1),
    { from: [12.25, 11.25], to: [12.25, 11.25], width: 5, alpha: 1 },
  ],
  paused: [
    line(3.25, 13.25, 0.5),
    line(9.25, 8, 0.5),
    line(6.25, 10.75, 1),
    line(12.25, 8, 1),
    { from: [11, 9.75], to: [11, 12.75], width: 1.5, alpha: 1 },
    { from: [13.5, 9.75], to: [13.5, 12.75], width: 1.5, alpha: 1 },
  ],
};
const FIELD = 16;

/** The icon in one colour, sharp on plain and doubled displays. `light` = light strokes, for a dark panel. */
export function trayIcon(state: TrayState, light: boolean): NativeImage {
  const image = nativeImage.createEmpty();
  for (const scaleFactor of [1, 2]) {
    const size = FIELD * scaleFactor;
    const buffer = draw(DRAWING[state], size, light ? 255 : 0);
    const bitmap = nativeImage.createFromBitmap(buffer, { width: size, height: size });
    image.addRepresentation({ scaleFactor, width: size, height: size, dataURL: bitmap.toDataURL() });
  }
  if (process.platform === 'darwin') image.setTemplateImage(true);
  return image;
}

/** BGRA with premultiplied alpha, a pixel's share of each stroke by its distance to the stroke's middle line. */
export function draw(strokes: readonly Stroke[], size: number, shade: number): Buffer {
  const scale = size / FIELD;
  const pixels = Buffer.alloc(size * size * 4);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const x = (column + 0.5) / scale;
      const y = (row + 0.5) / scale;
      const alpha = Math.max(...strokes.map((stroke) => stroke.alpha * covered(stroke, x, y, scale)));
      const value = Math.round(shade * alpha);
      pixels.set([value, value, value, Math.round(255 * alpha)], (row * size + column) * 4);
    }
  }
  return pixels;
}

function covered({ from, to, width }: Stroke, x: number, y: number, scale: number): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - from[0]) * dx + (y - from[1]) * dy) / length));
  const distance = Math.hypot(x - from[0] - along * dx, y - from[1] - along * dy);
  return Math.min(1, Math.max(0, (width / 2 - distance) * scale + 0.5));
}
