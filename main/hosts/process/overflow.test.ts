import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { overflowIn } from './overflow';

const recorded = readFileSync(
  join(import.meta.dirname, '../../testing/recorded/llama-server-overflow.http.txt'),
  'utf8',
);
const llama = recorded.slice(recorded.indexOf('{"error"')).trim();
const openai = (message: string, code: string | null = null) =>
  JSON.stringify({ error: { message, code, type: 'invalid_request_error' } });

const overflows: [string, number | null, string, number | null, number | null][] = [
  ['llama.cpp, recorded', 400, llama, 4505, 512],
  [
    'llama.cpp, old',
    500,
    '{"error":{"code":500,"message":"context shift is disabled","type":"server_error"}}',
    null,
    null,
  ],
  [
    'llama.cpp, older',
    400,
    '{"error":{"message":"the request exceeds the available context size. try increasing the context size or enable context shift"}}',
    null,
    null,
  ],
  [
    'Ollama',
    400,
    '{"error":"the prompt is longer than the context length currently available to the model; shorten the prompt"}',
    null,
    null,
  ],
  [
    'Ollama, its other runner',
    400,
    '{"error":"prompt too long; exceeded max context length by 12 tokens"}',
    null,
    null,
  ],
  ['Ollama, llama.cpp inside', 400, JSON.stringify({ error: llama }), 4505, 512],
  [
    'LM Studio, keep',
    400,
    openai(
      'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 4513>= n_ctx: 4096). Try to load the model with a larger context length',
    ),
    4513,
    4096,
  ],
  [
    'LM Studio, first',
    null,
    '{"error":{"message":"Trying to keep the first 4103 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}}',
    4103,
    4096,
  ],
  ['LM Studio, while writing', null, '{"error":"Reached context length of 4096 tokens with model."}', null, 4096],
  [
    'vLLM',
    400,
    '{"object":"error","message":"This model\'s maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).","code":400}',
    5000,
    4096,
  ],
  [
    'vLLM, answer too large',
    400,
    openai(
      "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 22 input tokens (4096 > 4096 - 22).",
    ),
    22,
    4096,
  ],
  [
    'vLLM, decoder',
    400,
    openai('The decoder prompt (length 5000) is longer than the maximum model length of 4096.'),
    5000,
    4096,
  ],
  [
    'OpenAI',
    400,
    openai(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 10,000 tokens.",
      'context_length_exceeded',
    ),
    10000,
    8192,
  ],
  ['OpenAI, code only', 400, openai('Your input is too long.', 'context_length_exceeded'), null, null],
  [
    'Anthropic',
    400,
    '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
    210000,
    200000,
  ],
  [
    'Google',
    400,
    '{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}',
    1200000,
    1048576,
  ],
  [
    'Mistral',
    400,
    '{"message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length"}',
    40000,
    32768,
  ],
  [
    'xAI',
    400,
    '{"error":"This model\'s maximum prompt length is 131072 but the request contains 140000 tokens."}',
    140000,
    131072,
  ],
  ['a proxy', 413, '<html>413 Request Entity Too Large</html>', null, null],
];
test.each(overflows)('S71 %s is an overflow', (_name, status, body, needTokens, windowTokens) => {
  expect(overflowIn(status, body)).toEqual({ needTokens, windowTokens });
});

const lookAlikes: [string, number | null, string][] = [
  [
    'a rate limit in tokens',
    429,
    openai(
      'Rate limit reached: tokens per min. Limit 30000, requested 35000. This is the maximum context length of your plan',
    ),
  ],
  ['too little memory', 500, '{"error":"model requires more system memory (5.5 GiB) than is available (3.2 GiB)"}'],
  [
    'a batch size',
    500,
    '{"error":{"message":"input is too large to process. increase the physical batch size","type":"server_error"}}',
  ],
  ['a deadline', 500, '{"error":"context deadline exceeded"}'],
  ['a cancelled request', 499, '{"error":"context canceled"}'],
  [
    'an output cap',
    400,
    openai('max_tokens is too large: 100000. This model supports at most 16384 completion tokens.'),
  ],
  ['a missing model', 404, '{"error":"model \'maximum context length is 4096 tokens\' not found"}'],
  ['a context that could not be made', 500, '{"error":"llama runner: failed to create context with model"}'],
  ['a crash', 500, '{"error":"an error was encountered while running the model: unexpected EOF"}'],
  ['nothing', 500, ''],
];
test.each(lookAlikes)('S71 %s is none', (_name, status, body) => {
  expect(overflowIn(status, body)).toBeNull();
});
