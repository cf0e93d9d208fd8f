import { expect, it } from 'vitest';
import { snippetsOf } from './snippets.ts';
import { HOSTILE, HOSTILE_USE } from './testing.ts';

it('gives a person code that shows everything which it runs', () => {
  for (const { id, code } of snippetsOf(HOSTILE_USE)) {
    expect.soft(code.replaceAll('\n', ''), id).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  }
});

it('gives a script the message of a flow as one text', () => {
  const code = snippetsOf(HOSTILE_USE).find(({ id }) => id === 'openai')?.code ?? '';
  const text = /content: ('.*') \}\]/.exec(code)?.[1] ?? '';
  // A literal of JavaScript in single quotes, as one of JSON.
  const json = `"${text.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"')}"`;
  expect(JSON.parse(json)).toBe(HOSTILE);
});
