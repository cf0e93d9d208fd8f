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

it.each([
  ['<h2>A</h2><h6>B</h6>text', '## A\n\n###### B\n\ntext'],
  ['text<p>A</p>end', 'text\n\nA\n\nend'],
  ['<p>a<br />b<br/>c</p>', 'a\nb\nc'],
  ['<h7>x</h7><span class="s">y</span>', 'xy'],
  ['<p><a name="x" href="#top">up</a></p>', '[up](#top)'],
  ['<p><a href="">none</a> after</a></p>', 'none after'],
  ['<p>a|b   c</p>', 'a|b   c'],
  ['<li>x</li>', '- x'],
  ['', ''],
])('reads %j', (html, markdown) => {
  expect(htmlToMarkdown(html)).toBe(markdown);
});

it('numbers each list by itself, and paragraphs in items', () => {
  expect(
    htmlToMarkdown('<ol><li><p>a</p><ol><li>b</li><li>c</li></ol></li><li>d</li></ol><ol><li>e</li></ol>text'),
  ).toBe('1. a\n  1. b\n  2. c\n2. d\n\n1. e\n\ntext');
  expect(htmlToMarkdown('<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li></ul>')).toBe('- a\n  - b\n    - c');
  expect(htmlToMarkdown('text<ul><li>a</li></ul>')).toBe('text\n\n- a');
});

it('writes what is in a cell on one line, and tables one after the other', () => {
  const cell = '<h1>a</h1>\n <p>b<br />c   d</p>';
  expect(htmlToMarkdown(`x<table><tr><td>${cell}</td></tr></table><table><tr><td>e</td></tr></table>y`)).toBe(
    'x\n\n| a b c d |\n| --- |\n\n| e |\n| --- |\n\ny',
  );
  expect(htmlToMarkdown('<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr><tr><td>4</td></tr></table>')).toBe(
    '| 1 | 2 |\n| --- | --- |\n| 3 |\n| 4 |',
  );
  expect(
    htmlToMarkdown(
      '<table><tr><td>a<table><tr><td>b</td><td>c</td></tr><tr><td>d</td></tr></table></td><td>e</td></tr></table>',
    ),
  ).toBe('| abcd | e |\n| --- | --- |');
});
