import { expect, it } from 'vitest';
import { drawTree } from './draw-tree.ts';

const entry = (name: string, depth: number, type = 'file') => ({ name, type, depth });
const ENTRIES = [entry('src', 1, 'directory'), entry('a.ts', 2), entry('l', 1, 'link')];

it('draws two spaces for each level, and a slash after directories', () => {
  expect(drawTree('', ENTRIES, false, 10_000)).toEqual({ tree: './\n  src/\n    a.ts\n  l', shown: 3 });
  expect(drawTree('docs', [], false, 10_000)).toEqual({ tree: 'docs/', shown: 0 });
});

it('says how many entries it shows where there are more, or where more do not fit', () => {
  expect(drawTree('', ENTRIES, true, 10_000).tree).toMatch(/\n {2}\.\.\. \(truncated at 3 entries\)$/);
  // The first line takes 9 bytes as JSON, and a comma.
  expect(drawTree('', ENTRIES, false, 4_096 + 10)).toEqual({
    tree: './\n  src/\n  ... (truncated at 1 entries)',
    shown: 1,
  });
});
