import { expect, it } from 'vitest';
import { costOf } from '../../../tests/support/yardstick.ts';
import { callsInText } from './text-calls.ts';

const NAMES = new Set(['build_flow', 'run_flow']);
const CALL = '{"name": "build_flow", "arguments": {"spec": "x"}}';
const FOUND = [{ name: 'build_flow', args: { spec: 'x' } }];

it.each([
  ['the whole reply', CALL],
  ['a code fence', `I build it.\n\`\`\`json\n${CALL}\n\`\`\`\nDone.`],
  ['tags', `<tool_call>${CALL}</tool_call>`],
  ['a list', `[${CALL}]`],
  ['the last line', `I build it.\n${CALL}`],
  ['a function inside', `{"type": "function", "function": ${CALL}}`],
  ['arguments as a text', '{"tool": "build_flow", "args": "{\\"spec\\": \\"x\\"}"}'],
  ['other keys', '{"tool_name": "build_flow", "parameters": {"spec": "x"}}'],
  ['an input', '{"name": "build_flow", "input": {"spec": "x"}}'],
])('a call is found as %s', (_, text) => expect(callsInText(text, NAMES)).toEqual(FOUND));

it('a call without arguments has none', () => {
  expect(callsInText('{"name": "run_flow"}', NAMES)).toEqual([{ name: 'run_flow', args: {} }]);
});

it.each([
  ['inside a sentence', `Call ${CALL} now`],
  ['with an unknown name', '{"name": "delete_all", "arguments": {}}'],
  ['with arguments that are a list', '{"name": "build_flow", "arguments": []}'],
  ['with broken arguments', '{"name": "build_flow", "arguments": "{"}'],
  ['as no JSON', 'build_flow'],
])('a call is not found %s', (_, text) => expect(callsInText(text, NAMES)).toEqual([]));

it('at most five calls are found', () => {
  expect(callsInText(`<tool_call>${CALL}</tool_call>`.repeat(7), NAMES)).toHaveLength(5);
});

it('two calls in two fences are found, also indented and after Windows line ends', () => {
  const text = `First:\n\`\`\`json\r\n\n${CALL}\r\n  \`\`\`\nThen: \`\`\`\n{"name": "run_flow"}\n\`\`\`\n`;
  expect(callsInText(text, NAMES)).toEqual([...FOUND, { name: 'run_flow', args: {} }]);
});

it.each([
  ['fences without an end', '```\nx'.repeat(20_000)],
  ['a fence and empty lines', `\`\`\`${'\n '.repeat(2_000)}x`],
  ['marks in one line', `${'```'.repeat(30_000)}${' '.repeat(50_000)}\n`],
])('calls are searched in time in proportion to the reply: %s', async (_, text) => {
  await expect.poll(() => costOf(() => callsInText(text, NAMES))).toBeLessThan(50);
});
