import { expect, it } from 'vitest';
import { collectGarbage } from '../../../../tests/support/collect-garbage.ts';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { beginningOf, endOutside, previewOf, REDACTED, redactText } from './preview.ts';

const MOST = 2_000;
/** Without a repetition, and with no part that looks like a key. */
const secretOf = (length: number): string =>
  Array.from({ length: Math.ceil(length / 6) }, (_, index) => `<${index.toString(36).padStart(4, '0')}>`)
    .join('')
    .slice(0, length);

it.each([10, 150, 1_000, 2_600, 30_000])(
  'shows no part of a secret of %i characters that the cut divides',
  (length) => {
    const secret = secretOf(length);
    const parts = secret.match(/<\w{4}>/g) ?? [];
    for (const before of [0, 1, 1_000, MOST - 8, MOST - 1, MOST]) {
      const text = `${'.'.repeat(before)}${secret}${'.'.repeat(3_000)}`;
      for (const shown of [
        JSON.stringify(previewOf({ text }, new Set([secret]))),
        beginningOf(text, MOST, new Set([secret])),
      ])
        expect([before, parts.filter((part) => shown.includes(part))]).toEqual([before, []]);
    }
  },
);

it('shows no part of secrets that overlap at the cut', () => {
  const all = secretOf(3_000);
  const secrets = new Set([all.slice(0, 1_200), all.slice(600, 1_800), all.slice(1_500, 3_000)]);
  expect(beginningOf(`${'.'.repeat(400)}${all}`, MOST, secrets)).toMatch(/^\.{400}(\*\*\*)?$/);
});

it('shows as much of a text without secrets as there is room', () => {
  expect(beginningOf('x'.repeat(5_000), MOST, new Set(['secret']))).toBe('x'.repeat(MOST));
  expect(beginningOf('short', MOST)).toBe('short');
});

it('does not keep the texts in memory that previews show the beginning of', () => {
  const memory = () => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 1e6;
  };
  const before = memory();
  const previews = Array.from({ length: 200 }, (_, at) =>
    previewOf({ text: Buffer.alloc(1e6, 97 + (at % 26)).toString('latin1') }),
  );
  // Two hundred if they were kept; other tests of this process leave some.
  expect(memory() - before).toBeLessThan(30);
  expect(previews).toHaveLength(200);
});

it('shows no value with a secret name, and no secret in a name', () => {
  const shown = previewOf(
    { api_key: 'a', user: { Password: 1, 'X-Authorization': ['b'] }, secret: '', hunter2: 'c' },
    new Set(['hunter2']),
  );
  const user = { Password: REDACTED, 'X-Authorization': REDACTED };
  expect(shown).toEqual({ api_key: REDACTED, user, secret: '', '***': 'c' });
});

it('keeps secrets of three characters, which are parts of words', () => {
  expect(redactText('a category', new Set(['cat', 'gory']))).toBe('a cate***');
});

it('shows no part of a key that the cut divides', () => {
  const start = `${'.'.repeat(MOST - 7)} `;
  expect(beginningOf(`${start}key-abcdefghijkl${'.'.repeat(3_000)}`, MOST)).toBe(start);
});

it('cuts a text before a key that begins in a secret before the cut', () => {
  const text = `${'.'.repeat(20)} key-abcdefghijSECRET`;
  expect(endOutside(text, text.length - 3, new Set(['SECRET']))).toBe(21);
  expect(endOutside(text, text.length - 3, new Set(['cdefghijSECRET']))).toBe(21);
});

it('finds a cut in time in proportion to the text where secrets follow one another without a gap', async () => {
  const text = 'a'.repeat(200_000);
  const secrets = new Set(['aaaa', `b${'a'.repeat(20_000)}`]);
  expect(endOutside(text, 199_999, secrets)).toBe(0);
  await expect.poll(() => costOf(() => endOutside(text, 199_999, secrets))).toBeLessThan(50);
});
