import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { WorkspaceError } from '../errors.ts';
import { makeScratch, type Scratch } from '../testing.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import type { Change } from './change.ts';
import { type ChangeJournal, recorded } from './journal.ts';

let scratch: Scratch;
let workspace: Workspace;
afterEach(async () => {
  await workspace.settled();
  workspace.close();
  scratch.remove();
});

const TREE = ['a.txt = old', 'd/x', 'd/e/y', 'l => a.txt'];
const host = (path: string) => join(scratch.workspace, path);

/** Names and contents of the workspace, without temporary files. */
function look(): string {
  return readdirSync(scratch.workspace, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .map((entry) => [join(entry.parentPath, entry.name), entry.isFile()] as const)
    .filter(([at]) => !at.includes('.croft-tmp-'))
    .map(([at, isFile]) => `${at} ${isFile ? readFileSync(at, 'utf8') : ''}`)
    .sort()
    .join('\n');
}

/** Notes the lists and how the workspace looked when each was recorded. */
function makeJournal() {
  const notes: { changes: readonly Change[]; seen: string }[] = [];
  const calls: string[] = [];
  const journal: ChangeJournal = {
    intend(changes) {
      notes.push({ changes, seen: look() });
      calls.push('intend');
    },
    done: () => void calls.push('done'),
    withdraw: () => void calls.push('withdraw'),
  };
  return { journal, notes, calls };
}

async function* streamed(text: string) {
  yield Buffer.from(text);
}

type Act = (journal: ChangeJournal) => { changes: readonly Change[] } | Promise<{ changes: readonly Change[] }>;
const ACTS: [string, Act][] = [
  ['a new file', (journal) => workspace.write('new.txt', 'x', { journal })],
  ['an overwritten file', (journal) => workspace.write('a.txt', 'x', { journal })],
  ['an edit', (journal) => workspace.edit('a.txt', [{ oldString: 'old', newString: 'x' }], { journal })],
  ['an addition', (journal) => workspace.append('a.txt', 'x', { journal })],
  ['an upload', (journal) => workspace.receive('up.txt', streamed('x'), { maxBytes: 10, journal })],
  ['a directory', (journal) => workspace.createDir('made', { journal })],
  ['a move', (journal) => workspace.move('a.txt', 'b.txt', { journal })],
  ['a copied file', (journal) => workspace.copy('a.txt', 'b.txt', { journal })],
  ['a copied directory', (journal) => workspace.copy('d', 'f', { journal })],
  ['a deleted file', (journal) => workspace.delete('a.txt', { journal })],
  ['a deleted link', (journal) => workspace.delete('l', { journal })],
  ['a deleted directory', (journal) => workspace.delete('d', { recursive: true, journal })],
];

describe.each([
  ['with a trash', true],
  ['without a trash', false],
])('%s', (_, hasTrash) => {
  it.each(ACTS)('records each change before it is made: %s', async (_name, act) => {
    scratch = makeScratch(TREE);
    workspace = openWorkspace(scratch.workspace, hasTrash ? { trashDir: join(scratch.base, 'trash') } : {});
    const before = look();
    const { journal, notes, calls } = makeJournal();
    const { changes } = await act(journal);
    expect(look()).not.toBe(before);
    expect(notes).toEqual([{ changes, seen: before }]);
    expect(calls).toEqual(['intend', 'done']);
  });
});

describe('a journal that cannot be written', () => {
  const full = new WorkspaceError('io', 'the log is full');
  const journal: ChangeJournal = {
    intend: () => {
      throw full;
    },
    done: () => undefined,
    withdraw: () => undefined,
  };
  const UNDONE: [string, Act][] = [
    ...ACTS,
    ['a new file with parents', (own) => workspace.write('p/q/f.txt', 'x', { journal: own })],
    [
      'a batch of deletions',
      async (own) => ({
        changes: (await workspace.deleteAll(['a.txt', 'd'], { recursive: true, journal: own })) as never,
      }),
    ],
  ];

  it.each(UNDONE)('refuses the change and leaves everything as it is: %s', async (_name, act) => {
    scratch = makeScratch(TREE);
    const trash = join(scratch.base, 'trash');
    workspace = openWorkspace(scratch.workspace, { trashDir: trash });
    const before = look();
    await expect((async () => act(journal))()).rejects.toBe(full);
    expect(look()).toBe(before);
    expect(existsSync(trash) ? readdirSync(trash) : []).toEqual([]);
    expect(readdirSync(scratch.workspace).filter((name) => name.includes('.croft-tmp-'))).toEqual([]);
  });

  it.each(ACTS)('refuses the undo: %s', async (_name, act) => {
    scratch = makeScratch(TREE);
    workspace = openWorkspace(scratch.workspace, { trashDir: join(scratch.base, 'trash') });
    const { changes } = await act({ intend: () => undefined, done: () => undefined, withdraw: () => undefined });
    const before = look();
    await expect(workspace.undo(changes.at(-1) as Change, { journal })).rejects.toBe(full);
    expect(look()).toBe(before);
  });
});

it('records parents that are made on the way, each before it is made', () => {
  scratch = makeScratch([]);
  workspace = openWorkspace(scratch.workspace);
  const { journal, notes } = makeJournal();
  const { changes } = workspace.write('p/q/f.txt', 'x', { journal });
  expect(notes.map((note) => note.changes.map(({ kind, path }) => `${kind} ${path}`))).toEqual([
    ['mkdir p'],
    ['mkdir p', 'mkdir p/q'],
    ['mkdir p', 'mkdir p/q', 'create p/q/f.txt'],
  ]);
  expect(notes.at(-1)?.changes).toEqual(changes);
  expect(notes.map(({ seen }) => seen.split('\n').filter(Boolean).length)).toEqual([0, 1, 2]);
});

it('records each step of an undo before it is made', async () => {
  scratch = makeScratch(TREE);
  workspace = openWorkspace(scratch.workspace, { trashDir: join(scratch.base, 'trash') });
  for (const [name, act] of ACTS) {
    const { changes } = await act({ intend: () => undefined, done: () => undefined, withdraw: () => undefined });
    for (const change of [...changes].reverse()) {
      const before = look();
      const { journal, notes, calls } = makeJournal();
      const undone = await workspace.undo(change, { journal });
      expect([name, notes]).toEqual([name, [{ changes: undone.changes, seen: before }]]);
      expect([name, calls]).toEqual([name, ['intend', 'done']]);
    }
  }
});

it('records a batch of deletions once', async () => {
  scratch = makeScratch(TREE);
  workspace = openWorkspace(scratch.workspace, { trashDir: join(scratch.base, 'trash') });
  const before = look();
  const { journal, notes, calls } = makeJournal();
  const done = await workspace.deleteAll(['a.txt', 'd', 'l'], { recursive: true, journal });
  expect(notes).toEqual([{ changes: done.flatMap(({ changes }) => changes), seen: before }]);
  expect(calls).toEqual(['intend', 'done']);
});

it('withdraws what was not made', async () => {
  scratch = makeScratch(TREE);
  workspace = openWorkspace(scratch.workspace);
  const { journal, calls } = makeJournal();
  await expect(async () => workspace.move('d', 'd/e/new/d', { journal })).rejects.toThrow(/into itself/);
  expect(calls.at(-1)).toBe('withdraw');
  expect(existsSync(host('d/e/new'))).toBe(false);
});

it('is withdrawn by an act that fails, and is done by one that succeeds', () => {
  scratch = makeScratch([]);
  workspace = openWorkspace(scratch.workspace);
  const { journal, calls } = makeJournal();
  const fails = () => {
    throw new Error('the disk is full');
  };
  expect(() => recorded({ journal }, [], fails)).toThrow('the disk is full');
  expect(recorded({ journal }, [], () => 'made')).toBe('made');
  expect(calls).toEqual(['intend', 'withdraw', 'intend', 'done']);
  expect(recorded({}, [], () => 'made without one')).toBe('made without one');
});

it('lets nothing be made that it could not record', () => {
  scratch = makeScratch([]);
  workspace = openWorkspace(scratch.workspace);
  const { journal, calls } = makeJournal();
  const intend = () => {
    throw new WorkspaceError('io', 'The log is full');
  };
  const act = () => calls.push('made');
  expect(() => recorded({ journal: { ...journal, intend } }, [], act)).toThrow('The log is full');
  expect(calls).toEqual([]);
});
