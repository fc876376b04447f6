// The weights of the practice model are constructed, not trained. A two-layer llama does three things:
//   embedding  one-hot(token) + a random 64-dim code(token)
//   layer 1    three heads look 1, 2 and 3 tokens back (by RoPE phase) and write those codes beside it
//   layer 2    one induction head finds earlier places with the same last three tokens and copies what came next
//   output     bigram log-probabilities of the corpus, outvoted by what was copied
// So it answers by repeating the user's text (one sees that the prompt reached it), falls back to the corpus where
// nothing matches, and ends when the user's text ends. Text that repeats itself makes it go on for ever.
import { seededRandom } from './random.mjs';

/** Hidden-layer width of the feed-forward blocks, which are all zero: they only have to be there. */
const FEED_FORWARD = 32;
const CODE = 64;
const HEAD = 128;
/** So large that the slow RoPE pairs stand still over any context. */
const ROPE_BASE = 1e16;
/** How much a match 1, 2 and 3 tokens back counts; one head each. */
const MATCH = [1, 0.8, 0.65];
const HEADS = MATCH.length;
const LOWEST_LOG = -9;
/** How strongly the induction head prefers its best match; large enough to be all or nothing. */
const SHARPNESS = 35 * Math.sqrt(HEAD);
/** This RoPE pair turns so slowly that its score falls in a line: of equal matches the newest wins. */
const RECENCY_PAIR = 30;
const RECENCY_SLOPE = 0.03;

class Matrix {
  constructor(rows, cols) {
    this.rows = rows;
    this.cols = cols;
    this.values = new Float32Array(rows * cols);
  }
  set(row, col, value) {
    this.values[row * this.cols + col] = value;
  }
}

/** Answers the model's shape and its tensors by name; a Matrix may be quantized, a Float32Array may not. */
export function practiceWeights(tokenizer, corpus) {
  const size = tokenizer.tokens.length;
  // the residual stream: one-hot token | own code | codes of the key | codes of the query | copied code | constants
  const slot = { code: size, key: size + CODE, query: size + 2 * CODE, copy: size + 3 * CODE, one: size + 4 * CODE };
  slot.bos = slot.one + 1;
  const width = Math.ceil((slot.bos + 1) / 32) * 32;
  const random = seededRandom(11);
  const codes = tokenCodes(tokenizer, random);
  const shuffles = MATCH.map(() => signedPermutation(random));
  const layers = [lookBackLayer(slot, width, shuffles), inductionLayer(slot, width, shuffles)];
  const norm = (squares) => new Float32Array(width).fill(Math.sqrt(squares / width));
  const tensors = [
    ['token_embd.weight', embedding(tokenizer, codes, slot, width)],
    ['output_norm.weight', norm(7.7)],
    ['output.weight', output(bigrams(tokenizer, corpus), codes, slot, width)],
  ];
  layers.forEach((layer, i) => {
    tensors.push(
      [`blk.${i}.attn_norm.weight`, norm(i === 0 ? 3 : 6.7)],
      [`blk.${i}.ffn_norm.weight`, norm(6.7)],
      [`blk.${i}.attn_q.weight`, layer.q],
      [`blk.${i}.attn_k.weight`, layer.k],
      [`blk.${i}.attn_v.weight`, layer.v],
      [`blk.${i}.attn_output.weight`, layer.o],
      [`blk.${i}.ffn_gate.weight`, new Matrix(FEED_FORWARD, width)],
      [`blk.${i}.ffn_up.weight`, new Matrix(FEED_FORWARD, width)],
      [`blk.${i}.ffn_down.weight`, new Matrix(width, FEED_FORWARD)],
    );
  });
  const shape = {
    width,
    layers: layers.length,
    heads: HEADS,
    head: HEAD,
    feedForward: FEED_FORWARD,
    ropeBase: ROPE_BASE,
  };
  return { shape, tensors };
}

/** Random unit vectors; an assistant turn looks like a user turn, so that the user's text is what gets copied. */
function tokenCodes({ tokens, special }, random) {
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const codes = tokens.map(() => {
    const code = Float32Array.from({ length: CODE }, gauss);
    const length = Math.hypot(...code);
    return code.map((value) => value / length);
  });
  codes[special['<|assistant|>']] = codes[special['<|user|>']];
  codes[special['<|bos|>']] = new Float32Array(CODE); // the attention sink copies nothing
  return codes;
}

/** A shuffle of the code's dimensions with random signs, as [to, sign] for each; one for each distance. */
function signedPermutation(random) {
  const order = Array.from({ length: CODE }, (_, i) => i);
  for (let i = CODE - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order.map((to) => [to, random() < 0.5 ? -1 : 1]);
}

function bigrams({ tokens, special, encode }, corpus) {
  const table = tokens.map(() => new Float32Array(tokens.length));
  const ids = encode(corpus);
  for (let i = 0; i + 1 < ids.length; i++) table[ids[i]][ids[i + 1]]++;
  const opening = table[special['<|assistant|>']];
  for (const word of ['The', 'In', 'One', 'Anna']) opening[encode(word)[0]] += 1;
  for (const row of table) {
    const total = row.reduce((sum, times) => sum + times, 0);
    row.forEach((times, next) => {
      row[next] = times ? Math.max(LOWEST_LOG, Math.log(times / total)) : LOWEST_LOG;
    });
  }
  opening.forEach((value, next) => {
    opening[next] = Math.max(-3, value); // any word may open an answer
  });
  for (const row of table) {
    for (const [token, id] of Object.entries(special)) if (token !== '<|end|>') row[id] = -30;
    for (let byte = 0; byte < 256; byte++) if (byte !== 10 && (byte < 32 || byte > 126)) row[byte] -= 4;
  }
  return table;
}

function embedding({ tokens, special }, codes, slot, width) {
  const matrix = new Matrix(tokens.length, width);
  codes.forEach((code, token) => {
    matrix.set(token, token, 1);
    matrix.set(token, slot.one, 1);
    code.forEach((value, j) => {
      matrix.set(token, slot.code + j, value);
    });
  });
  matrix.set(special['<|bos|>'], slot.bos, 1);
  return matrix;
}

function output(table, codes, slot, width) {
  const matrix = new Matrix(codes.length, width);
  codes.forEach((code, token) => {
    code.forEach((value, j) => {
      matrix.set(token, slot.copy + j, 40 * value);
    });
    table.forEach((row, before) => {
      matrix.set(token, before, row[token]);
    });
  });
  return matrix;
}

const emptyLayer = (width) => ({
  q: new Matrix(HEADS * HEAD, width),
  k: new Matrix(HEADS * HEAD, width),
  v: new Matrix(HEADS * HEAD, width),
  o: new Matrix(width, HEADS * HEAD),
});

/** Radians by which RoPE turns this pair for each token. */
const turn = (pair) => ROPE_BASE ** ((-2 * pair) / HEAD);

function lookBackLayer(slot, width, shuffles) {
  const layer = emptyLayer(width);
  const strength = (60 * Math.sqrt(HEAD)) / 4;
  for (let head = 0; head < HEADS; head++) {
    const back = head + 1;
    for (let pair = 0; pair < 16; pair++) {
      const row = head * HEAD + 2 * pair;
      layer.q.set(row, slot.one, strength * Math.cos(turn(pair) * back));
      layer.q.set(row + 1, slot.one, -strength * Math.sin(turn(pair) * back));
      layer.k.set(row, slot.one, 1);
    }
    for (let j = 0; j < CODE; j++) {
      layer.v.set(head * HEAD + j, slot.code + j, 1);
      const [to, sign] = shuffles[head][j];
      layer.o.set(slot.key + to, head * HEAD + j, sign * MATCH[head]); // key: what stood here 1 to 3 tokens before
      if (head + 1 < HEADS) {
        const [next, nextSign] = shuffles[head + 1][j];
        layer.o.set(slot.query + next, head * HEAD + j, nextSign * MATCH[head + 1]); // query: the same, one further
      }
    }
  }
  return layer;
}

/** Works on dimensions from 64 on, which RoPE leaves alone here. */
function inductionLayer(slot, width, shuffles) {
  const layer = emptyLayer(width);
  for (let j = 0; j < CODE; j++) {
    const [to, sign] = shuffles[0][j];
    layer.q.set(64 + to, slot.code + j, SHARPNESS * sign * MATCH[0]);
    layer.q.set(64 + j, slot.query + j, SHARPNESS);
    layer.k.set(64 + j, slot.key + j, 1);
    layer.v.set(j, slot.code + j, 1);
    layer.o.set(slot.copy + j, j, 1);
  }
  layer.q.set(62, slot.one, SHARPNESS); // where nothing matches, <|bos|> wins and nothing is copied
  layer.k.set(62, slot.bos, 0.5);
  const slope = (RECENCY_SLOPE * Math.sqrt(HEAD)) / turn(RECENCY_PAIR);
  layer.q.set(2 * RECENCY_PAIR + 1, slot.one, slope / 1000);
  layer.k.set(2 * RECENCY_PAIR, slot.one, 1000);
  layer.k.set(2 * RECENCY_PAIR, slot.bos, -1000);
  return layer;
}
