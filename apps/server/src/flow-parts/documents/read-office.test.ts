import JSZip from 'jszip';
import { expect, it } from 'vitest';
import { readOffice } from './read-office.ts';

const MANY = 1_000;

/** An Office file with these parts. */
async function office(parts: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [name, text] of Object.entries(parts)) zip.file(name, text);
  return zip.generateAsync({ type: 'nodebuffer' });
}

/** A file of slides with these texts of XML, by number. */
const slides = (xmlOf: Readonly<Record<number, string>>): Promise<Buffer> =>
  office({
    ...Object.fromEntries(Object.entries(xmlOf).map(([number, xml]) => [`ppt/slides/slide${number}.xml`, xml])),
    'ppt/slides/_rels/slide1.xml.rels': '<a:t>not a slide</a:t>',
    'old/ppt/slides/slide1.xml': '<a:t>not a slide</a:t>',
  });
const paragraph = (...texts: string[]) => `<a:p>${texts.map((text) => `<a:r><a:t>${text}</a:t></a:r>`).join('')}</a:p>`;

it('reads the paragraphs of slides in the order of their numbers', async () => {
  const bytes = await slides({
    10: paragraph('ten'),
    2: paragraph('a &amp; ', '&lt;b&gt; &quot;&apos;&amp;lt;') + paragraph(' ') + paragraph('c'),
  });
  expect(await readOffice(bytes, 'pptx', MANY)).toEqual({ text: 'a & <b> "\'&lt;\nc\n\nten', title: '' });
});

const FORMATS = 'http://schemas.openxmlformats.org';
const RELATIONS = `${FORMATS}/officeDocument/2006/relationships`;
const relations = (kind: string, ...targets: string[]) =>
  `<Relationships xmlns="${FORMATS}/package/2006/relationships">${targets
    .map((target, at) => `<Relationship Id="r${at + 1}" Type="${RELATIONS}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`;
const types = (inner = '') => `<Types xmlns="${FORMATS}/package/2006/content-types">${inner}</Types>`;

/** A Word file with this body. */
const word = (body: string): Promise<Buffer> => {
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  return office({
    '[Content_Types].xml': types(`<Override PartName="/word/document.xml" ContentType="${type}"/>`),
    '_rels/.rels': relations('officeDocument', 'word/document.xml'),
    'word/document.xml': `<w:document xmlns:w="${FORMATS}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  });
};

it('reads the paragraphs of a Word document', async () => {
  const run = (text: string, look = '') => `<w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const bytes = await word(`<w:p>${run('bold', '<w:b/>')}${run(' &amp; plain')}</w:p><w:p>${run('end')}</w:p>`);
  expect(await readOffice(bytes, 'docx', MANY)).toEqual({ text: '**bold** & plain\n\nend', title: '' });
});

it('reads each sheet of an Excel file as CSV below its name', async () => {
  const main = `xmlns="${FORMATS}/spreadsheetml/2006/main"`;
  const text = (value: string) => `t="inlineStr"><is><t xml:space="preserve">${value}</t></is>`;
  const value = (type: string, of: string) => `t="${type}"><v>${of}</v>`;
  const sheet = (...rows: string[][]) => {
    const cells = (row: string[], line: number) =>
      row.map((cell, at) => `<c r="${'ABCD'[at]}${line}" ${cell}</c>`).join('');
    const lines = rows.map((row, at) => `<row r="${at + 1}">${cells(row, at + 1)}</row>`);
    return `<worksheet ${main}><sheetData>${lines.join('')}</sheetData></worksheet>`;
  };
  const bytes = await office({
    '[Content_Types].xml': types(),
    '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${RELATIONS}"><sheets><sheet name="Orders" sheetId="1" r:id="r1"/><sheet name="More" sheetId="2" r:id="r2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml', 'worksheets/sheet2.xml'),
    'xl/worksheets/sheet1.xml': sheet(
      [text('region'), text('total, net'), text('say &quot;hi&quot;'), text('two\nlines')],
      [text('North'), value('n', '12.5'), value('b', '1'), value('b', '0')],
      [value('d', '2026-11-27T00:00:00.000Z'), value('d', '2026-11-27T08:30:00.000Z'), text(''), value('n', '0')],
    ),
    'xl/worksheets/sheet2.xml': sheet([text('x')]),
  });
  expect((await readOffice(bytes, 'xlsx', MANY)).text).toBe(
    [
      '## Orders\n',
      'region,"total, net","say ""hi""","two\nlines"',
      'North,12.5,true,false',
      '2026-11-27,2026-11-27T08:30:00.000Z,,0\n',
      '## More\n',
      'x',
    ].join('\n'),
  );
});

it('refuses a document with too many characters', async () => {
  const bytes = await slides({ 1: paragraph('12345') });
  expect((await readOffice(bytes, 'pptx', 5)).text).toBe('12345');
  await expect(readOffice(bytes, 'pptx', 4)).rejects.toMatchObject({
    message: 'It has more than 4 characters.',
    fix: 'Split the document.',
  });
});

it('refuses what is not the file that its name says', async () => {
  const empty = await slides({});
  for (const format of ['pptx', 'docx', 'xlsx'] as const)
    await expect(readOffice(empty, format, MANY)).rejects.toThrow('It is not the file that its name says');
  await expect(readOffice(Buffer.from('text'), 'docx', MANY)).rejects.toThrow('It is not the file that its name says');
});

it('refuses a Word file with a missing end, broken XML or a size of 300 MiB', async () => {
  const bytes = await word('<w:p/>');
  const damaged = 'It is not the file that its name says';
  await expect(readOffice(bytes.subarray(0, 300), 'docx', MANY)).rejects.toThrow(damaged);
  await expect(readOffice(await word('<w:p><w:r>'), 'docx', MANY)).rejects.toThrow(damaged);
  bytes.writeUInt32LE(300 * 1024 * 1024, bytes.lastIndexOf('word/document.xml') - 46 + 24);
  await expect(readOffice(bytes, 'docx', MANY)).rejects.toThrow('It unpacks to more');
});
