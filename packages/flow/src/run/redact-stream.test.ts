import { expect, it, vi } from 'vitest';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { redactText } from './preview.ts';
import { RedactedStream } from './redact-stream.ts';
import { begunAtEnd } from './text-search.ts';

const SECRETS = new Set(['hunter2', 'terrapin', 'abcd', 'cdef', 'abc', 'open, sesame!', 'a?b!', 'b!c?']);
const TEXTS = [
  'the password is hunter2, not hunter3',
  'hunter2hunter2',
  'huntehunter2r2',
  'hunterrapin and hunter2terrapin',
  'abcdef abcd cdefabcd',
  'a key sk-abcdefgh12 and a Bearer 12345678abcdef, then a token',
  'sk-short, monkey-business, hockey stadiums',
  'ends with hunter',
  'the words are open, sesame! and open, ses',
  'xa?b!c? a?b! c?',
  'ends with sk-1234567',
];

it.each(TEXTS)('gives the same as the whole text, however it is divided: %s', (text) => {
  for (let size = 1; size <= text.length; size++) {
    const stream = new RedactedStream(SECRETS);
    let shown = '';
    for (let at = 0; at < text.length; at += size) shown += stream.add(text.slice(at, at + size));
    expect([size, shown + stream.end()]).toEqual([size, redactText(text, SECRETS)]);
  }
});

it('holds only what may be a part of a secret', () => {
  const stream = new RedactedStream(SECRETS);
  const shown = [stream.add('no secret here. A'), stream.add('hunt'), stream.add(' on')];
  expect(shown).toEqual(['no secret here. ', '', 'Ahunt ']);
});

it('holds a secret that is longer than other texts that wait', () => {
  const secret = '<a>'.repeat(2_000);
  const stream = new RedactedStream(new Set([secret]));
  expect([stream.add(secret.slice(0, 5_000)), stream.add(`${secret.slice(5_000)}.`)]).toEqual(['', '***.']);
});

it('goes on after a long text that looks like a key', () => {
  const stream = new RedactedStream();
  expect(stream.add(`sk-${'x'.repeat(5_000)}`)).toBe('sk-***');
});

it('finds the beginning of a secret at the end of a text, also of secrets that repeat themselves', () => {
  const slow = (text: string, secret: string) => {
    for (let length = Math.min(secret.length - 1, text.length); length > 0; length--)
      if (text.endsWith(secret.slice(0, length))) return length;
    return 0;
  };
  const words = (length: number): string[] =>
    length === 0 ? [''] : words(length - 1).flatMap((word) => [`${word}a`, `${word}b`]);
  const secrets = [4, 5, 6].flatMap(words);
  for (const text of [...words(7), ...words(3), '']) {
    const found = secrets.map((secret) => begunAtEnd(text, secret));
    expect([text, found]).toEqual([text, secrets.map((secret) => slow(text, secret))]);
  }
});

it('compares a long secret with a long text in one pass', () => {
  const compare = vi.spyOn(String.prototype, 'endsWith');
  const stream = new RedactedStream(new Set([`${'a'.repeat(30_000)}b`]));
  const shown = stream.add(`${'a'.repeat(20_000)}c `);
  const calls = compare.mock.calls.length;
  compare.mockRestore();
  expect([shown.length, calls]).toEqual([20_002, 0]);
});

it('shows a long part of a text in time in proportion to it where secrets follow one another', async () => {
  const add = () => new RedactedStream(new Set(['aaaa'])).add('a'.repeat(200_000));
  expect(add()).toBe('***');
  await expect.poll(() => costOf(add)).toBeLessThan(50);
});
