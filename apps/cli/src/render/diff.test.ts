import { expect, it } from 'vitest';
import type { Palette } from './colours.ts';
import { renderDiff, renderHunks } from './diff.ts';

const mark = (letter: string) => (text: string) => `${letter}(${text})`;
const PAINT = { bold: mark('b'), dim: mark('d'), green: mark('g'), red: mark('r') } as unknown as Palette;
const lines = (before: string, after: string, title = 'a.json') =>
  renderDiff(title, before, after, PAINT).trimEnd().split('\n');

it('shows changed lines with three lines around them', () => {
  expect(lines('1\n2\n3\n4\n5\n6\n7\n8\n', '1\n2\n3\n4\nfive\n6\n7\n8\n')).toEqual([
    'b(--- a.json)',
    'b(+++ a.json)',
    'd(@@ -2,7 +2,7 @@)',
    ' 2',
    ' 3',
    ' 4',
    'r(-5)',
    'g(+five)',
    ' 6',
    ' 7',
    ' 8',
  ]);
});

it('cuts long lines, and lets no file control the terminal', () => {
  const shown = lines('', `${'x'.repeat(500)}\n\u001b[2Jevil\r\n`, 'a\u001b]0;b');
  expect(shown.find((line) => line.includes('xxx'))).toBe(`g(+${'x'.repeat(199)}…)`);
  const evil = shown.find((line) => line.includes('evil')) ?? '';
  expect(evil).toBe('g(+\\u001b[2Jevil)');
  expect(shown[0]).toBe('b(--- a\\u001b]0;b)');
  expect(lines('', `${'x'.repeat(199)}\n`)[3]).toBe(`g(+${'x'.repeat(199)})`);
});

it('indents the hunks of a diff, and cuts and escapes their lines too', () => {
  expect(renderHunks('@@ -1,1 +1,2 @@\n a\n+\u001b\n', PAINT)).toBe(
    '      d(@@ -1,1 +1,2 @@)\n       a\n      g(+\\u001b)\n',
  );
  expect(renderHunks(`+${'x'.repeat(300)}`, PAINT)).toBe(`      g(+${'x'.repeat(199)}…)\n`);
  expect(renderHunks('', PAINT)).toBe('');
});
