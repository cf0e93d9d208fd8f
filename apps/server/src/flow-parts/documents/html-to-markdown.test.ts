import { expect, it } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';

it.each([
  ['<h1>Title</h1><p>One</p><p>Two</p>', '# Title\n\nOne\n\nTwo'],
  ['<h3>Deep</h3>', '### Deep'],
  ['<p>A <strong>bold</strong> and <em>thin</em><br />line</p>', 'A **bold** and *thin*\nline'],
  [
    '<p><a href="https://a.test/?a=1&amp;b=2">link</a> <a id="x">anchor</a></p>',
    '[link](https://a.test/?a=1&b=2) anchor',
  ],
  ['<p>&lt;b&gt; &amp;amp; &quot;x&quot;</p>', '<b> &amp; "x"'],
])('writes %s as Markdown', (html, markdown) => {
  expect(htmlToMarkdown(html)).toBe(markdown);
});

it('numbers and indents lists', () => {
  const html =
    '<p>List:</p><ul><li>a<ul><li>a1</li><li>a2</li></ul></li><li>b</li></ul><ol><li>x</li><li>y</li></ol><p>End</p>';
  expect(htmlToMarkdown(html)).toBe('List:\n\n- a\n  - a1\n  - a2\n- b\n\n1. x\n2. y\n\nEnd');
});

it('writes a table with a line below its first row', () => {
  const html =
    '<table><tr><th><p>A</p></th><th><p>B</p></th></tr><tr><td><p>1 | 2</p></td><td><p>x</p><p>y<br />z</p></td></tr></table>';
  expect(htmlToMarkdown(html)).toBe('| A | B |\n| --- | --- |\n| 1 \\| 2 | xy z |');
});

it('puts a table in a table into its cell', () => {
  const html = '<table><tr><td>a<table><tr><td>b</td></tr></table></td></tr></table><p>End</p>';
  expect(htmlToMarkdown(html)).toBe('| ab |\n| --- |\n\nEnd');
});

it('leaves no more than one empty line between blocks', () => {
  expect(htmlToMarkdown('<p>a</p><p></p><p></p><p>b</p>')).toBe('a\n\nb');
});
