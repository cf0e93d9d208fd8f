import { expect, it } from 'vitest';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { isSameFolded, wildcardTest } from './wildcard.ts';

it('matches the whole name, with * for any text and ? for one character', () => {
  for (const [pattern, name] of [
    ['*', ''],
    ['a*', 'a'],
    ['*.pem', '.pem'],
    ['a?c', 'a🦊c'],
    ['*b*d', 'abcbd'],
    ['a*b*c', 'aXbYbZc'],
    ['[x]', '[x]'],
    ['.*', '.git'],
  ] as const)
    expect(wildcardTest(pattern)(name), `${pattern} ${name}`).toBe(true);
  for (const [pattern, name] of [
    ['', 'a'],
    ['?', ''],
    ['a*', 'ba'],
    ['*.pem', 'x.pems'],
    ['a?c', 'ac'],
    ['a*b*c', 'acb'],
    ['A', 'a'],
  ] as const)
    expect(wildcardTest(pattern)(name), `${pattern} ${name}`).toBe(false);
  expect(wildcardTest('A*Z', isSameFolded)('aßz')).toBe(true);
});

it('agrees with a regular expression', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  const text = (letters: string) => Array.from({ length: random(9) }, () => letters[random(letters.length)]).join('');
  for (let round = 0; round < 5_000; round += 1) {
    const [pattern, name] = [text('ab*?.'), text('ab.')];
    const source = pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
    expect(wildcardTest(pattern)(name), `${pattern} ${name}`).toBe(new RegExp(`^${source}$`, 's').test(name));
  }
});

it.each([`${'*'.repeat(200)}b`, '*a'.repeat(100), '*?'.repeat(100)])('takes little time for %s', async (pattern) => {
  // Neither its beginning nor its end refuses the name.
  const test = wildcardTest(`${pattern}z?`);
  await expect.poll(() => costOf(() => test('a'.repeat(255)))).toBeLessThan(1);
});
