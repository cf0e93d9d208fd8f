import { expect, it } from 'vitest';
import { readBlocks } from './markdown-blocks.ts';
import { readOffice } from './read-office.ts';
import { toWord } from './to-word.ts';

/** A Markdown text after it was written as a Word document and read again. */
async function throughWord(markdown: string) {
  const bytes = Buffer.from(await toWord(readBlocks(markdown), 'Title'));
  return (await readOffice(bytes, 'docx', 100_000)).text;
}

it.each([
  ['headings', '# One\n\n## Two\n\nText'],
  ['looks', 'A **bold** and *thin* word'],
  ['links', 'See [the page](https://a.test/).'],
  ['lists', '- a\n  - b\n- c'],
  ['numbers', '1. a\n2. b'],
  ['tables', '| **a** | **b** |\n| --- | --- |\n| 1 | 2 |'],
])('keeps %s', async (_, markdown) => {
  expect(await throughWord(markdown)).toBe(markdown);
});

it('keeps the lines of code, and the text of quotes', async () => {
  expect(await throughWord('```\na\nb\n```\n\n> quoted')).toBe('a\nb\n\nquoted');
});

it('writes an empty document', async () => {
  expect(await throughWord('')).toBe('');
});
