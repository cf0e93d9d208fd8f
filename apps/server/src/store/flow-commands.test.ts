import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from './database.ts';
import { addFlowCommand, listFlowCommands, removeFlowCommand } from './flow-commands.ts';
import { flowCommand } from './flow-schema.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db), ['fc-ann']);
beforeEach(() => db.delete(flowCommand));

const add = (line: string) => addFlowCommand(db, 'fc-ann', { line, file: `/bin/${line}`, args: ['-a', line] });

it('lists the commands as an administrator confirmed them, in the order in which they were allowed', async () => {
  const [first, second] = [await add('zzz'), await add('aaa')];
  const list = await listFlowCommands(db);
  expect(list.map(({ line, file, args }) => [line, file, args])).toEqual([
    ['zzz', '/bin/zzz', ['-a', 'zzz']],
    ['aaa', '/bin/aaa', ['-a', 'aaa']],
  ]);
  expect(list.map(({ id }) => ({ id }))).toEqual([first, second]);
});

it('adds a command once', async () => {
  await add('a');
  expect([await add('a'), (await listFlowCommands(db)).length]).toEqual(['exists', 1]);
});

it('removes a command by its id', async () => {
  const made = (await add('a')) as { id: string };
  expect([
    await removeFlowCommand(db, 'other'),
    await removeFlowCommand(db, made.id),
    await listFlowCommands(db),
  ]).toEqual([false, true, []]);
});

it('keeps a bounded number of commands, also where several are added at once', async () => {
  const row = (at: number) => ({
    id: `fc-${at}`,
    line: `l${at}`,
    file: `f${at}`,
    args: [],
    addedBy: 'fc-ann',
    createdAt: new Date(),
  });
  await db.insert(flowCommand).values(Array.from({ length: 98 }, (_, at) => row(at)));
  const made = await Promise.all(['x', 'y', 'z', 'w'].map(add));
  expect(made.filter((each) => each === 'full')).toHaveLength(2);
  expect(await listFlowCommands(db)).toHaveLength(100);
});
