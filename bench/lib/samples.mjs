import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCorpus } from './corpus.mjs';

const SIZE = 4096;

/**
 * Creates files of exactly 4,096 bytes of source-like text, each with a unique mark in its last line.
 *
 * @returns {{path: string, text: string, mark: Buffer}[]}
 */
export function makeSamples(dir, count, seed = 4) {
  const corpus = makeCorpus(count * SIZE * 2, seed);
  let at = 0;
  return Array.from({ length: count }, (_, i) => {
    const path = `sample-${String(i).padStart(3, '0')}.ts`;
    const last = `// mark-${i}-${(i * 7919) % 10007}.\n`;
    let text = '';
    while (text.length + corpus[at].length + 1 + last.length <= SIZE) text += `${corpus[at++]}\n`;
    const room = SIZE - text.length - last.length;
    if (room > 0) text += `${'/'.repeat(room - 1)}\n`;
    text += last;
    if (Buffer.byteLength(text) !== SIZE) throw new Error(`sample of ${Buffer.byteLength(text)} bytes`);
    writeFileSync(join(dir, path), text);
    return { path, text, mark: Buffer.from(last.trim()) };
  });
}
