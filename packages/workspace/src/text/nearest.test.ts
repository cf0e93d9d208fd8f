import { costOf } from '../../../../tests/support/yardstick.ts';
import { describe, expect, it } from 'vitest';
import { nearestText } from './nearest.ts';

describe('the nearest text', () => {
  it('is found in spite of indentation and a small difference', () => {
    const text = 'import x\n\nfunction add(a, b) {\n    return a + b;\n}\n';
    expect(nearestText(text, 'function add(a,b) {\n  return a - b;')).toEqual({
      line: 3,
      text: 'function add(a, b) {\n    return a + b;',
    });
  });
  it('begins where the search begins, also with an empty line', () => {
    expect(nearestText('one\n\nconst two = 2;\n', '\nconst two = 3;')).toEqual({ line: 2, text: '\nconst two = 2;' });
  });
  it('is the one that is most alike, and the first of equal ones', () => {
    expect(nearestText('value = 111\nvalue = 123\nvalue = 124', 'value = 12x')).toEqual({
      line: 2,
      text: 'value = 123',
    });
    expect(nearestText('value = 1\nvalue = 1', 'value = 2')?.line).toBe(1);
    expect(nearestText('first line\nsame one\nfirst line\nother', 'first line\nother')?.line).toBe(3);
  });
  it('may have other words where the search has none', () => {
    expect(nearestText('x\n(a, b) =>', '(a, c) =>')).toEqual({ line: 2, text: '(a, b) =>' });
    expect(nearestText('unlike first', 'different')).toBeUndefined();
  });
  it('is cut to 2,000 characters', () => {
    expect(nearestText(`start ${'x'.repeat(3_000)}`, `start ${'x'.repeat(300)}`)?.text).toHaveLength(2_000);
  });
  it('is not made up where nothing is alike', () => {
    expect(nearestText('alpha\nbeta\n', 'zzzzqqqq')).toBeUndefined();
    expect(nearestText('', 'x')).toBeUndefined();
    expect(nearestText('a', '\n\n')).toBeUndefined();
  });
  it('shares at least half of its pairs of characters, each counted once', () => {
    const rows: [string, string, string | undefined][] = [
      ['-+/', '-+*', '-+/'],
      ['-+/?', '-+*!', undefined],
      ['----', '--', '----'],
      ['-----', '--', undefined],
      ['----\n--!', '--', '--!'],
      ['--', '----', '--'],
      ['  -+   * ', '-+\t*', '  -+   * '],
    ];
    expect(rows.map(([text, search]) => nearestText(text, search)?.text)).toEqual(rows.map(([, , found]) => found));
  });
  it('counts empty lines as equal, also behind the end of the file, but begins at a line that is somewhat alike', () => {
    expect(nearestText('-+/?\n\n', '-+*\n\n')).toEqual({ line: 1, text: '-+/?\n\n' });
    expect(nearestText('-+/?', '-+*\n\n')).toEqual({ line: 1, text: '-+/?' });
    expect(nearestText('-----------+\n\n\n', '+*\n\n\n')).toBeUndefined();
    expect(nearestText('-+!?-+!?-\n\n\n', '/*/*/*/*/\n\n\n')).toBeUndefined();
  });
  it('is compared by eight lines, and sought by eight words', () => {
    const lines = (rest: string, more: string[] = []) =>
      ['-+', '*/', '()', '[]', ...Array(4).fill(rest), ...more].join('\n');
    expect(nearestText(lines('~~'), lines('!?', ['!?']))?.line).toBe(1);
    expect(nearestText(lines('~~'), lines('!?').replace('[]', '!?'))).toBeUndefined();
    const words = 'aaa bbb ccc ddd eee fff ggg hhhh';
    const long = 'i'.repeat(60);
    expect(nearestText(`(${long}) hhhh`, `${words} ${long}`)?.line).toBe(1);
    expect(nearestText(`(${long})`, `${words} ${long}`)).toBeUndefined();
  });
  it('is one of the first 50,000 lines, which are compared by 200 characters', () => {
    const at = (line: number) => nearestText(`${'\n'.repeat(line - 1)}-+*`, '-+*')?.line;
    expect([at(50_000), at(50_001)]).toEqual([50_000, undefined]);
    const start = '+-'.repeat(100);
    expect(nearestText(`${start}${'!'.repeat(900)}`, `${start}${'?'.repeat(900)}`)?.line).toBe(1);
    expect(nearestText(`${' '.repeat(999)}--`, '--')).toBeUndefined();
    expect(nearestText(`${' '.repeat(998)}--`, '--')?.line).toBe(1);
  });
  it('takes bounded time on a large file', async () => {
    const text = Array.from(
      { length: 200_000 },
      (_, i) => `const value${i} = compute(${i}, "${'x'.repeat(40)}");`,
    ).join('\n');
    const search = () => nearestText(text, 'const valueQ = compute(7, "none");\nnext line\nand another');
    await expect.poll(() => costOf(search)).toBeLessThan(150);
  });
});
