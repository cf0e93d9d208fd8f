import type { Change } from '@croft/workspace';
import { expect, it } from 'vitest';
import type { ActivityEntry } from './activity-entry.ts';
import { followContent, openHistory } from './content-source.ts';

const wrote: Change = { kind: 'update', path: 'd/a', before: '0-1-i', after: '1-1-i', trash: 't0' };
const edit: Change = { kind: 'update', path: 'd/a', before: '1-1-i', after: '2-1-i', trash: 't1' };
const entry = (changes: readonly Change[], more: Partial<ActivityEntry> = {}) =>
  ({ id: `${changes[0]?.kind} ${changes[0]?.after}`, changes, ...more }) as ActivityEntry;
const from = { path: 'd/a', version: '1-1-i', next: 1 };
const after = (...later: Change[]) => followContent(openHistory([entry([wrote]), entry(later)]), from);

it('is the file itself if no later change touched it', () => {
  const others: Change[] = [
    { kind: 'update', path: 'd/b', trash: 't' },
    { kind: 'mkdir', path: 'd/a' },
    { kind: 'delete', path: 'd/a2' },
  ];
  expect(after(...others)).toEqual({ path: 'd/a', version: '1-1-i' });
});

it('is kept for the next change that replaced or deleted the file', () => {
  expect(after(edit, { ...edit, before: '2-1-i', trash: 't2' })).toMatchObject({ kept: edit, version: '1-1-i' });
  const deletion: Change = { kind: 'delete', path: 'd/a', before: '1-1-i', trash: 't1' };
  expect(after(deletion)).toMatchObject({ kept: deletion, version: '1-1-i' });
});

it('has an end before later additions, and the version of the last one', () => {
  const add = (length: number, before: string, version: string): Change => ({
    kind: 'append',
    path: 'd/a',
    before,
    after: version,
    length,
  });
  const adds = [add(5, '1-1-i', '2-2-i'), add(9, '2-2-i', '3-3-i')];
  expect(after(...adds)).toEqual({ path: 'd/a', version: '3-3-i', length: 5 });
  const last: Change = { ...edit, before: '3-3-i' };
  expect(after(...adds, last)).toEqual({ kept: last, path: 'd/a', version: '3-3-i', length: 5 });
  expect(after(add(5, '9-9-i', '2-2-i'))).toBe('changed');
});

it('is lost where another program changed the file before the next change', () => {
  expect(after({ ...edit, before: '7-1-i' })).toBe('changed');
  expect(after({ kind: 'delete', path: 'd/a', trash: 't1' })).toBe('changed');
  expect(after({ ...edit, before: '1-1-other' }), 'a copy on another device').toMatchObject({ version: '1-1-i' });
});

it('moves with its file and with the folders above it', () => {
  const moves: Change[] = [
    { kind: 'move', path: 'd', to: 'e/f' },
    { kind: 'move', path: 'e/f/a', to: 'b' },
    { kind: 'move', path: 'd/a', to: 'other' },
  ];
  expect(after(...moves)).toEqual({ path: 'b', version: '1-1-i' });
});

it('is unknown after the deletion of its folder, or when something new was created there', () => {
  expect(after({ kind: 'delete', path: 'd', trash: 't' })).toBe('removed');
  expect(after({ kind: 'create', path: 'd/a', after: '9-1-i' })).toBe('removed');
});

it('is at the place where an undo moved it back to', () => {
  const undo: Change = { kind: 'update', path: 'd/a', before: '2-1-i', after: '1-1-i', trash: 't2' };
  const history = openHistory([entry([wrote]), entry([edit]), entry([undo], { undoes: ['update 2-1-i'] })]);
  expect([...history.restored]).toEqual([['t1', { path: 'd/a', version: '1-1-i', next: 3 }]]);
  expect(followContent(history, from)).toEqual({ path: 'd/a', version: '1-1-i' });
  expect(followContent(history, { path: 'd/a', version: '2-1-i', next: 2 })).toMatchObject({ kept: undo });
});

it('belongs to the change whose content an undo moved back, also one that ended early or copied it', () => {
  const second: Change = { ...edit, before: '2-1-i', after: '3-1-i', trash: 't2' };
  const undo: Change = { kind: 'update', path: 'd/a', before: '3-1-i', after: '1-1-copy', trash: 't3' };
  const early = openHistory([entry([wrote]), entry([edit]), entry([second]), entry([undo], { undoes: [] })]);
  expect([...early.restored.keys()]).toEqual(['t1']);
  const copied = { ...undo, after: '8-1-copy' };
  const aliases = { '1-1-i': '8-1-copy' };
  const far = openHistory([entry([wrote]), entry([edit]), entry([second]), entry([copied], { undoes: [], aliases })]);
  expect([...far.restored]).toEqual([['t1', { path: 'd/a', version: '8-1-copy', next: 4 }]]);
  const notUndo = openHistory([entry([wrote]), entry([edit]), entry([undo])]);
  expect(notUndo.restored.size).toBe(0);
});

it('belongs to the change that the record of an undo names, also where another one has the same version', () => {
  const first: Change = { kind: 'delete', path: 'f', before: '1-1-i', trash: 't1' };
  const second: Change = { kind: 'delete', path: 'f', before: '1-1-j', trash: 't2' };
  const back: Change = { kind: 'create', path: 'f', after: '1-1-i' };
  const entries = [entry([first]), entry([second]), entry([back], { undoes: ['x'], restored: ['t1'] })];
  const history = openHistory(entries);
  expect([...history.restored]).toEqual([['t1', { path: 'f', version: '1-1-i', next: 3 }]]);
  const none = openHistory([...entries.slice(0, 2), entry([back], { undoes: ['x'], restored: [] })]);
  expect(none.restored.size).toBe(0);
});

it('knows the digest of a folder that an undo moved back', () => {
  const gone: Change = { kind: 'delete', path: 'd', trash: 't1' };
  const back: Change = { kind: 'create', path: 'd', tree: 'digest' };
  const history = openHistory([entry([gone]), entry([back], { undoes: [], restored: ['t1'] })]);
  expect([[...history.restoredFolders], history.restored.size]).toEqual([[['t1', 'digest']], 0]);
  expect(openHistory([entry([gone]), entry([back], { undoes: [] })]).restoredFolders.size).toBe(0);
});

it('is followed through many undone changes', () => {
  const entries = Array.from({ length: 20_000 }, (_, i) => {
    const change: Change = { kind: 'update', path: 'a', before: '1-1-i', after: `${i + 2}-1-i`, trash: `t${i}` };
    const undo: Change = { kind: 'update', path: 'a', before: `${i + 2}-1-i`, after: '1-1-i', trash: `u${i}` };
    return [entry([change]), entry([undo], { undoes: ['x'] })];
  }).flat();
  const history = openHistory(entries);
  expect(followContent(history, { path: 'a', version: '1-1-i', next: 0 })).toEqual({ path: 'a', version: '1-1-i' });
});
