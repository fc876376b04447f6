#!/usr/bin/env node
// Draws the logo into build/: icon.svg, and icon.png (512) for packages and windows.
//   node scripts/icons.mjs
// The four lines of a page, two of them written over: drawn here without any tool, the same on every machine.
import fs from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { ROOT } from './setup/places.mjs';
import { command, say } from './setup/say.mjs';

const FIELD = 32;
const SIZE = 512;
const PAPER = [252, 252, 252];
const EDGE = [207, 212, 213];
/** Parchment and ink. Source: --fold-rail and --accent of the renderer's tokens. */
const UNDER = [163, 143, 78];
const OVER = [11, 97, 120];
const CORNER = 7;
const STROKE = 2.4;
const FROM = 8.8;
const LINES = [
  { y: 9.5, to: 23.2, color: UNDER },
  { y: 18.15, to: 23.2, color: UNDER },
  { y: 13.85, to: 20.3, color: OVER },
  { y: 22.5, to: 16.7, color: OVER },
];

await command(() => {
  const folder = path.join(ROOT, 'build');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'icon.svg'), svg());
  fs.writeFileSync(path.join(folder, 'icon.png'), png(SIZE, draw(SIZE)));
  say('icons drawn into build/');
});

function svg() {
  const color = ([r, g, b]) => `rgb(${r} ${g} ${b})`;
  const lines = LINES.map(({ y, to, color: c }) => `<path stroke="${color(c)}" d="M${FROM} ${y}H${to}"/>`).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${FIELD} ${FIELD}"><title>Palimpsest</title>` +
    `<rect x="1" y="1" width="30" height="30" rx="${CORNER}" fill="${color(PAPER)}" stroke="${color(EDGE)}" stroke-width=".5"/>` +
    `<g fill="none" stroke-width="${STROKE}" stroke-linecap="round">${lines}</g></svg>\n`
  );
}

/** RGBA pixels; each shape covers a pixel by its distance to the shape's edge. */
function draw(size) {
  const scale = size / FIELD;
  const pixels = Buffer.alloc(size * size * 4);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const [x, y] = [(column + 0.5) / scale, (row + 0.5) / scale];
      const cover = (distance) => Math.min(1, Math.max(0, 0.5 - distance * scale));
      const page = roundedSquare(x, y);
      let color = mix(EDGE, PAPER, cover(page + 0.5));
      for (const line of LINES) color = mix(color, line.color, cover(lineDistance(line, x, y)));
      pixels.set([...color, Math.round(255 * cover(page))], (row * size + column) * 4);
    }
  }
  return pixels;
}

function roundedSquare(x, y) {
  const half = 15 - CORNER;
  const [dx, dy] = [Math.abs(x - 16) - half, Math.abs(y - 16) - half];
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - CORNER;
}

function lineDistance({ y: at, to }, x, y) {
  return Math.hypot(x - Math.min(to, Math.max(FROM, x)), y - at) - STROKE / 2;
}

function mix(under, over, share) {
  return under.map((value, i) => Math.round(value + (over[i] - value) * share));
}

function png(size, pixels) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8); // eight bits, colour with alpha
  const rows = Buffer.alloc(size * (size * 4 + 1)); // each row begins with its filter: none
  for (let row = 0; row < size; row++)
    pixels.copy(rows, row * (size * 4 + 1) + 1, row * size * 4, (row + 1) * size * 4);
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), ...parts]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}
