import { clientOfTurn } from '@croft/assistant';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testNamespaces } from '../../../../tests/support/test-namespaces.ts';
import type { CallerFiles } from '../files/caller-files.ts';
import type { Namespace, Namespaces } from '../files/namespaces.ts';
import { onRecord } from '../files/on-record.ts';
import type { Caller } from '../identity.ts';
import { revertFiles } from './revert-files.ts';

let namespaces: Namespaces;
let mine: Namespace;
let changed: number;
beforeEach(() => {
  namespaces = testNamespaces({ onChange: () => changed++ });
  mine = namespaces.mineOf('ann');
  changed = 0;
});
afterEach(() => namespaces.close());

const ANN: Caller = { userId: 'ann', role: 'user', via: 'session' };
const TURN = { id: 'turn-1', startedAt: new Date(0) };

/** Writes a file as a turn of the assistant, or as someone else. */
const write = (path: string, text: string, client: string | null = clientOfTurn('turn-1'), userId = 'ann') =>
  onRecord(
    { log: { error: () => {} } as never },
    mine,
    { actor: { userId, via: 'assistant', client }, tool: 'write_file', paths: [path] },
    (journal) => mine.workspace.write(path, text, { journal }) as never,
  );
const revert = (turn = TURN) =>
  revertFiles({ open: () => ({ top: mine, mounts: [] }) as unknown as CallerFiles }, ANN, turn);
const textOf = async (path: string) => (await mine.workspace.readBytes(path)).bytes.toString();
const names = () => mine.workspace.list('.').entries.map(({ name }) => name);

it('takes back what the turn wrote, the newest change first', async () => {
  await write('a.txt', 'before', null);
  await write('a.txt', 'one');
  await write('a.txt', 'two');
  await write('b.txt', 'new');
  expect(await revert()).toEqual(['b.txt', 'a.txt', 'a.txt'].map((path) => ({ path, reverted: true, problem: null })));
  expect([names(), await textOf('a.txt'), changed > 0]).toEqual([['a.txt'], 'before', true]);
});

it('leaves a file that was changed since, and says why', async () => {
  await write('a.txt', 'turn');
  await write('a.txt', 'person', null);
  const [result] = await revert();
  expect(result).toMatchObject({ path: 'a.txt', reverted: false, problem: expect.any(String) });
  expect(await textOf('a.txt')).toBe('person');
});

it('leaves changes of other turns, programs and users, and those before the turn', async () => {
  await write('other.txt', 'x', clientOfTurn('turn-2'));
  await write('person.txt', 'x', null);
  await write('bob.txt', 'x', clientOfTurn('turn-1'), 'bob');
  await write('own.txt', 'x');
  expect(await revert({ ...TURN, startedAt: new Date(Date.now() + 60_000) })).toEqual([]);
  expect((await revert()).map(({ path }) => path)).toEqual(['own.txt']);
  expect(names()).toEqual(['bob.txt', 'other.txt', 'person.txt']);
});
