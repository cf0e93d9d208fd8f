import { fitItems } from './fit-result.ts';

/** What a drawn tree needs to know of an entry. */
export interface DrawnEntry {
  readonly name: string;
  readonly type: string;
  /** 1 for the children of the top. */
  readonly depth: number;
}

/** A tree as text. */
export interface DrawnTree {
  readonly tree: string;
  /** How many entries it shows. */
  readonly shown: number;
}

/**
 * Indented text, two spaces a level, directories with `/`; says so when entries were left out.
 *
 * @param truncated there are more entries than were given
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
