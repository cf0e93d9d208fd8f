import { emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { changeFlow } from './change-flow.ts';
import { createFlow } from './create-flow.ts';

let db: Db;
const userId = 'chf-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);

it('edits with the code of stored components, and sends the change to open pages', async () => {
  const { flow } = await createFlow(db, userId, emptyFlow('First'));
  const sent: unknown[] = [];
  const filled: unknown[][] = [];
  const options = {
    storage: async () => db,
    events: { send: (of: string) => void sent.push(of) },
    flowComponents: {
      async fillEdits(...args: unknown[]) {
        filled.push(args);
        return [{ kind: 'set_details', name: 'Filled' }];
      },
    },
  } as never;
  const edits = [{ kind: 'set_details', name: 'Second' }] as const;
  const change = await changeFlow(options, { userId, flowId: flow.id, base: 1, edits });
  expect(filled).toEqual([[userId, edits]]);
  expect(change).toMatchObject({ version: 2, edits: [{ kind: 'set_details', name: 'Filled' }] });
  expect(sent).toEqual([userId]);
  await expect(changeFlow(options, { userId: 'none', flowId: flow.id, base: 2, edits })).rejects.toThrow();
  expect(sent).toHaveLength(1);
});
