import { expect, it } from 'vitest';
import { COLOURS, escapeHtml, layout } from './layout.ts';

it('escapes what HTML gives a meaning', () => {
  expect(escapeHtml(`<a href="x" title='y'>&`)).toBe('&#60;a href=&#34;x&#34; title=&#39;y&#39;&#62;&#38;');
});

it('has its style and script under one nonce, and fetches nothing', () => {
  const { body, nonce } = layout('A <b>', 'n0nce', '<p>content</p>', 'run()');
  expect(nonce).toBe('n0nce');
  expect(body).toContain('<title>A &#60;b&#62;</title>');
  expect(body).toContain('<main><p>content</p></main>');
  expect(body).toContain('<script nonce="n0nce">run()</script>');
  expect(body).toContain('<style nonce="n0nce">');
  expect(body.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|src=/);
});

it('has no script where none is given', () => {
  expect(layout('A', 'n', 'x').body).not.toContain('<script');
});

it('is this page around its style', () => {
  const { body } = layout('T', 'n', 'content', 'run()');
  const icon = /href="data:image\/svg\+xml,([^"]*)"/.exec(body)?.[1] ?? '';
  const mark = decodeURIComponent(icon);
  expect(mark).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>$/);
  expect(
    body
      .replace(/<style nonce="n">[^<]+<\/style>/, 'STYLE')
      .replace(icon, 'ICON')
      .replace(mark, 'MARK'),
  ).toBe(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>T</title>
<link rel="icon" href="data:image/svg+xml,ICON">
STYLE
</head>
<body>
<header><span class="mark" aria-hidden="true">MARK</span><span class="name">Croft</span></header>
<main>content</main>
<script nonce="n">run()</script>
</body>
</html>`,
  );
  expect(body).toContain(COLOURS);
  expect(COLOURS).toContain('prefers-color-scheme:dark');
  expect(layout('T', 'n', 'content').body).toContain('<main>content</main>\n\n</body>');
});
