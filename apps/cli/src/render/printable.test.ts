import { describe, expect, it } from 'vitest';
import { renderDiff } from './diff.ts';
import { printable, printableJson, printableName, shownOn } from './printable.ts';

/** Characters that change the visible text, or control the terminal. */
const TRICKS = [
  '\u001b[2J',
  '\u0007',
  '\u009b',
  '\u061c',
  '\u200b',
  '\u200e',
  '\u200f',
  '\u202e',
  '\u2066',
  '\u{e0041}',
  '\u00ad',
  '\u034f',
  '\u115f',
  '\u200d',
  '\u2060',
  '\u3164',
  '\ufe00',
  '\ufeff',
];
const plain = { bold: same, dim: same, red: same, green: same, yellow: same };

function same(text: string): string {
  return text;
}

describe('printed text', () => {
  it.each(TRICKS)('shows %j as an escape, in text, names, JSON and diffs', (trick) => {
    for (const shown of [
      printable(trick),
      printableName(trick),
      printableJson({ [trick]: trick }),
      shownOn({ isTTY: true }, trick),
      renderDiff('f', '', `${trick}\n`, plain),
    ]) {
      expect(shown).not.toContain([...trick][0]);
      expect(shown).toContain('\\u');
    }
    expect(JSON.parse(printableJson([trick], 2))).toEqual([trick]);
  });

  it('does not change ordinary text of any language', () => {
    const text = 'a\tb\nśćié 日本語 עברית 👩‍🌾 ❤️ 1️⃣ می‌خواهم';
    expect(printable(text)).toBe(text);
    expect(printableName('日本語.txt')).toBe('日本語.txt');
  });
});

it('gives programs a text as it is', () => {
  expect(shownOn({}, '\u001b[2J')).toBe('\u001b[2J');
});
