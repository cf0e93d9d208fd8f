import { ComponentError, type CroftComponent } from '../services.ts';
import { type Row, toRows, toText } from '../values.ts';

const SEPARATORS = ['\n\n', '\n', '. ', ' ', ''];

/** Long texts as rows of bounded length. */
export const splitText: CroftComponent = {
  descriptor: {
    type: 'SplitText',
    label: 'Split text',
    description: 'Cuts texts into chunks, at paragraphs, lines or words where it can.',
    category: 'processing',
    icon: 'scissors',
    keywords: ['chunk'],
    effects: ['none'],
    fields: [
      {
        name: 'data_inputs',
        label: 'Texts',
        kind: 'handle',
        accepts: ['Message', 'Data', 'Table'],
        list: true,
        required: true,
      },
      { name: 'chunk_size', label: 'Characters in a chunk', kind: 'integer', default: 1000, min: 1, max: 1_000_000 },
      {
        name: 'chunk_overlap',
        label: 'Characters shared with the chunk before',
        kind: 'integer',
        default: 200,
        min: 0,
        max: 1_000_000,
      },
      {
        name: 'separator',
        label: 'Separator',
        kind: 'text',
        default: '',
        variables: false,
        help: 'Cut here first. Empty: paragraphs, lines, sentences, words.',
      },
      {
        name: 'text_key',
        label: 'Field with the text',
        kind: 'text',
        default: 'text',
        variables: false,
        advanced: true,
      },
    ],
    outputs: [{ name: 'dataframe', label: 'Chunks', types: ['Table'] }],
  },
  run({ inputs }) {
    const size = Number(inputs['chunk_size']);
    const overlap = Number(inputs['chunk_overlap']);
    if (overlap * 2 > size)
      throw new ComponentError(
        `The overlap (${overlap}) must be at most half of a chunk (${size}).`,
        'Lower chunk_overlap or raise chunk_size.',
      );
    const separators = inputs['separator'] === '' ? SEPARATORS : [String(inputs['separator']), ...SEPARATORS];
    const key = String(inputs['text_key']);
    const rows = toRows(inputs['data_inputs']).flatMap((row): Row[] => {
      const text = toText(row[key] ?? row);
      return splitInto(text, size, overlap, separators).map((chunk) => ({ ...row, [key]: chunk }));
    });
    return { dataframe: rows };
  },
};

/**
 * Chunks of at most `size` characters; each begins with up to `overlap` characters of the one before. Cuts at the last
 * separator that fits, in the order of preference. Linear in the text where the overlap is at most half of a chunk.
 */
export function splitInto(text: string, size: number, overlap: number, separators: readonly string[]): string[] {
  const chunks: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = start + size >= text.length ? text.length : cutAt(text, start, size, separators);
    const chunk = text.slice(start, end).trim();
    if (chunk !== '') chunks.push(chunk);
    if (end >= text.length) break;
    start = Math.max(end - overlap, start + 1);
  }
  return chunks;
}

/** Never before half of the chunk: a lone early separator would make many tiny chunks. */
function cutAt(text: string, start: number, size: number, separators: readonly string[]): number {
  const window = text.slice(start, start + size);
  for (const separator of separators) {
    if (separator === '') break;
    const at = window.lastIndexOf(separator);
    if (at > size / 2) return start + at + separator.length;
  }
  return start + size;
}
