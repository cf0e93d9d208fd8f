import {
  AlignmentType,
  Document,
  ExternalHyperlink,
  type FileChild,
  HeadingLevel,
  LevelFormat,
  Packer,
  Paragraph,
  type ParagraphChild,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import type { Block, Run } from './markdown-blocks.ts';

const HEADINGS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const;
const NUMBERS = 'numbers';
const LEVELS = [0, 1, 2, 3, 4, 5, 6, 7];
const TWIPS_PER_LEVEL = 360;

/** A Word document. */
export async function toWord(blocks: readonly Block[], title: string): Promise<Uint8Array> {
  const document = new Document({
    title,
    creator: 'Croft',
    numbering: {
      config: [
        {
          reference: NUMBERS,
          levels: LEVELS.map((level) => ({
            level,
            format: LevelFormat.DECIMAL,
            text: `%${level + 1}.`,
            alignment: AlignmentType.START,
            style: { paragraph: { indent: { left: TWIPS_PER_LEVEL * (level + 2), hanging: TWIPS_PER_LEVEL } } },
          })),
        },
      ],
    },
    sections: [{ children: blocks.map(toChild) }],
  });
  return new Uint8Array(await Packer.toBuffer(document));
}

function toChild(block: Block): FileChild {
  switch (block.kind) {
    case 'heading':
      return new Paragraph({
        heading: HEADINGS[block.level - 1] ?? HeadingLevel.HEADING_6,
        children: toRuns(block.runs),
      });
    case 'item': {
      const { level, list, runs } = block;
      const mark =
        list === undefined ? { bullet: { level } } : { numbering: { reference: NUMBERS, level, instance: list } };
      return new Paragraph({ ...mark, children: toRuns(runs) });
    }
    case 'quote':
      return new Paragraph({ indent: { left: 2 * TWIPS_PER_LEVEL }, children: toRuns(block.runs) });
    case 'code':
      return new Paragraph({ children: toRuns([{ text: block.text, code: true }]) });
    case 'table':
      return toTable(block.rows);
    case 'rule':
      return new Paragraph({ thematicBreak: true });
    default:
      return new Paragraph({ children: toRuns(block.runs) });
  }
}

function toTable(rows: readonly (readonly (readonly Run[])[])[]): Table {
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: rows.map(
      (row, index) =>
        new TableRow({
          tableHeader: index === 0,
          children: row.map(
            (cell) =>
              new TableCell({
                children: [
                  new Paragraph({ children: toRuns(index === 0 ? cell.map((run) => ({ ...run, bold: true })) : cell) }),
                ],
              }),
          ),
        }),
    ),
  });
}

function toRuns(runs: readonly Run[]): ParagraphChild[] {
  return runs
    .map(({ text, link, bold, italic, code, strike }) => {
      const [first = '', ...more] = text.split('\n');
      const look = {
        ...(bold && { bold }),
        ...(italic && { italics: true }),
        ...(strike && { strike }),
        ...(code && { font: 'Courier New' }),
      };
      const lines = [
        new TextRun({ ...look, text: first, ...(link !== undefined && { style: 'Hyperlink' }) }),
        ...more.map((line) => new TextRun({ ...look, text: line, break: 1 })),
      ];
      const [only] = lines;
      if (link !== undefined) return [new ExternalHyperlink({ link, children: lines })];
      return lines.length === 1 && only ? [only] : lines;
    })
    .flat();
}
