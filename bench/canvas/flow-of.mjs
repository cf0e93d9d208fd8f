const ROWS = 25;

/**
 * A flow of layers: every component leads to two of the next column.
 *
 * @param {number} count
 * @returns a document of `@croft/flow`
 */
export function flowOf(count) {
  const id = (at) => `Prompt-${at}`;
  const nodes = Array.from({ length: count }, (_, at) => ({
    id: id(at),
    type: 'PromptTemplate',
    position: { x: Math.floor(at / ROWS) * 600, y: (at % ROWS) * 350 },
    values: { template: 'Say {first} and {second}' },
  }));
  const edges = [];
  for (let at = ROWS; at < count; at++) {
    const column = Math.floor(at / ROWS) - 1;
    const from = (row) => id(column * ROWS + (row % ROWS));
    const to = (port) => ({ node: id(at), port });
    edges.push({ from: { node: from(at), port: 'prompt' }, to: to('first') });
    edges.push({ from: { node: from(at + 1), port: 'prompt' }, to: to('second') });
  }
  const viewport = { x: 0, y: 0, zoom: 1 };
  return { version: 1, name: `${count} components`, description: '', nodes, edges, notes: [], groups: [], viewport };
}
