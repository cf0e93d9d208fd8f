import { expect, it } from 'vitest';
import { DocumentProblem } from './document-job.ts';
import { readOffice } from './read-office.ts';
import { writeDocument } from './write-document.ts';

const textOf = async (markdown: string, format: 'docx' | 'pptx', title = 'Title') =>
  (await readOffice(Buffer.from(await writeDocument(markdown, { format, title })), format, 1_000_000)).text;

it('writes each format', async () => {
  const html = Buffer.from(await writeDocument('# One\n\n<b>x</b>', { format: 'html', title: 'T' })).toString();
  expect(html).toContain('<h1>One</h1>');
  expect(html).toContain('&lt;b&gt;');
  expect(html).toContain('<title>T</title>');
  expect(await textOf('# One\n\ntext', 'docx')).toMatch(/One[^]*text/);
  expect(await textOf('text', 'pptx')).toBe('Title\ntext');
});

it('takes out control characters, which XML cannot hold, and keeps lines and tabs', async () => {
  const controls = '\u0000\u0008\u000b\u000c\u000e\u001f\ufffe\uffff';
  for (const format of ['docx', 'pptx'] as const) {
    const text = await textOf([...controls].map((each) => `a${each}b`).join('\n\n'), format, 't\u0001u');
    expect(text.match(/a b/g)).toHaveLength(controls.length);
    if (format === 'pptx') expect(text).toMatch(/^t u\n/);
  }
});

it('does not write more than 50,000 paragraphs', async () => {
  const refusal = await writeDocument('a\n\n'.repeat(50_001), { format: 'docx', title: '' }).catch(
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(DocumentProblem);
  expect(refusal).toMatchObject({ message: 'The text has more than 50000 paragraphs.', fix: 'Split it.' });
});
