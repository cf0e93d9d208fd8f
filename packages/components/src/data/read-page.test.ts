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

const PAGE = `<!doctype html><html lang="de"><head><title> Title </title>
<meta name="description" content=" About it "><script>let a;</script></head>
<body><h1>Head</h1><ul><li>One</li></ul><pre><code>x</code></pre>
<a href="/b#c">B</a><a href="https://example.com/b">B again</a><a href="mailto:a@b">Mail</a><a href="http://[">Bad</a>
<script>hidden()</script><style>p{}</style><p>Some   text<br>more</p></body></html>`;

describe('the text of a page', () => {
  const as = (format: 'Markdown' | 'Text' | 'HTML', html = PAGE) =>
    readPage(html, 'https://example.com/a/', { format, onlyArticle: false });

  it('is Markdown, plain text, or the page as it is', async () => {
    expect(
      await as('Markdown', '<h1>Head</h1><ul><li>One</li></ul><pre><code>x</code></pre><p>Text</p>'),
    ).toMatchObject({
      text: '# Head\n\n-   One\n\n```\nx\n```\n\nText',
    });
    expect((await as('Text')).text).toBe('Head\nOne\n\nx\n\nBB againMailBad\nSome text\nmore');
    expect((await as('HTML')).text).toBe(PAGE);
  });

  it('has a title, a description, a language, and each address of a link once', async () => {
    const { text: _, ...about } = await as('HTML');
    expect(about).toEqual({
      title: 'Title',
      description: 'About it',
      language: 'de',
      links: ['https://example.com/b'],
    });
    const og = '<meta property="og:title" content="Open"><meta property="og:description" content="Graph"><p>x</p>';
    expect(await as('Text', og)).toEqual({ title: 'Open', description: 'Graph', language: '', links: [], text: 'x' });
  });

  it.each([
    '<body><p>x</p></body>',
    '<!doctype html><title>T</title><body><p>x</p>',
    '<head><title>T</title></head><BODY class="a"><p>x</p></BODY>',
    '<html lang="en"><title>T</title><body><p>x</p></body></html>',
    '<p>x</p>',
  ])('is read from %s, which leaves out elements', async (html) => {
    for (const onlyArticle of [true, false])
      expect(await readPage(html, 'https://example.com/', { format: 'Text', onlyArticle })).toMatchObject({
        text: 'x',
        title: html.includes('title') ? 'T' : '',
      });
  });

  it('may have 20,000 elements and 256 levels', async () => {
    // With the two around it.
    await expect(as('HTML', '<br>'.repeat(19_998))).resolves.toMatchObject({ links: [] });
    await expect(as('HTML', '<br>'.repeat(19_999))).rejects.toThrow('The page has more than 20000 elements.');
    const nested = (levels: number) => as('HTML', '<b>'.repeat(levels));
    await expect(nested(254)).resolves.toMatchObject({ title: '' });
    await expect(nested(255)).rejects.toThrow('The page has more than 256 levels of elements.');
    await expect(nested(255)).rejects.toMatchObject({ fix: 'Use another page, or a part of this one.' });
  });

  it('is the article alone where one is found', async () => {
    const paragraph = `<p>${'This is a sentence of the article, and it is long enough. '.repeat(10)}</p>`;
    const html = `<body><nav>Menu of the site</nav><article>${paragraph.repeat(4)}</article></body>`;
    const read = async (onlyArticle: boolean) =>
      (await readPage(html, 'https://example.com/', { format: 'Text', onlyArticle })).text.includes('Menu');
    expect([await read(true), await read(false)]).toEqual([false, true]);
  });
});
