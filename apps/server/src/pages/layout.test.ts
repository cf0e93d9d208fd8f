import { expect, it } from 'vitest';
import { escapeHtml, layout } from './layout.ts';

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
