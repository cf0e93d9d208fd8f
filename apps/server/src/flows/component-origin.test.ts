import { contentOf, type Edit, emptyFlow, type FlowNode } from '@croft/flow';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { documentOf } from '../testing.ts';
import { findOrigin } from './component-origin.ts';
import { createFlow } from './create-flow.ts';
import { editFlow } from './edit-flow.ts';
import { editKeyOfTurn } from './edit-key.ts';
import { getFlow } from './get-flow.ts';
import { revertOwnEdit } from './undo-edit.ts';

let db: Db;
let flowId: string;
let version: number;
const userId = 'co-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);

const document = documentOf('name: F\nnodes:\n  First: ChatInput', (_, id) => id);
const node = (id: string): FlowNode => ({ ...(document.nodes[0] as FlowNode), id });
const add = (id: string): Edit => ({ kind: 'add_component', node: node(id) });
beforeEach(async () => {
  flowId = (await createFlow(db, userId, document)).flow.id;
  version = 1;
});

async function edit(edits: readonly Edit[], turn?: string) {
  const key = turn === undefined ? {} : { key: editKeyOfTurn(turn) };
  ({ version } = await editFlow(db, { userId, flowId, base: version, edits, ...key }));
}
const origin = async (id: string) => {
  const found = await findOrigin(db, flowId, id);
  return found && [found.by, found.author, found.version];
};

it('finds who added a component, and in which version', async () => {
  await edit([add('A')]);
  await edit([{ kind: 'batch', edits: [add('B')] } as Edit], 'turn-1');
  await edit([{ kind: 'set_details', name: 'A' }]);
  expect([await origin('A'), await origin('B')]).toEqual([
    ['person', userId, 2],
    ['assistant', userId, 3],
  ]);
});

it('finds nothing for a component that the flow began with, or does not have', async () => {
  await edit([add('A')]);
  expect([await origin('First'), await origin('none'), await findOrigin(db, 'other', 'A')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('finds a component of a replaced flow, unless the flow had it before', async () => {
  await edit([add('Old')]);
  const now = (await getFlow(db, userId, flowId))?.document ?? emptyFlow();
  await edit([{ kind: 'set_flow', flow: contentOf({ ...now, nodes: [...now.nodes, node('New')] }) }], 'turn-1');
  expect([await origin('New'), await origin('Old')]).toEqual([
    ['assistant', userId, 3],
    ['person', userId, 2],
  ]);
});

it('does not take an undo for the origin', async () => {
  await edit([add('A')]);
  await edit([{ kind: 'remove_component', id: 'A' }]);
  ({ version } = await revertOwnEdit(db, { userId, flowId, base: version, kind: 'undo' }));
  expect(await origin('A')).toEqual(['person', userId, 2]);
});
