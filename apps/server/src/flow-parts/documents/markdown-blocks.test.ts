import { expect, it } from 'vitest';
import { isAddress, readBlocks } from './markdown-blocks.ts';

it('reads headings, paragraphs, quotes, code and rules', () => {
  expect(readBlocks('# A\n\nb\n\n> c\n\n```js\nd\n```\n\n---\n')).toEqual([
    { kind: 'heading', level: 1, runs: [{ text: 'A' }] },
    { kind: 'paragraph', runs: [{ text: 'b' }] },
    { kind: 'quote', runs: [{ text: 'c' }] },
    { kind: 'code', text: 'd' },
    { kind: 'rule' },
  ]);
});

it('knows the level of an item, and of which numbered list it is', () => {
  const items = readBlocks('- a\n  - b\n\n1. c\n2. d\n\nText\n\n1. e\n').filter(({ kind }) => kind === 'item');
  expect(items).toEqual([
    { kind: 'item', level: 0, list: undefined, runs: [{ text: 'a' }] },
    { kind: 'item', level: 1, list: undefined, runs: [{ text: 'b' }] },
    { kind: 'item', level: 0, list: 1, runs: [{ text: 'c' }] },
    { kind: 'item', level: 0, list: 1, runs: [{ text: 'd' }] },
    { kind: 'item', level: 0, list: 2, runs: [{ text: 'e' }] },
  ]);
});

it('keeps HTML and the words of pictures as texts', () => {
  expect(readBlocks('<div>a</div>\n\nb <i>c</i>\n\n![pic *x*](p.png)\n\n- <hr>\n\n\\*d')).toEqual([
    { kind: 'paragraph', runs: [{ text: '<div>a</div>' }] },
    { kind: 'paragraph', runs: [{ text: 'b ' }, { text: '<i>' }, { text: 'c' }, { text: '</i>' }] },
    { kind: 'paragraph', runs: [{ text: 'pic ' }, { text: 'x', italic: true }] },
    { kind: 'item', level: 0, list: undefined, runs: [{ text: '<hr>' }] },
    { kind: 'paragraph', runs: [{ text: '*' }, { text: 'd' }] },
  ]);
});

it('reads lists in quotes, and quotes in lists', () => {
  expect(readBlocks('> 1. a\n>\n> b\n\n1. > c\n\n- [ ]')).toEqual([
    { kind: 'item', level: 0, list: 1, runs: [{ text: 'a' }] },
    { kind: 'quote', runs: [{ text: 'b' }] },
    { kind: 'item', level: 0, list: 2, runs: [{ text: 'c' }] },
    { kind: 'item', level: 0, list: undefined, runs: [{ text: '[ ]' }] },
  ]);
});

it('marks tasks', () => {
  const texts = readBlocks('- [x] done\n- [ ] open\n').map((block) =>
    'runs' in block ? block.runs.map(({ text }) => text) : [],
  );
  expect(texts).toEqual([
    ['☑ ', 'done'],
    ['☐ ', 'open'],
  ]);
});

it('bounds the depth of lists', () => {
  const nested = Array.from({ length: 20 }, (_, level) => `${'  '.repeat(level)}- x`).join('\n');
  const levels = readBlocks(nested).map((block) => ('level' in block ? block.level : -1));
  expect([levels.length, Math.max(...levels)]).toEqual([20, 7]);
});

it('reads the looks of texts, also inside each other', () => {
  const [block] = readBlocks('**a *b*** ~~c~~ `d & e`  \n[f](https://a.test) &amp; &lt;g&gt; &nbsp;');
  expect(block).toEqual({
    kind: 'paragraph',
    runs: [
      { text: 'a ', bold: true },
      { text: 'b', bold: true, italic: true },
      { text: ' ' },
      { text: 'c', strike: true },
      { text: ' ' },
      { text: 'd & e', code: true },
      { text: '\n' },
      { text: 'f', link: 'https://a.test' },
      { text: ' & <g> \u00a0' },
    ],
  });
});

it('reads a table with its first row', () => {
  expect(readBlocks('| a | b |\n|---|---|\n| 1 | **2** |\n')).toEqual([
    {
      kind: 'table',
      rows: [
        [[{ text: 'a' }], [{ text: 'b' }]],
        [[{ text: '1' }], [{ text: '2', bold: true }]],
      ],
    },
  ]);
});

it('keeps no address that a program could run', () => {
  for (const href of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', undefined])
    expect([href, isAddress(href)]).toEqual([href, false]);
  for (const href of ['https://a.test', 'HTTP://a.test', 'mailto:ann@a.test'])
    expect([href, isAddress(href)]).toEqual([href, true]);
  expect(readBlocks('[x](javascript:alert(1))')).toEqual([{ kind: 'paragraph', runs: [{ text: 'x' }] }]);
});
