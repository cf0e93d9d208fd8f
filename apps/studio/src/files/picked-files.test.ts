import { describe, expect, it } from 'vitest';
import { fire, usePage } from '../testing/page.ts';
import { MAX_PICKED, pickedFrom, pickFolder, readDrop, type PickedFiles } from './picked-files.ts';

usePage();

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
    const one = new File([], 'x');
    const chosen = pickedFrom(Array.from({ length: MAX_PICKED + 1 }, () => one));
    expect([chosen.files.length, chosen.isCut]).toEqual([MAX_PICKED, true]);
  });
});

describe('files of a dialog', () => {
  it('have their path in the chosen folder', () => {
    const inFolder = Object.assign(new File([], 'b.txt'), { webkitRelativePath: 'trip/b.txt' });
    const { files, ...counts } = pickedFrom([new File([], 'a.txt'), inFolder]);
    expect(files.map(({ path, file }) => [path, file?.name])).toEqual([
      ['a.txt', 'a.txt'],
      ['trip/b.txt', 'b.txt'],
    ]);
    expect(counts).toEqual({ unreadable: 0, isCut: false });
    expect(pickedFrom(Array.from({ length: MAX_PICKED }, () => inFolder)).isCut).toBe(false);
  });

  it('are those of the folder that the person chooses', async () => {
    const asked: HTMLInputElement[] = [];
    const { createElement } = document;
    document.createElement = ((name: string) => {
      const input = createElement(name) as HTMLInputElement;
      input.click = () => void asked.push(input);
      return input;
    }) as typeof createElement;
    const picked: PickedFiles[] = [];
    pickFolder((files) => picked.push(files));
    const [input] = asked as [HTMLInputElement];
    expect([asked.length, input.type, input.webkitdirectory, picked]).toEqual([1, 'file', true, []]);
    Object.assign(input, { files: [new File([], 'a.txt')] });
    await fire(input, 'change');
    expect(picked.map(({ files }) => files.map(({ path }) => path))).toEqual([['a.txt']]);
    Object.assign(input, { files: null });
    await fire(input, 'change');
    expect(picked[1]).toEqual({ files: [], unreadable: 0, isCut: false });
  });
});

describe('a drop', () => {
  it('may have texts, and files of a browser without folders', async () => {
    const file = (name: string) => new File([], name);
    const items = [
      { kind: 'string', getAsFile: () => file('text') },
      { kind: 'file', getAsFile: () => file('a') },
      { kind: 'file', getAsFile: () => null },
      { kind: 'file', webkitGetAsEntry: () => null, getAsFile: () => file('b') },
    ];
    const { files } = await readDrop({ items } as unknown as DataTransfer);
    expect(files.map(({ path }) => path)).toEqual(['a', 'b']);
  });

  it('is walked in the order of its folders', async () => {
    const { files } = await readDrop(dropOf({ b: { y: { '1': '' }, x: { '2': '' }, '3': '' }, a: { '4': '' } }));
    expect(files.map(({ path }) => path)).toEqual(['b/3', 'b/y/1', 'b/x/2', 'a/4']);
  });

  it('is cut when it has more loose files than the limit', async () => {
    const read = async (limit: number) => {
      const { files, isCut } = await readDrop(dropOf({ a: '', b: '', c: '' }), limit);
      return [files.length, isCut];
    };
    expect([await read(2), await read(3)]).toEqual([
      [2, true],
      [3, false],
    ]);
  });
});
