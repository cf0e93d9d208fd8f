import { describe, expect, it } from 'vitest';
import { MAX_PICKED, pickedFrom, readDrop } from './picked-files.ts';

/** A dropped folder, as a browser hands it over in batches. `null` is a file that cannot be read. */
type Tree = { [name: string]: Tree | string | null };

function entryOf(name: string, node: Tree | string | null): FileSystemEntry {
  if (typeof node === 'string' || node === null)
    return {
      name,
      isDirectory: false,
      file: (done: (file: File) => void, failed: () => void) =>
        node === null ? failed() : done(new File([node], name)),
    } as unknown as FileSystemEntry;
  const left = Object.entries(node).map(([below, child]) => entryOf(below, child));
  const readEntries = (done: (entries: FileSystemEntry[]) => void, failed: () => void) =>
    name === 'shut' ? failed() : done(left.splice(0, 100));
  return { name, isDirectory: true, createReader: () => ({ readEntries }) } as unknown as FileSystemEntry;
}

function dropOf(tree: Tree): DataTransfer {
  const items = Object.entries(tree).map(([name, node]) => ({
    kind: 'file',
    webkitGetAsEntry: () => entryOf(name, node),
    getAsFile: () => new File(['x'], name),
  }));
  return { items } as unknown as DataTransfer;
}

describe('what is dropped', () => {
  it('comes with its structure, empty folders too, and what cannot be read is counted', async () => {
    const drop = dropOf({ 'a.txt': 'a', trip: { 'b.txt': 'b', 'gone.txt': null, deep: { empty: {} }, shut: {} } });
    const { files, unreadable, isCut } = await readDrop(drop);
    expect(files.map(({ path, file }) => [path, file?.name])).toEqual([
      ['a.txt', 'a.txt'],
      ['trip/b.txt', 'b.txt'],
      ['trip/deep/empty', undefined],
    ]);
    expect([unreadable, isCut]).toEqual([2, false]);
  });

  it('is bounded, and that it was cut is said', async () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`${i}.txt`, 'x']));
    const cut = await readDrop(dropOf({ many, more: { 'x.txt': 'x' } }), 120);
    expect([cut.files.length, cut.isCut]).toEqual([120, true]);
    const whole = await readDrop(dropOf({ many }), 250);
    expect([whole.files.length, whole.isCut]).toEqual([250, false]);
    const more = await readDrop(dropOf({ many, more: {} }), 250);
    expect([more.files.length, more.isCut]).toEqual([250, true]);
    const chosen = pickedFrom(Array.from({ length: MAX_PICKED + 1 }, (_, i) => new File([], `${i}`)));
    expect([chosen.files.length, chosen.isCut]).toEqual([MAX_PICKED, true]);
  });
});
