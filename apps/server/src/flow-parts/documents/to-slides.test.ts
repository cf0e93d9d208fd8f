import JSZip from 'jszip';
import { expect, it } from 'vitest';
import { type Block, readBlocks } from './markdown-blocks.ts';
import { readOffice } from './read-office.ts';
import { toSlides } from './to-slides.ts';

/** The slides of a Markdown text: the lines of each, its title first. */
async function linesOf(markdown: string, title = 'Untitled') {
  const bytes = Buffer.from(await toSlides(readBlocks(markdown), title));
  const { text } = await readOffice(bytes, 'pptx', 100_000);
  return text.split('\n\n').map((slide) => slide.split('\n'));
}

async function xmlOf(blocks: readonly Block[], name = 'ppt/slides/slide1.xml') {
  const archive = await JSZip.loadAsync(await toSlides(blocks, 'T'));
  return (await archive.file(name)?.async('string')) ?? '';
}

it('starts a slide at each heading of level 1 or 2', async () => {
  expect(await linesOf('Intro\n\n# One\n\n- a\n  - b\n\n## Two\n\n### Three\n\n---\n\ntext')).toEqual([
    ['Untitled', 'Intro'],
    ['One', 'a', 'b'],
    ['Two', 'Three', 'text'],
  ]);
  expect(await linesOf('', 'Only')).toEqual([['Only']]);
});

it('continues a long slide on the next one, under the same title', async () => {
  const items = Array.from({ length: 13 }, (_, at) => `- item ${at}`).join('\n');
  const slides = await linesOf(`# Long\n\n${items}`);
  expect(slides.map(([title, ...lines]) => [title, lines.length])).toEqual([
    ['Long', 12],
    ['Long', 1],
  ]);
});

it('writes tables and code line by line', async () => {
  const [slide] = await linesOf('# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx\ny\n```\n');
  expect(slide).toEqual(['T', 'a | b', '1 | 2', 'x', 'y']);
});

it('keeps the looks and levels of texts, and escapes them', async () => {
  const xml = await xmlOf(readBlocks('- a\n  - **b** *c* `d` <&>'));
  expect(xml).toContain('<a:p><a:r><a:rPr lang="en"></a:rPr><a:t>a</a:t></a:r></a:p>');
  expect(xml).toContain('<a:pPr lvl="1"/>');
  expect(xml).toContain('<a:rPr lang="en" b="1"></a:rPr><a:t>b</a:t>');
  expect(xml).toContain('<a:rPr lang="en" i="1"></a:rPr><a:t>c</a:t>');
  expect(xml).toContain('<a:latin typeface="Courier New"/></a:rPr><a:t>d</a:t>');
  expect(xml).toContain('&lt;&amp;&gt;');
});

it('has a part, a type and a relation for each slide', async () => {
  const archive = await JSZip.loadAsync(await toSlides(readBlocks('# A\n\n# B'), 'T'));
  const read = async (name: string) => (await archive.file(name)?.async('string')) ?? '';
  const [types, relations, presentation] = [
    await read('[Content_Types].xml'),
    await read('ppt/_rels/presentation.xml.rels'),
    await read('ppt/presentation.xml'),
  ];
  for (const number of [1, 2]) {
    expect(types).toContain(`/ppt/slides/slide${number}.xml`);
    expect(relations).toContain(
      `Id="rId${number + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide" Target="slides/slide${number}.xml"`,
    );
    expect(presentation).toContain(`<p:sldId id="${255 + number}" r:id="rId${number + 1}"/>`);
    expect(await read(`ppt/slides/_rels/slide${number}.xml.rels`)).toContain('../slideLayouts/slideLayout1.xml');
  }
  expect(Object.keys(archive.files)).not.toContain('ppt/slides/slide3.xml');
  for (const part of [
    '_rels/.rels',
    'ppt/theme/theme1.xml',
    'ppt/slideMasters/slideMaster1.xml',
    'ppt/slideMasters/_rels/slideMaster1.xml.rels',
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels',
  ])
    expect((await read(part)).startsWith('<?xml')).toBe(true);
});

it('has bold subheadings and rows, and the same title on each slide that it continues', async () => {
  const xml = await xmlOf(readBlocks('# T\n\n### Sub\n\n> quoted\n\n---\n\n| a | b | c |\n|---|---|---|\n'));
  expect(xml).toContain('<a:rPr lang="en" b="1"></a:rPr><a:t>Sub</a:t>');
  expect([...xml.matchAll(/<a:t>([^<]*)<\/a:t>/g)].map(([, text]) => text)).toEqual([
    'T',
    'Sub',
    'quoted',
    'a',
    ' | ',
    'b',
    ' | ',
    'c',
  ]);
  expect(xml).not.toContain('lvl=');
  const long = await linesOf(Array.from({ length: 26 }, (_, at) => `p${at}`).join('\n\n'), 'Doc');
  expect(long.map(([title, first, ...more]) => [title, first, more.length])).toEqual([
    ['Doc', 'p0', 11],
    ['Doc', 'p12', 11],
    ['Doc', 'p24', 1],
  ]);
});

it('has shapes for title and text, and relations of each part', async () => {
  const archive = await JSZip.loadAsync(await toSlides(readBlocks('# A\n\nx\n\n# B'), 'T'));
  const read = async (name: string) => (await archive.file(name)?.async('string')) ?? '';
  const slide = await read('ppt/slides/slide1.xml');
  expect(slide.indexOf('type="title"')).toBeGreaterThan(0);
  expect(slide.indexOf('type="body"')).toBeGreaterThan(slide.indexOf('type="title"'));
  expect([...slide.matchAll(/<p:cNvPr id="(\d+)"/g)].map(([, id]) => id).slice(-2)).toEqual(['2', '3']);
  const targets = async (name: string) =>
    [...(await read(name)).matchAll(/relationships\/(\w+)" Target="([^"]+)"/g)].map(([, kind, to]) => [kind, to]);
  expect(await targets('_rels/.rels')).toEqual([['officeDocument', 'ppt/presentation.xml']]);
  expect(await targets('ppt/_rels/presentation.xml.rels')).toEqual([
    ['slideMaster', 'slideMasters/slideMaster1.xml'],
    ['slide', 'slides/slide1.xml'],
    ['slide', 'slides/slide2.xml'],
    ['theme', 'theme/theme1.xml'],
  ]);
  expect(await targets('ppt/slideMasters/_rels/slideMaster1.xml.rels')).toEqual([
    ['slideLayout', '../slideLayouts/slideLayout1.xml'],
    ['theme', '../theme/theme1.xml'],
  ]);
  const layout = ['slideLayout', '../slideLayouts/slideLayout1.xml'];
  expect(await targets('ppt/slides/_rels/slide2.xml.rels')).toEqual([layout]);
  expect(await targets('ppt/slideLayouts/_rels/slideLayout1.xml.rels')).toEqual([
    ['slideMaster', '../slideMasters/slideMaster1.xml'],
  ]);
  for (const [part, root] of [
    ['ppt/slideMasters/slideMaster1.xml', 'p:sldMaster'],
    ['ppt/slideLayouts/slideLayout1.xml', 'p:sldLayout'],
    ['ppt/theme/theme1.xml', 'a:theme'],
    ['ppt/presentation.xml', 'p:presentation'],
    ['ppt/slides/slide2.xml', 'p:sld'],
  ] as const)
    expect(await read(part)).toContain(`<${root} `);
  const bytes = await toSlides(readBlocks('# A'), 'T');
  expect([bytes instanceof Uint8Array, bytes.length < 8_000]).toEqual([true, true]);
});
