import type { FlowNode } from '@croft/flow';
import { expect, it } from 'vitest';
import { createFlowComponents } from '../components/flow-components.ts';
import { documentOf } from '../testing.ts';
import { drawingOf, exportedFlow, findingsOf } from './read-flow.ts';

const flowComponents = createFlowComponents({ list: async () => ({ components: [], skipped: [] }) });
const flow = documentOf('name: F\nnodes:\n  A: ChatInput', (_, id) => id);

it('hands out no secret, and says where it was', async () => {
  const [node] = flow.nodes as [FlowNode];
  const asked: string[] = [];
  const variables = { list: async (userId: string) => (asked.push(userId), []) };
  const withKey = { ...flow, nodes: [{ ...node, values: { password: 'canary' } }] };
  const exported = await exportedFlow({ flowComponents, variables }, 'ann', withKey);
  expect([JSON.stringify(exported.flow).includes('canary'), exported.removed.length, asked]).toEqual([
    false,
    1,
    ['ann'],
  ]);
});

it('has the findings of the code first, then those of the flow', async () => {
  const [node] = flow.nodes as [FlowNode];
  const broken = { ...flow, nodes: [{ ...node, type: 'NoSuchType' }], edges: [] };
  const finding = { code: 'own', message: 'Of code.', fix: '', severity: 'error' } as never;
  const forFlow: typeof flowComponents.forFlow = async (...of) => ({
    ...(await flowComponents.forFlow(...of)),
    findings: [finding],
  });
  const found = await findingsOf({ forFlow }, 'ann', broken);
  expect(found[0]).toBe(finding);
  expect(found.length).toBeGreaterThan(1);
});

it('draws a flow that is not too large', () => {
  const [node] = flow.nodes;
  const of = (count: number) => ({
    ...flow,
    nodes: Array.from({ length: count }, (_, at) => ({ ...node, id: `N${at}` }) as never),
    edges: [],
  });
  expect(drawingOf(of(200))).toContain('ChatInput');
  expect(drawingOf(of(201))).toBeNull();
});
