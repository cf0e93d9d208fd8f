import type { Change } from '@croft/workspace';
import { WorkspaceError } from '@croft/workspace';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testNamespaces } from '../../../../tests/support/test-namespaces.ts';
import { Problem } from '../problem.ts';
import type { Namespace, Namespaces } from './namespaces.ts';
import { onRecord } from './on-record.ts';

let namespaces: Namespaces;
let namespace: Namespace;
let errors: unknown[];
beforeEach(() => {
  namespaces = testNamespaces();
  namespace = namespaces.mineOf('ann');
  errors = [];
});
afterEach(() => namespaces.close());

const log = { error: (fields: unknown) => void errors.push(fields) } as never;
const call = { actor: { userId: 'ann', via: 'page', client: null } as const, tool: 'upload', paths: ['a.txt'] };
const change = (act: Parameters<typeof onRecord>[3], of: Namespace = namespace) => onRecord({ log }, of, call, act);
const write = (text: string) => change((journal) => namespace.workspace.write('a.txt', text, { journal }) as never);
const entries = () =>
  namespace.activity.entries().map(({ tool, outcome, paths, actor }) => [tool, outcome, paths, actor.userId]);

it('records who changed what, and gives the id that reverts it', async () => {
  const { undo } = await write('one');
  expect(entries()).toEqual([['upload', 'ok', ['a.txt'], 'ann']]);
  expect(undo).toBe(namespace.activity.entries()[0]?.id);
  expect((await write('two')).undo).toBeDefined();
});

it('records the changes and the bytes of a call', async () => {
  const changes = [{ kind: 'update', path: 'a.txt', trash: 't' }] as unknown as Change[];
  const { outcome, undo } = await change(() => ({ changes, bytesWritten: 7 }));
  expect(outcome).toEqual({ changes, bytesWritten: 7 });
  expect(namespace.activity.entries()).toEqual([
    {
      id: undo,
      time: expect.any(String) as string,
      ...call,
      outcome: 'ok',
      bytes: 7,
      durationMs: expect.any(Number) as number,
      changes,
    },
  ]);
});

it('gives no id for a change that cannot be reverted', async () => {
  const undoOf = async (...changes: Change[]) => (await change(() => ({ changes }))).undo;
  expect(await undoOf()).toBeUndefined();
  expect(await undoOf({ kind: 'delete', path: 'a' } as Change)).toBeUndefined();
  expect(await undoOf({ kind: 'mkdir', path: 'd' } as Change, { kind: 'update', path: 'a' } as Change)).toBeUndefined();
  expect(await undoOf({ kind: 'update', path: 'a', trash: 't' } as Change)).toBeDefined();
  expect(await undoOf({ kind: 'mkdir', path: 'd' } as Change)).toBeDefined();
});

it('records why a change was not made', async () => {
  const failing = (error: Error) => change(() => Promise.reject(error));
  await expect(failing(new WorkspaceError('not_found', 'no'))).rejects.toThrow('no');
  await expect(failing(new Problem(409, 'changed', 'no'))).rejects.toThrow('no');
  await expect(failing(new TypeError('bug'))).rejects.toThrow('bug');
  expect(
    namespace.activity
      .entries()
      .map(({ outcome }) => outcome)
      .sort(),
  ).toEqual(['changed', 'internal', 'not_found']);
});

it('does not fail a change that was made where its record cannot be completed, and logs it', async () => {
  const broken: Namespace = {
    ...namespace,
    activity: {
      ...namespace.activity,
      begin: (given) => {
        const record = namespace.activity.begin(given);
        return {
          ...record,
          id: record.id,
          finish: () => {
            throw new Error('disk');
          },
        };
      },
    },
  };
  const { outcome } = await change(() => ({ changes: [] }), broken);
  expect(outcome).toEqual({ changes: [] });
  expect(errors).toEqual([{ tool: 'upload', err: new Error('disk') }]);
});
