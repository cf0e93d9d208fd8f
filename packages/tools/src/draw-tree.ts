import { fitItems } from './fit-result.ts';

/** One entry of a drawn tree. */
export interface DrawnEntry {
  readonly name: string;
  readonly type: string;
  /** Level below the top; 1 for its children. */
  readonly depth: number;
}

/** A tree as text. */
export interface DrawnTree {
  readonly tree: string;
  /** How many entries it shows. */
  readonly shown: number;
}

/**
 * Draws a tree as indented text: two spaces per level, `/` after directories, and a last line if entries are left out.
 *
 * @param truncated whether there are more entries than `entries`
 * @param maxBytes most bytes of JSON the text may take
 */
export function drawTree(top: string, entries: readonly DrawnEntry[], truncated: boolean, maxBytes: number): DrawnTree {
  const lines = entries.map(
    ({ name, type, depth }) => `${'  '.repeat(depth)}${name}${type === 'directory' ? '/' : ''}`,
  );
  const shown = fitItems(lines, maxBytes);
  const note = truncated || shown.length < lines.length ? [`  ... (truncated at ${shown.length} entries)`] : [];
  return { tree: [`${top || '.'}/`, ...shown, ...note].join('\n'), shown: shown.length };
}
