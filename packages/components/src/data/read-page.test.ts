import { describe, expect, it } from 'vitest';
import { readPage } from './read-page.ts';

const read = (html: string) => readPage(html, 'https://example.com/', { format: 'Markdown', onlyArticle: true });

describe('a page', () => {
  it('is refused where its elements are nested too deep for the parser', async () => {
    await expect(read('<div>'.repeat(4_000))).rejects.toThrow('more than 256 levels');
    await expect(read('<ul><li>'.repeat(4_000))).rejects.toThrow('more than 256 levels');
  });

  it('is refused where it has too many elements', async () => {
    await expect(read('<br>'.repeat(20_001))).rejects.toThrow('more than 20000 elements');
  });

  it('is read with many elements beside each other, closed or not', async () => {
    const { text } = await read(`<p>One<br>two</p>${'<p>more'.repeat(300)}${'<div>end</div>'.repeat(300)}`);
    expect(text).toContain('One');
    expect(text).toContain('end');
  });
});
