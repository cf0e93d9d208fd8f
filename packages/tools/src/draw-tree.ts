/** What a drawn tree needs to know of an entry. */
export interface DrawnEntry {
  readonly name: string;
  readonly type: string;
  /** 1 for the children of the top. */
  readonly depth: number;
}

/** Indented text, two spaces a level, directories with `/`; says so when entries were left out. */
export function drawTree(top: string, entries: readonly DrawnEntry[], truncatedAt?: number): string {
  const lines = entries.map(({ name, type, depth }) => `${'  '.repeat(depth)}${name}${type === 'directory' ? '/' : ''}`);
  if (truncatedAt !== undefined) lines.push(`  ... (truncated at ${truncatedAt} entries)`);
  return [`${top || '.'}/`, ...lines].join('\n');
}
