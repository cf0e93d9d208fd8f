import JSZip from 'jszip';
import { expect, it } from 'vitest';
import { readOffice } from './read-office.ts';

const MANY = 1_000;

/** A file of slides with these texts of XML, by number. */
async function slides(xmlOf: Readonly<Record<number, string>>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [number, xml] of Object.entries(xmlOf)) zip.file(`ppt/slides/slide${number}.xml`, xml);
  zip.file('ppt/slides/_rels/slide1.xml.rels', '<a:t>not a slide</a:t>');
  return zip.generateAsync({ type: 'nodebuffer' });
}
const paragraph = (...texts: string[]) => `<a:p>${texts.map((text) => `<a:r><a:t>${text}</a:t></a:r>`).join('')}</a:p>`;

it('reads the paragraphs of slides in the order of their numbers', async () => {
  const bytes = await slides({
    10: paragraph('ten'),
    2: paragraph('a &amp; ', '&lt;b&gt;') + paragraph(' ') + paragraph('c'),
  });
  expect(await readOffice(bytes, 'pptx', MANY)).toEqual({ text: 'a & <b>\nc\n\nten', title: '' });
});

it('refuses a document with too many characters', async () => {
  const bytes = await slides({ 1: paragraph('12345') });
  expect((await readOffice(bytes, 'pptx', 5)).text).toBe('12345');
  await expect(readOffice(bytes, 'pptx', 4)).rejects.toMatchObject({ message: 'It has more than 4 characters.' });
});

it('refuses what is not the file that its name says', async () => {
  const empty = await slides({});
  for (const format of ['pptx', 'docx', 'xlsx'] as const)
    await expect(readOffice(empty, format, MANY)).rejects.toThrow('It is not the file that its name says');
  await expect(readOffice(Buffer.from('text'), 'docx', MANY)).rejects.toThrow('It is not the file that its name says');
});
