import { Component, ComponentError, type Row, TextFinder, toRows, toText } from './component.ts';

/** Long texts as rows of bounded length. */
export class SplitText extends Component {
  label = 'Split text';
  description = 'Cuts texts into chunks, at paragraphs, lines or words where it can.';
  icon = 'scissors';
  inputs = [
    {
      name: 'data_inputs',
      label: 'Texts',
      kind: 'handle',
      accepts: ['Message', 'Data', 'Table'],
      list: true,
      required: true,
    },
    { name: 'chunk_size', label: 'Characters in a chunk', kind: 'integer', default: 1000, min: 1, max: 1000000 },
    {
      name: 'chunk_overlap',
      label: 'Characters shared with the chunk before',
      kind: 'integer',
      default: 200,
      min: 0,
      max: 1000000,
    },
    {
      name: 'separator',
      label: 'Separator',
      kind: 'text',
      default: '',
      variables: false,
      help: 'Cut here first. Empty: paragraphs, lines, sentences, words.',
      accepts: ['Message'],
      portWhenConnected: true,
    },
    {
      name: 'text_key',
      label: 'Field with the text',
      kind: 'text',
      default: 'text',
      variables: false,
      advanced: true,
      accepts: [],
    },
  ];
  outputs = [{ name: 'dataframe', label: 'Chunks', types: ['Table'] }];
  data_inputs: unknown;
  chunk_size: unknown;
  chunk_overlap: unknown;
  separator: unknown;
  text_key: unknown;

  run() {
    const size = Number(this.chunk_size);
    const overlap = Number(this.chunk_overlap);
    if (overlap * 2 > size)
      throw new ComponentError(
        `The overlap (${overlap}) must be at most half of a chunk (${size}).`,
        'Lower chunk_overlap or raise chunk_size.',
      );
    const separator = toText(this.separator);
    const separators = separator === '' ? SEPARATORS : [separator, ...SEPARATORS];
    const key = String(this.text_key);
    let left = MAX_VALUES;
    const rows = toRows(this.data_inputs).flatMap((row): Row[] => {
      const text = toText(row[key] ?? row);
      const columns = Object.keys({ ...row, [key]: text }).length;
      const chunks = splitInto(text, size, overlap, separators, () => {
        left -= columns;
        if (left < 0) throw new ComponentError(`The chunks have more than ${MAX_VALUES} values.`, 'Raise chunk_size.');
      });
      return chunks.map((chunk) => ({ ...row, [key]: chunk }));
    });
    return { dataframe: rows };
  }
}

/** Values of all rows together, as of a join. */
const MAX_VALUES = 2_000_000;
const SEPARATORS = ['\n\n', '\n', '. ', ' '];

/**
 * Chunks of at most `size` characters; each begins with up to `overlap` characters of the one before. Cuts at the last
 * separator that fits, in the order of preference. Linear in the text where the overlap is at most half of a chunk.
 *
 * @param onChunk called before each chunk is cut, also before one of spaces, which is left out
 */
export function splitInto(
  text: string,
  size: number,
  overlap: number,
  separators: readonly string[],
  onChunk: () => void = () => {},
): string[] {
  const chunks: string[] = [];
  const finders = separators.filter((each) => each !== '').map((each) => new TextFinder(each));
  let start = 0;
  while (start < text.length) {
    onChunk();
    const end = start + size >= text.length ? text.length : cutAt(text, start, size, finders);
    const chunk = text.slice(start, end).trim();
    if (chunk !== '') chunks.push(chunk);
    if (end >= text.length) break;
    start = Math.max(end - overlap, start + 1);
  }
  return chunks;
}

/** Never before half of the chunk: a lone early separator would make many tiny chunks. */
function cutAt(text: string, start: number, size: number, finders: readonly TextFinder[]): number {
  const window = text.slice(start, start + size);
  for (const finder of finders) {
    const at = finder.last(window);
    if (at > size / 2) return start + at + finder.wanted.length;
  }
  return start + size;
}
