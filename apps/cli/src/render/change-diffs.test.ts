import type { ChangeDiffs } from '@croft/tools';
import { expect, it } from 'vitest';
import { renderChangeDiffs } from './change-diffs.ts';
import type { Palette } from './colours.ts';

const mark = (letter: string) => (text: string) => `${letter}(${text})`;
const PAINT = { bold: mark('b'), dim: mark('d'), green: mark('g'), red: mark('r') } as unknown as Palette;
const file = { kind: 'update', path: 'a', added: 1, removed: 1, isCut: false } as const;
const lines = (diffs: ChangeDiffs) => renderChangeDiffs(diffs, PAINT).split('\n');

it('shows each file with its lines, and moves without any', () => {
  const diff = '@@ -1,2 +1,2 @@\n same\n-old\n+new\n';
  const moved = { ...file, kind: 'move', path: 'b', to: 'c', diff: '' } as const;
  expect(lines({ files: [{ ...file, diff }, moved], moreFiles: 0 })).toEqual([
    '      b(a)  d(+1 -1)',
    '      d(@@ -1,2 +1,2 @@)',
    '       same',
    '      r(-old)',
    '      g(+new)',
    '',
  ]);
});

it('says what is missing', () => {
  const unknown = { ...file, path: 'x\u001b', problem: 'The file is not text' };
  const same = { ...file, path: 'c', added: 0, removed: 0, diff: '' };
  expect(lines({ files: [unknown, { ...file, diff: '+x\n', isCut: true }, same], moreFiles: 2 })).toEqual([
    '      b(x\\u001b)  d(The file is not text)',
    '      b(a)  d(+1 -1)',
    '      g(+x)',
    '      d(The rest is left out.)',
    '      b(c)  d(same text)',
    '      d(and 2 more)',
    '',
  ]);
});
