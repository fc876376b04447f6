#!/usr/bin/env node
// The built-in practice model: a tiny but real llama GGUF of our own (CC0), the same bytes on every machine.
// It repeats what it is told, through the real runtime, so that chat works at once, offline, on a fresh machine.
//   node scripts/practice-model.mjs      writes .cache/practice-model.gguf
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { practiceCorpus } from './practice-model/corpus.mjs';
import { gguf, plain, quantized, TENSOR } from './practice-model/gguf.mjs';
import { trainTokenizer } from './practice-model/tokenizer.mjs';
import { practiceWeights } from './practice-model/weights.mjs';
import { LOCAL_CACHE } from './setup/places.mjs';
import { say } from './setup/say.mjs';

export const PRACTICE_MODEL = path.join(LOCAL_CACHE, 'practice-model.gguf');
const STAMP = path.join(LOCAL_CACHE, 'practice-model.stamp');
const VOCABULARY = 640;
/** Trained context in tokens, as the file states it. */
const CONTEXT = 8192;
const NORMAL_TOKEN = 1;
const CONTROL_TOKEN = 3;
const UNUSED_TOKEN = 5;
const TEMPLATE =
  "{{ bos_token }}{% for m in messages %}{{ '<|' + m['role'] + '|>' + m['content'] + '<|end|>' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}";

/** Writes the model where it is missing or these scripts have changed. */
export function ensurePracticeModel() {
  const recipe = recipeHash();
  if (fs.existsSync(PRACTICE_MODEL) && fs.existsSync(STAMP) && fs.readFileSync(STAMP, 'utf8') === recipe) return;
  fs.mkdirSync(LOCAL_CACHE, { recursive: true });
  const bytes = practiceModel();
  fs.writeFileSync(`${PRACTICE_MODEL}.${process.pid}`, bytes);
  fs.renameSync(`${PRACTICE_MODEL}.${process.pid}`, PRACTICE_MODEL);
  fs.writeFileSync(STAMP, recipe);
  say(`practice model written (${(bytes.length / 1e6).toFixed(1)} MB)`);
}

/** The bytes of the model. */
export function practiceModel() {
  const corpus = practiceCorpus();
  const tokenizer = trainTokenizer(corpus, VOCABULARY);
  const { shape, tensors } = practiceWeights(tokenizer, corpus);
  return gguf(
    metadata(tokenizer, shape),
    tensors.map(([name, tensor]) =>
      tensor instanceof Float32Array
        ? { name, shape: [tensor.length], type: TENSOR.f32, data: plain(tensor) }
        : { name, shape: [tensor.cols, tensor.rows], type: TENSOR.q8_0, data: quantized(tensor.values) },
    ),
  );
}

function metadata({ tokens, merges, special, firstSpecial }, shape) {
  const kindOf = (token, id) => {
    if (id >= firstSpecial) return CONTROL_TOKEN;
    return token.startsWith('<|unused') ? UNUSED_TOKEN : NORMAL_TOKEN;
  };
  return [
    ['general.architecture', 'string', 'llama'],
    ['general.name', 'string', 'Palimpsest practice model'],
    ['general.license', 'string', 'CC0-1.0'],
    ['general.file_type', 'uint32', 7], // mostly Q8_0
    ['general.quantization_version', 'uint32', 2],
    ['llama.context_length', 'uint32', CONTEXT],
    ['llama.embedding_length', 'uint32', shape.width],
    ['llama.block_count', 'uint32', shape.layers],
    ['llama.feed_forward_length', 'uint32', shape.feedForward],
    ['llama.attention.head_count', 'uint32', shape.heads],
    ['llama.attention.head_count_kv', 'uint32', shape.heads],
    ['llama.attention.key_length', 'uint32', shape.head],
    ['llama.attention.value_length', 'uint32', shape.head],
    ['llama.rope.dimension_count', 'uint32', shape.head],
    ['llama.rope.freq_base', 'float32', shape.ropeBase],
    ['llama.attention.layer_norm_rms_epsilon', 'float32', 1e-6],
    ['llama.vocab_size', 'uint32', tokens.length],
    ['tokenizer.ggml.model', 'string', 'gpt2'],
    ['tokenizer.ggml.pre', 'string', 'gpt-2'],
    ['tokenizer.ggml.tokens', ['string'], tokens],
    ['tokenizer.ggml.token_type', ['int32'], tokens.map(kindOf)],
    ['tokenizer.ggml.merges', ['string'], merges],
    ['tokenizer.ggml.bos_token_id', 'uint32', special['<|bos|>']],
    ['tokenizer.ggml.eos_token_id', 'uint32', special['<|end|>']],
    ['tokenizer.ggml.eot_token_id', 'uint32', special['<|end|>']],
    ['tokenizer.ggml.padding_token_id', 'uint32', special['<|endoftext|>']],
    ['tokenizer.ggml.add_bos_token', 'bool', true],
    ['tokenizer.chat_template', 'string', TEMPLATE],
  ];
}

function recipeHash() {
  const hash = createHash('sha256').update(fs.readFileSync(fileURLToPath(import.meta.url)));
  const folder = fileURLToPath(new URL('./practice-model/', import.meta.url));
  for (const name of fs.readdirSync(folder).sort()) {
    if (name.endsWith('.mjs') && !name.endsWith('.test.mjs')) hash.update(fs.readFileSync(path.join(folder, name)));
  }
  return hash.digest('hex');
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) ensurePracticeModel();
