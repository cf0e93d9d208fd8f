import { expect, it } from 'vitest';
import { escaped, toHtml } from './to-html.ts';

const bodyOf = (markdown: string) => /<body>\n([\s\S]*)<\/body>/.exec(toHtml(markdown, 'T'))?.[1]?.trim();

it('writes a page that runs and sends nothing', () => {
  const page = toHtml('# A', 'A & <b>');
  expect(page).toContain('<title>A &amp; &lt;b&gt;</title>');
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  expect(page).toContain('<h1>A</h1>');
});

it('shows HTML of the Markdown as text', () => {
  expect(bodyOf('<script>alert(1)</script>')).not.toContain('<script');
  expect(bodyOf('a <img src=x onerror=alert(1)> b')).toBe('<p>a &lt;img src=x onerror=alert(1)&gt; b</p>');
});

it('links addresses only, and loads no image', () => {
  expect(bodyOf('[a *b*](https://a.test/?x="y")')).toBe(
    '<p><a href="https://a.test/?x=&quot;y&quot;">a <em>b</em></a></p>',
  );
  expect(bodyOf('[a](javascript:alert(1))')).toBe('<p>a</p>');
  expect(bodyOf('![pic](https://a.test/i.png)')).toBe('<p><a href="https://a.test/i.png">pic</a></p>');
  expect(bodyOf('![](https://a.test/i.png)')).toBe('<p><a href="https://a.test/i.png">https://a.test/i.png</a></p>');
  expect(bodyOf('![<b>](file:///etc/passwd)')).toBe('<p>&lt;b&gt;</p>');
});

it('writes tables and deletions as GitHub does', () => {
  expect(bodyOf('| a |\n| - |\n| b |')).toContain('<td>b</td>');
  expect(bodyOf('~~gone~~')).toBe('<p><del>gone</del></p>');
});

it('escapes what HTML gives a meaning', () => {
  expect(escaped(`<a href="x">&'`)).toBe(`&lt;a href=&quot;x&quot;&gt;&amp;'`);
});
