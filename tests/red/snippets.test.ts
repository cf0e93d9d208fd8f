import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { snippetsOf } from '../../apps/studio/src/use/snippets.ts';
import { HOSTILE, HOSTILE_USE } from '../../apps/studio/src/use/testing.ts';

it('gives a shell the message of a flow as one word', () => {
  const code = snippetsOf(HOSTILE_USE).find(({ id }) => id === 'curl')?.code ?? '';
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${code}`;
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { CROFT_KEY: 'key' } }).split('\0');
  expect(words.slice(0, -2)).toEqual([
    'http://127.0.0.1:7860/api/v1/flows/7d1f/run',
    '-H',
    'Authorization: Bearer key',
    '-H',
    'Content-Type: application/json',
    '-d',
  ]);
  expect(JSON.parse(words.at(-2) ?? '')).toEqual({ message: HOSTILE, inputs: HOSTILE_USE.inputs });
});
