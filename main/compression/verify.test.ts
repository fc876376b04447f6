import { describe, expect, test } from 'vitest';
import { readMessage } from './read-message';
import { parseSections } from './sections';
import { SourceFinder } from './sources';
import { stripForSummary } from './strip';
import { verify } from './verify';

const count = (text: string) => Math.ceil(text.length / 4);
const SOURCE = [
  'Please help me move the orders database to Postgres 16. Never restart db-orders-01 during the day.',
  'We decided to use logical replication. The copy takes 42 min for 380 GB, so 1,000 rows/s.',
  'The window is Sunday 02:00 to 04:00. See /etc/postgresql/16/main/postgresql.conf for ORD-1423. Error 500 is gone.',
];
const LAST_REPLY = 'The copy takes 42 min for 380 GB, and it can run while the shop is open.';

function judge(answer: string, finish: 'stop' | 'length' = 'stop', tokens = count(answer)) {
  const text = stripForSummary(answer, 'model');
  const finder = new SourceFinder(parseSections(text));
  const messages = SOURCE.map((one, i) => ({ seq: i + 1, role: 'user' as const, text: one }));
  for (const message of messages) finder.add(readMessage(message), message.text);
  for (const message of messages) finder.searchIn(message.text, finder.missing);
  const sections = finder.linked({ from: 1, to: 3 });
  return verify({ text, sections, finish, tokens }, { tokens: 400, lastReplies: [LAST_REPLY], holds: finder.holds });
}

describe('is refused', () => {
  test.each<[string, string, 'empty' | 'refused']>([
    ['S38 empty', '', 'empty'],
    ['S38 blank', ' \n\t\n', 'empty'],
    ['S38 only marks', '## Goal\n\n## Decisions\n---\n', 'empty'],
    ['S38 only "None"', '## Goal\n- None\n## Facts\n- N/A', 'empty'],
    ['S38 nothing to summarize', 'Please provide the conversation text.', 'empty'],
    ['S38 an okay', 'Okay.', 'empty'],
    ['S38 an echo of the last reply', LAST_REPLY, 'refused'],
    ['S38 an echo with other marks', `- ${LAST_REPLY.toUpperCase()}`, 'refused'],
    ['S38 an echo with a word before it', `Summary: ${LAST_REPLY}`, 'refused'],
    ['S41 nothing but reasoning', '<think>The user wants a summary. I should write one.</think>', 'empty'],
    ['S41 reasoning without an end', '<think>The user wants a summary. I should', 'empty'],
    ['S39 Error 500', 'Error 500: internal server error', 'refused'],
    ['S39 a bare status', '502 Bad Gateway', 'refused'],
    ['S39 an error as JSON', '{"error": {"message": "model not loaded", "code": 404}}', 'refused'],
    ['S39 an error page', '<!DOCTYPE html><html><head><title>504 Gateway Time-out</title></head></html>', 'refused'],
    ['S39 a traceback', 'Traceback (most recent call last):\n  File "x.py", line 3', 'refused'],
    ['S39 a German error', 'Fehler 503: Dienst nicht erreichbar', 'refused'],
    ['S39 a Chinese error', '错误：请求失败，请稍后再试。', 'refused'],
    ['S39 a rate limit', 'Rate limit exceeded, try again in 20 s', 'refused'],
    ['shaped like a tool call', '{"name": "search", "arguments": {}}', 'refused'],
    ['a tool call in a fence', '```json\n{"tool": "search"}\n```', 'refused'],
    ['a tool call in tags', '<tool_call>{"name": "x"}</tool_call>', 'refused'],
    ['a list of tool calls', '[{"function": {"name": "search"}}]', 'refused'],
    ['a refusal', 'I cannot help with that.', 'refused'],
    ['a polite refusal', "I'm sorry, but I can't summarize this conversation.", 'refused'],
    ['a German refusal', 'Es tut mir leid, dabei kann ich nicht helfen.', 'refused'],
    ['a Chinese refusal', '抱歉，我无法总结这段对话。', 'refused'],
    ['invented identifiers', '## Facts\n- see XYZ-9999 and ABC-1234 in /opt/none/here.conf', 'refused'],
    ['invented numbers', '## Facts\n- The copy takes 97 min.\n- It holds 512 GB.', 'refused'],
  ])('%s', (_name, answer, failure) => {
    expect(judge(answer)).toMatchObject({ ok: false, failure });
  });

  test('cut off by its length', () =>
    expect(judge('## Goal\n- move', 'length')).toMatchObject({ ok: false, failure: 'cut' }));
  test('S6 larger than 90 % of its source', () => {
    expect(judge('## Goal\n- move', 'stop', 361)).toMatchObject({ ok: false, failure: 'too-large' });
    expect(judge('## Goal\n- move', 'stop', 360)).toMatchObject({ ok: true });
  });
});

describe('is taken', () => {
  test.each([
    [
      'in the form',
      '## Goal\n- Move the orders database to Postgres 16.\n## Facts\n- The copy takes 42 min for 380 GB.',
    ],
    ['with a preamble', 'Here is the summary:\n\n## Goal\n- Move the orders database.'],
    ['in one fence', '```\n## Goal\n- Move the orders database.\n```'],
    ['S41 with reasoning before it', '<think>Let me see. XYZ-9999?</think>\n## Goal\n- Move the orders database.'],
    ['S41 with reasoning that only ends', 'Let me see. XYZ-9999?\n</think>\n\n## Goal\n- Move the orders database.'],
    ['with a heading in German', '**Ziel:** Die Datenbank orders auf Postgres 16 umziehen.'],
    ['in Chinese', '【目标】\n- 把订单数据库迁移到 Postgres 16。\n【事实】\n- 复制需要 42 min，共 380 GB。'],
    ['without any form', 'The user moves a database. The copy takes 42 min for 380 GB, on Sunday from 02:00 to 04:00.'],
    [
      'that speaks of an error',
      'Error 500 is gone since the move to Postgres 16, which the user wanted most of all. The window stays on Sunday from 02:00 to 04:00, and nobody restarts db-orders-01 during the day.\n## Open points\n- none of the rest',
    ],
    ['that begins with the word error', 'Error handling was not discussed. The user moves the orders database.'],
    ['that says sorry in a heading’s line', '## State\n- I cannot restart db-orders-01 during the day, said the user.'],
    ['in Chinese that speaks of an error', '用户的订单数据库遇到 Error 500: 已经解决。'],
    ['with numbers written otherwise', '## Facts\n- 42min for 380GB at 1000 rows per second'],
    ['with dates written otherwise', '## Facts\n- Sunday, 2 a.m. to 4 a.m.; noted on 2026-03-01'],
    ['with counts of its own', '## Facts\n- 250 of 300 questions are answered; 150 remain.'],
    ['with a part of a path', '## Facts\n- postgresql.conf holds it, under /etc/postgresql/16'],
    ['with names in other cases', '## Facts\n- POSTGRES 16, Ord-1423'],
  ])('%s', (_name, answer) => {
    expect(judge(answer)).toMatchObject({ ok: true, struckLines: 0 });
  });

  test('a single invented line among many true ones is struck, and said so', () => {
    const facts = ['42 min', '380 GB', 'ORD-1423', 'db-orders-01', '/etc/postgresql/16/main/postgresql.conf'];
    const rest = ['Postgres 16 with 42 min', 'again 380 GB', 'again ORD-1423', 'again db-orders-01', 'copy of 42 min'];
    const answer = `## Facts\n${[...facts, ...rest].map((fact) => `- ${fact}`).join('\n')}\n- XYZ-9999`;
    const verdict = judge(answer);
    expect(verdict).toMatchObject({ ok: true, struckLines: 1 });
    expect(JSON.stringify(verdict)).not.toContain('XYZ-9999');
  });
});
