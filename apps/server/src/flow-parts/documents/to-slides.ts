import JSZip from 'jszip';
import type { Block, Run } from './markdown-blocks.ts';
import { contentTypes, layout, master, presentation, relations, shape, slide, theme } from './slide-parts.ts';
import { escaped } from './to-html.ts';

const LINES_PER_SLIDE = 12;

interface Line {
  readonly level: number;
  readonly runs: readonly Run[];
}

interface Slide {
  readonly title: readonly Run[];
  readonly lines: Line[];
}

/** A presentation: each heading of level 1 or 2 starts a slide, and a long one continues on the next. */
export async function toSlides(blocks: readonly Block[], title: string): Promise<Uint8Array> {
  const slides = slidesOf(blocks, title);
  const archive = new JSZip();
  archive.file('[Content_Types].xml', contentTypes(slides.length));
  archive.file('_rels/.rels', relations([['officeDocument', 'ppt/presentation.xml']]));
  archive.file('ppt/presentation.xml', presentation(slides.length));
  archive.file(
    'ppt/_rels/presentation.xml.rels',
    relations([
      ['slideMaster', 'slideMasters/slideMaster1.xml'],
      ...slides.map((_, at) => ['slide', `slides/slide${at + 1}.xml`] as const),
      ['theme', 'theme/theme1.xml'],
    ]),
  );
  archive.file('ppt/slideMasters/slideMaster1.xml', master);
  archive.file(
    'ppt/slideMasters/_rels/slideMaster1.xml.rels',
    relations([
      ['slideLayout', '../slideLayouts/slideLayout1.xml'],
      ['theme', '../theme/theme1.xml'],
    ]),
  );
  archive.file('ppt/slideLayouts/slideLayout1.xml', layout);
  archive.file(
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels',
    relations([['slideMaster', '../slideMasters/slideMaster1.xml']]),
  );
  archive.file('ppt/theme/theme1.xml', theme);
  for (const [at, { title: heading, lines }] of slides.entries()) {
    const shapes = `${shape('title', 2, paragraph({ level: 0, runs: heading }))}${shape('body', 3, lines.map(paragraph).join('') || undefined)}`;
    archive.file(`ppt/slides/slide${at + 1}.xml`, slide(shapes));
    archive.file(
      `ppt/slides/_rels/slide${at + 1}.xml.rels`,
      relations([['slideLayout', '../slideLayouts/slideLayout1.xml']]),
    );
  }
  return archive.generateAsync({ type: 'uint8array', compression: 'DEFLATE' });
}

function slidesOf(blocks: readonly Block[], title: string): readonly Slide[] {
  const slides: Slide[] = [];
  const add = (line: Line) => {
    let current = slides.at(-1);
    if (current === undefined || current.lines.length >= LINES_PER_SLIDE) {
      current = { title: current?.title ?? [{ text: title }], lines: [] };
      slides.push(current);
    }
    current.lines.push(line);
  };
  for (const block of blocks) {
    if (block.kind === 'heading' && block.level <= 2) slides.push({ title: block.runs, lines: [] });
    else if (block.kind === 'heading') add({ level: 0, runs: block.runs.map((run) => ({ ...run, bold: true })) });
    else if (block.kind === 'item') add({ level: block.level, runs: block.runs });
    else if (block.kind === 'code')
      for (const text of block.text.split('\n')) add({ level: 0, runs: [{ text, code: true }] });
    else if (block.kind === 'table')
      for (const row of block.rows)
        add({ level: 0, runs: row.flatMap((cell, at) => (at === 0 ? cell : [{ text: ' | ' }, ...cell])) });
    else if (block.kind !== 'rule') add({ level: 0, runs: block.runs });
  }
  return slides.length > 0 ? slides : [{ title: [{ text: title }], lines: [] }];
}

function paragraph({ level, runs }: Line): string {
  const texts = runs.map(({ text, bold, italic, code }) => {
    const look = `<a:rPr lang="en"${bold === true ? ' b="1"' : ''}${italic === true ? ' i="1"' : ''}>${code === true ? '<a:latin typeface="Courier New"/>' : ''}</a:rPr>`;
    return `<a:r>${look}<a:t>${escaped(text)}</a:t></a:r>`;
  });
  return `<a:p>${level > 0 ? `<a:pPr lvl="${level}"/>` : ''}${texts.join('')}</a:p>`;
}
