import JSZip from 'jszip';
import { expect, it } from 'vitest';
import { checkArchive } from './check-archive.ts';

/** An archive with these files. */
async function archiveOf(names: readonly string[], comment = ''): Promise<Buffer> {
  const zip = new JSZip();
  for (const name of names) zip.file(name, `content of ${name}`);
  return zip.generateAsync({ type: 'nodebuffer', comment });
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const at = (bytes: Buffer, mark: number) => {
  const found = Buffer.alloc(4);
  found.writeUInt32LE(mark);
  return bytes.lastIndexOf(found);
};

it('takes an archive, also one with a comment', async () => {
  expect(() => checkArchive(Buffer.alloc(0))).toThrow('It is not the file that its name says');
  const bytes = await archiveOf(['a.xml', 'word/b.xml']);
  expect(() => checkArchive(bytes)).not.toThrow();
  const commented = await archiveOf(['a.xml'], 'x'.repeat(65_535));
  expect(() => checkArchive(commented)).not.toThrow();
  const empty = Buffer.alloc(22 + 65_536);
  empty.writeUInt32LE(END, 1);
  expect(() => checkArchive(empty)).not.toThrow();
  // An archive's comment has a length of two bytes, so the mark is not farther from the end.
  const far = Buffer.alloc(22 + 65_536);
  far.writeUInt32LE(END, 0);
  expect(() => checkArchive(far)).toThrow('damaged');
});

it('refuses bytes that are not an archive, or whose directory is damaged', async () => {
  expect(() => checkArchive(Buffer.from('%PDF-1.7 and more than twenty-two bytes'))).toThrow('damaged');
  const bytes = await archiveOf(['a.xml']);
  expect(() => checkArchive(bytes.subarray(0, bytes.length - 10))).toThrow('damaged');
  const wrong = Buffer.from(bytes);
  wrong.writeUInt32LE(wrong.length, at(wrong, END) + 16);
  expect(() => checkArchive(wrong)).toThrow('damaged');
  const other = Buffer.from(bytes);
  other.writeUInt32LE(0, at(other, ENTRY));
  expect(() => checkArchive(other)).toThrow('damaged');
});

it('refuses an archive that says it unpacks to too much', async () => {
  const bytes = await archiveOf(['a.xml', 'b.xml']);
  const first = bytes.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  const half = 128 * 1024 * 1024;
  const sized = (one: number, two: number) => {
    const copy = Buffer.from(bytes);
    copy.writeUInt32LE(one, first + 24);
    copy.writeUInt32LE(two, at(copy, ENTRY) + 24);
    return copy;
  };
  expect(() => checkArchive(sized(half, half))).not.toThrow();
  expect(() => checkArchive(sized(half, half + 1))).toThrow('It unpacks to more than 256 MiB or 10000 files.');
});

it('refuses an archive with too many files', async () => {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(ENTRY, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  const of = (count: number) => {
    const copy = Buffer.from(end);
    copy.writeUInt16LE(count, 10);
    return Buffer.concat([...Array.from({ length: count }, () => entry), copy]);
  };
  expect(() => checkArchive(of(10_000))).not.toThrow();
  expect(() => checkArchive(of(10_001))).toThrow('10000 files');
});
