import JSZip from 'jszip';
import { expect, it } from 'vitest';
import { type Block, readBlocks, type Run } from './markdown-blocks.ts';
import { readOffice } from './read-office.ts';
import { toWord } from './to-word.ts';

/** A Markdown text after it was written as a Word document and read again. */
async function throughWord(markdown: string) {
  const bytes = Buffer.from(await toWord(readBlocks(markdown), 'Title'));
  return (await readOffice(bytes, 'docx', 100_000)).text;
}

it.each([
  ['headings', '# One\n\n## Two\n\nText'],
  ['looks', 'A **bold** and *thin* word'],
  ['links', 'See [the page](https://a.test/).'],
  ['lists', '- a\n  - b\n- c'],
  ['numbers', '1. a\n2. b'],
  ['tables', '| **a** | **b** |\n| --- | --- |\n| 1 | 2 |'],
])('keeps %s', async (_, markdown) => {
  expect(await throughWord(markdown)).toBe(markdown);
});

it('keeps the lines of code, and the text of quotes', async () => {
  expect(await throughWord('```\na\nb\n```\n\n> quoted')).toBe('a\nb\n\nquoted');
});

it('writes an empty document', async () => {
  expect(await throughWord('')).toBe('');
});

/** A part of the document of these blocks. */
async function partOf(blocks: readonly Block[], name = 'word/document.xml') {
  const archive = await JSZip.loadAsync(await toWord(blocks, 'My title'));
  return (await archive.file(name)?.async('string')) ?? '';
}
const bodyOf = async (blocks: readonly Block[]) =>
  /<w:body>(.*)<w:sectPr>/s.exec((await partOf(blocks)).replace(/<w:sectPr .*?>/s, '<w:sectPr>'))?.[1] ?? '';
const run = [{ text: 'x' }];
const X = '<w:r><w:t xml:space="preserve">x</w:t></w:r>';

it('writes its title and program', async () => {
  const properties = await partOf([], 'docProps/core.xml');
  expect(properties).toContain('<dc:title>My title</dc:title>');
  expect(properties).toContain('<dc:creator>Croft</dc:creator>');
});

it('writes each kind of block', async () => {
  const heading = (level: number) => bodyOf([{ kind: 'heading', level, runs: run }]);
  for (const level of [1, 2, 3, 4, 5, 6])
    expect(await heading(level)).toBe(`<w:p><w:pPr><w:pStyle w:val="Heading${level}"/></w:pPr>${X}</w:p>`);
  expect(await heading(7)).toContain('Heading6');
  expect(await bodyOf([{ kind: 'paragraph', runs: run }])).toBe(`<w:p>${X}</w:p>`);
  expect(await bodyOf([{ kind: 'quote', runs: run }])).toBe(`<w:p><w:pPr><w:ind w:left="720"/></w:pPr>${X}</w:p>`);
  expect(await bodyOf([{ kind: 'rule' }])).toMatch(/^<w:p><w:pPr><w:pBdr><w:bottom .*<\/w:pBdr><\/w:pPr><\/w:p>$/);
  const code = await bodyOf([{ kind: 'code', text: 'a\nb' }]);
  expect(code).toMatch(/Courier New.*>a<\/w:t>.*Courier New.*<w:br\/>.*>b<\/w:t>/);
});

it('writes items of lists with their levels and the number of their list', async () => {
  const item = (level: number, list: number | undefined) => bodyOf([{ kind: 'item', level, list, runs: run }]);
  expect(await item(2, undefined)).toContain('<w:ilvl w:val="2"/>');
  expect(await item(3, 1)).toContain('<w:ilvl w:val="3"/>');
  const two = await bodyOf([
    { kind: 'item', level: 0, list: 1, runs: run },
    { kind: 'item', level: 0, list: 2, runs: run },
  ]);
  const numbers = [...two.matchAll(/<w:numId w:val="(\d+)"\/>/g)].map(([, number]) => number);
  expect([numbers.length, numbers[0] === numbers[1]]).toEqual([2, false]);
  const levels = (await partOf([{ kind: 'item', level: 0, list: 1, runs: run }], 'word/numbering.xml'))
    .split('<w:lvl ')
    .slice(-8);
  for (const [level, text] of levels.entries()) {
    expect(text).toContain(`w:ilvl="${level}"`);
    expect(text).toContain('<w:numFmt w:val="decimal"/>');
    expect(text).toContain(`<w:lvlText w:val="%${level + 1}."/>`);
    expect(text).toContain('<w:lvlJc w:val="start"/>');
    expect(text).toContain(`<w:ind w:left="${360 * (level + 2)}" w:hanging="360"/>`);
  }
});

it('writes the looks of texts', async () => {
  const look = async (more: Partial<Run>) => await bodyOf([{ kind: 'paragraph', runs: [{ text: 'x', ...more }] }]);
  expect(await look({ bold: true })).toContain('<w:rPr><w:b/><w:bCs/></w:rPr>');
  expect(await look({ italic: true })).toContain('<w:rPr><w:i/><w:iCs/></w:rPr>');
  expect(await look({ strike: true })).toContain('<w:rPr><w:strike/></w:rPr>');
  expect(await look({ code: true })).toMatch(/<w:rPr><w:rFonts [^>]*w:ascii="Courier New"[^>]*\/><\/w:rPr>/);
  expect(await look({ link: 'https://a.test/' })).toMatch(
    /^<w:p><w:hyperlink [^>]*><w:r><w:rPr><w:rStyle w:val="Hyperlink"\/><\/w:rPr><w:t [^>]*>x<\/w:t><\/w:r><\/w:hyperlink><\/w:p>$/,
  );
  expect(await look({ text: 'a\nb', bold: true })).toBe(
    '<w:p><w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t xml:space="preserve">a</w:t></w:r><w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:br/><w:t xml:space="preserve">b</w:t></w:r></w:p>',
  );
});

it('writes a table over the whole width, with a bold first row that each page repeats', async () => {
  const table = await bodyOf([{ kind: 'table', rows: [[run], [run]] }]);
  expect(table).toContain('<w:tblW w:type="pct" w:w="100%"/>');
  const rows = table.split('<w:tr>').slice(1);
  expect(rows.map((row) => [row.includes('<w:tblHeader/>'), row.includes('<w:b/>')])).toEqual([
    [true, true],
    [false, false],
  ]);
});
