// Just enough of two archive formats: reading files out of a zip, writing a flat asar.
import fs from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = Buffer.from('PK\x05\x06', 'latin1');
const DIRECTORY_ENTRY = 0x02014b50;
/** The end record and the longest comment that may follow it, in bytes. */
const LONGEST_END = 65_557;

/**
 * Extracts files of a zip without loading it whole. `place(name)` answers the path relative to `out`, or null to
 * leave the entry out. Answers the number of files written.
 */
export function extractZip(zipFile, out, place) {
  const fd = fs.openSync(zipFile, 'r');
  const read = (at, length) => {
    const buffer = Buffer.alloc(length);
    fs.readSync(fd, buffer, 0, length, at);
    return buffer;
  };
  try {
    let count = 0;
    for (const entry of entries(read, fs.fstatSync(fd).size)) {
      const relative = entry.name.endsWith('/') ? null : place(entry.name);
      if (relative === null) continue;
      const target = path.join(out, relative);
      if (!target.startsWith(out + path.sep)) throw new Error(`unsafe path in the zip: ${entry.name}`);
      const local = read(entry.offset, 30);
      const data = read(entry.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28), entry.packed);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.writeFileSync(target, entry.method === 0 ? data : inflateRawSync(data));
      fs.chmodSync(target, entry.mode || 0o644);
      count++;
    }
    return count;
  } finally {
    fs.closeSync(fd);
  }
}

function* entries(read, size) {
  const tail = read(Math.max(0, size - LONGEST_END), Math.min(size, LONGEST_END));
  const end = tail.lastIndexOf(END_OF_DIRECTORY);
  if (end < 0) throw new Error('not a zip file');
  const directory = read(tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  let at = 0;
  while (at + 46 <= directory.length && directory.readUInt32LE(at) === DIRECTORY_ENTRY) {
    const nameLength = directory.readUInt16LE(at + 28);
    yield {
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      mode: (directory.readUInt32LE(at + 38) >>> 16) & 0o777,
      offset: directory.readUInt32LE(at + 42),
      name: directory.toString('utf8', at + 46, at + 46 + nameLength),
    };
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
}

/** The bytes of an asar archive that holds the files of one folder, without subfolders. */
export function flatAsar(folder) {
  const files = {};
  const bodies = [];
  let offset = 0;
  for (const name of fs.readdirSync(folder).sort()) {
    const body = fs.readFileSync(path.join(folder, name));
    files[name] = { size: body.length, offset: String(offset) };
    offset += body.length;
    bodies.push(body);
  }
  const json = Buffer.from(JSON.stringify({ files }));
  const padded = Math.ceil(json.length / 4) * 4;
  const header = Buffer.alloc(16 + padded);
  header.writeUInt32LE(4, 0);
  header.writeUInt32LE(8 + padded, 4);
  header.writeUInt32LE(4 + padded, 8);
  header.writeUInt32LE(json.length, 12);
  json.copy(header, 16);
  return Buffer.concat([header, ...bodies]);
}
