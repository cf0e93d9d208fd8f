import type { ActivityEntry, Actor } from '@croft/tools';
import { describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import type { CallerFiles } from './caller-files.ts';
import type { Namespace, RootName } from './namespaces.ts';
import { type FoundChange, isChangeOf, mayUndo, namespacesOf, undoStateOf } from './undoable-changes.ts';

const { workspace } = useWorkspace(['here']);
const trashDir = fileDir();
const ADA = { userId: 'ada', autoLogin: false };

function change(
  root: RootName,
  actor: Partial<Actor>,
  more: Partial<ActivityEntry> = {},
  readOnly = false,
): FoundChange {
  const entry = {
    id: 'e1',
    time: '2026-01-01T00:00:00.000Z',
    actor: { userId: 'ada', via: 'page', client: null, ...actor },
    changes: [{ kind: 'mkdir', path: 'd' }],
    ...more,
  };
  const activity = { trashDir, entries: () => [entry], newestChanges: () => [entry].values() };
  return { namespace: { root, workspace, activity }, readOnly, entry, entries: [entry] } as unknown as FoundChange;
}

describe('a change of shared files', () => {
  it('can be undone only by the user who made it on a page, with a key or by a run', () => {
    const may = (actor: Partial<Actor>, rights = ADA) => mayUndo(change('shared', actor), rights);
    expect([may({}), may({ via: 'api' }), may({ via: 'mcp' }), may({ userId: 'bob' }), may({ userId: null })]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(may({ via: 'mcp', flow: { name: 'Daily' } })).toBe(true);
    expect(may({ userId: 'bob', via: 'mcp' }, { ...ADA, autoLogin: true })).toBe(true);
    expect(mayUndo(change('mine', { userId: 'bob', via: 'mcp' }), ADA)).toBe(true);
  });
});

describe('whether a change can be undone', () => {
  const state = (found: FoundChange, undone: readonly string[] = []) =>
    undoStateOf(found, { ...ADA, undone: new Set(undone) });
  const impossible = (undoProblem: string) => ({ undo: 'impossible', undoProblem });

  it('is known for a change that was undone, for an undo, and where nothing was kept', async () => {
    expect(await state(change('mine', {}), ['e1'])).toEqual({ undo: 'done', undoProblem: null });
    expect(await state(change('mine', {}, { undoes: ['e0'] }))).toEqual(impossible('An undo cannot be undone'));
    for (const changes of [undefined, []])
      expect(await state(change('mine', {}, { changes } as Partial<ActivityEntry>))).toEqual(
        impossible('Components are not kept in the trash'),
      );
  });

  it('depends on the rights of the caller', async () => {
    expect(await state(change('shared', { via: 'mcp' }))).toEqual(
      impossible('Changes of MCP clients in shared/ cannot be undone here'),
    );
    expect(await state(change('shared', {}, {}, true))).toEqual(impossible('shared/ is read-only'));
    expect(await state(change('shared', {}))).toEqual({ undo: 'possible', undoProblem: null });
  });

  it('depends on what the files are now', async () => {
    const changes = [{ kind: 'delete' as const, path: 'here' }];
    expect(await state(change('mine', {}, { changes }))).toEqual(impossible('The old content of here was not kept'));
    const tree = [{ kind: 'create' as const, path: 'gone', tree: 'x' }];
    expect((await state(change('mine', {}, { changes: tree }))).undo).toBe('possible');
  });
});

it('lists the namespaces of a tree with their folders', () => {
  const [top, shared, other] = [{ root: 'mine' }, { root: 'shared' }, { root: 'x' }] as unknown as Namespace[];
  const mounts = [
    { name: 'shared', namespace: shared, readOnly: true },
    { name: 'a b', namespace: other, readOnly: false },
  ];
  expect(namespacesOf({ top, mounts } as unknown as CallerFiles)).toEqual([
    { namespace: top, readOnly: false, folder: '' },
    { namespace: shared, readOnly: true, folder: 'shared/' },
    { namespace: other, readOnly: false, folder: 'a b/' },
  ]);
});

describe('a change of a path', () => {
  const isOf = (path: string, changes: object[] | undefined, folder = '') =>
    isChangeOf(path, { folder, entry: { changes } as unknown as ActivityEntry });

  it.each<[string, object, readonly string[]]>([
    ['a write', { kind: 'write', path: 'a/b' }, ['a/b', 'a']],
    ['a new folder', { kind: 'mkdir', path: 'a/b' }, ['a/b', 'a']],
    ['a deletion', { kind: 'delete', path: 'a/b' }, ['a/b', 'a', 'a/b/c']],
    ['a move', { kind: 'move', path: 'a/b', to: 'x/y' }, ['a/b', 'a', 'a/b/c', 'x/y', 'x', 'x/y/z']],
    ['a copied tree', { kind: 'create', path: 'a/b', tree: 't' }, ['a/b', 'a', 'a/b/c']],
  ])('is one of the path, of an entry in it, or of content above it: %s', (_, change, expected) => {
    const paths = ['a/b', 'a', 'a/b/c', 'a/bc', 'b', 'x/y', 'x', 'x/y/z'];
    expect(paths.filter((path) => isOf(path, [{ kind: 'write', path: 'q' }, change]))).toEqual(expected);
  });

  it('has the folder of its namespace in front', () => {
    const change = [{ kind: 'write', path: 'a' }];
    expect([isOf('shared/a', change, 'shared/'), isOf('a', change, 'shared/'), isOf('a', undefined)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
