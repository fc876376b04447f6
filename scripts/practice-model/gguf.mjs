// Writing a GGUF file, version 3: metadata, tensor table, tensor data. Only the types that the practice model uses.

const VERSION = 3;
const ALIGNMENT = 32;
const TYPE = { int32: 5, uint32: 4, float32: 6, bool: 7, string: 8, array: 9 };
export const TENSOR = { f32: 0, q8_0: 8 };
const BLOCK = 32;
/** A block of Q8_0: a half-float scale and 32 signed bytes. */
const BLOCK_BYTES = 34;

const number = (bytes, write) => (value) => {
  const buffer = Buffer.alloc(bytes);
  buffer[write](value);
  return buffer;
};
const u32 = number(4, 'writeUInt32LE');
const i32 = number(4, 'writeInt32LE');
const f32 = number(4, 'writeFloatLE');
const wide = number(8, 'writeBigUInt64LE');
const u64 = (value) => wide(BigInt(value));
const text = (value) => {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([u64(bytes.length), bytes]);
};

const encoders = {
  string: text,
  uint32: u32,
  int32: i32,
  float32: f32,
  bool: (value) => Buffer.from([value ? 1 : 0]),
};

/**
 * The bytes of the file. `metadata` is a list of [key, type, value], where an array's type is `[type]`; `tensors` a
 * list of { name, shape (fastest first), type, data }.
 */
export function gguf(metadata, tensors) {
  const pairs = metadata.map(([key, type, value]) => Buffer.concat([text(key), tagged(type, value)]));
  let offset = 0;
  const table = tensors.map(({ name, shape, type, data }) => {
    const row = Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(type), u64(offset)]);
    offset += data.length + padding(data.length).length;
    return row;
  });
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(VERSION),
    u64(tensors.length),
    u64(pairs.length),
    ...pairs,
    ...table,
  ]);
  return Buffer.concat([head, padding(head.length), ...tensors.flatMap(({ data }) => [data, padding(data.length)])]);
}

function tagged(type, value) {
  if (!Array.isArray(type)) return Buffer.concat([u32(TYPE[type]), encoders[type](value)]);
  const [item] = type;
  return Buffer.concat([u32(TYPE.array), u32(TYPE[item]), u64(value.length), ...value.map(encoders[item])]);
}

const padding = (length) => Buffer.alloc((ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT);

/** Float32 values as bytes. */
export function plain(values) {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}

/** Values as Q8_0: each block of 32 with its own scale. */
export function quantized(values) {
  const blocks = values.length / BLOCK;
  const out = Buffer.alloc(blocks * BLOCK_BYTES);
  for (let block = 0; block < blocks; block++) {
    const part = values.subarray(block * BLOCK, (block + 1) * BLOCK);
    const scale = part.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / 127;
    out.writeUInt16LE(half(scale), block * BLOCK_BYTES);
    part.forEach((value, i) => {
      const step = scale ? Math.max(-127, Math.min(127, Math.round(value / scale))) : 0;
      out.writeInt8(step, block * BLOCK_BYTES + 2 + i);
    });
  }
  return out;
}

const bits = new Float32Array(1);
const pattern = new Uint32Array(bits.buffer);

/** The bits of the nearest half-precision number. */
function half(value) {
  bits[0] = value;
  const sign = (pattern[0] >>> 16) & 0x8000;
  const exponent = ((pattern[0] >>> 23) & 255) - 112;
  let mantissa = pattern[0] & 0x7fffff;
  if (exponent >= 31) return sign | 0x7c00;
  if (exponent > 0) return (sign | (exponent << 10) | (mantissa >> 13)) + ((mantissa >> 12) & 1);
  if (exponent < -10) return sign;
  mantissa |= 0x800000;
  const shift = 14 - exponent;
  return sign | ((mantissa >> shift) + ((mantissa >> (shift - 1)) & 1));
}
