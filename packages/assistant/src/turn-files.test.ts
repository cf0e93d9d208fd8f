import type { ActivityEntry } from '@croft/tools';
import { expect, it } from 'vitest';
import { changesOfTurns, clientOfTurn, pathsUndone, turnOfClient, undoneFilesOf, undoneText } from './turn-files.ts';

const startedAt = new Date('2026-01-01T00:00:00Z');
const entry = (id: string, client: string | null, more: object = {}) =>
  ({
    id,
    time: '2026-01-01T00:00:01.000Z',
    actor: { userId: 'ann', via: 'assistant', client },
    paths: [`${id}.md`],
    changes: [{ kind: 'create', path: `${id}.md` }],
    ...more,
  }) as unknown as ActivityEntry;
const found = (entries: readonly ActivityEntry[], ...ids: readonly string[]) =>
  changesOfTurns(
    entries,
    ids.map((id) => ({ id, startedAt })),
  ).map(({ id }) => id);

it('finds the changes of a turn, newest first, and none of others', () => {
  const entries = [
    entry('a', clientOfTurn('t1')),
    entry('b', clientOfTurn('t2')),
    entry('c', clientOfTurn('t1')),
    entry('d', null),
    entry('old', clientOfTurn('t1'), { time: '2025-12-31T23:59:59.000Z' }),
  ];
  expect([found(entries, 't1'), found(entries, 't1', 't2'), found(entries)]).toEqual([['c', 'a'], ['c', 'b', 'a'], []]);
  expect(found([...entries, entry('u', null, { undoes: ['c'] })], 't1')).toEqual(['a']);
});

it('takes no MCP client for the assistant that calls itself like a turn', () => {
  const actor = { userId: 'ann', via: 'mcp', client: clientOfTurn('t1') };
  expect(found([entry('a', null, { actor })], 't1')).toEqual([]);
});

it('reads the turn of a client', () => {
  expect([turnOfClient(clientOfTurn('t1')), turnOfClient('cursor'), turnOfClient(null)]).toEqual([
    't1',
    undefined,
    undefined,
  ]);
});

it('says what was undone, and what was not and why', () => {
  const files = undoneFilesOf([
    { entry: entry('a', null), ok: true },
    { entry: entry('b', null), ok: false, problem: 'b.md was changed since' },
    { entry: entry('a', null), ok: true },
  ]);
  expect(pathsUndone(files)).toEqual(['a.md']);
  expect(undoneText(files, ['added “Parser”'], ' More.')).toBe(
    'Undone: changes of a.md, added “Parser”. More. Not taken back: b.md was changed since.',
  );
  expect(undoneText([])).toBe('Nothing was undone.');
});
