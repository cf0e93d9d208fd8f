import { expect, it } from 'vitest';
import { type FlowUse, snippetsOf } from './snippets.ts';

const HOSTILE = `it's $(id) \`id\` \\' "; rm -rf ~ #\u001b]52;c;cm0=\u0007\u009b2J\u202e\u{e0041}\u2028 \n!!`;
const use: FlowUse = {
  url: 'http://127.0.0.1:7860/',
  id: '7d1f',
  message: HOSTILE,
  inputs: { [HOSTILE]: { [HOSTILE]: HOSTILE } },
  isQueued: false,
};

it('gives a person code that shows everything which it runs', () => {
  for (const { id, code } of snippetsOf(use)) {
    expect.soft(code.replaceAll('\n', ''), id).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  }
});

it('gives a script the message of a flow as one text', () => {
  const code = snippetsOf(use).find(({ id }) => id === 'openai')?.code ?? '';
  const text = /content: ('.*') \}\]/.exec(code)?.[1] ?? '';
  // A literal of JavaScript in single quotes, as one of JSON.
  const json = `"${text.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"')}"`;
  expect(JSON.parse(json)).toBe(HOSTILE);
});
