import type { FlowDocument } from '@croft/flow';
import { expect, it } from 'vitest';
import { scheduleInputs, webhookInputs, withoutFixedTriggers } from './trigger-inputs.ts';

const flowOf = (...nodes: object[]) => ({ name: 'Flow', nodes }) as unknown as FlowDocument;
const request = { data: { a: 1 }, query: { q: 'x' }, headers: { host: 'h' } };

it('gives the request to every webhook component, and to no other', () => {
  const flow = flowOf({ id: 'W1', type: 'Webhook' }, { id: 'C', type: 'ChatInput' }, { id: 'W2', type: 'Webhook' });
  const inputs = webhookInputs(flow, request);
  expect(Object.keys(inputs)).toEqual(['W1', 'W2']);
  expect([inputs['W1'], inputs['W2']]).toEqual([request, request]);
  expect(inputs['W1']).not.toBe(inputs['W2']);
});

it('does not take a component called __proto__ for the prototype', () => {
  const inputs = webhookInputs(flowOf({ id: '__proto__', type: 'Webhook' }), request);
  expect(Object.keys(inputs)).toEqual(['__proto__']);
});

it('gives the time at which a run is due', () => {
  const flow = flowOf({ id: 'S', type: 'ScheduleTrigger' }, { id: 'W', type: 'Webhook' });
  const inputs = scheduleInputs(flow, new Date(Date.UTC(2030, 0, 1)), 'Europe/Zurich');
  expect(Object.entries(inputs)).toEqual([
    ['S', { scheduled_at: '2030-01-01T00:00:00.000Z', timezone: 'Europe/Zurich' }],
  ]);
});

it('drops fixed outputs of triggers only', () => {
  const pinned = { out: 1 };
  const { nodes, name } = withoutFixedTriggers(
    flowOf({ id: 'W', type: 'Webhook', pinned }, { id: 'A', type: 'Agent', pinned }, { id: 'X', type: 'Webhook' }),
    'Webhook',
  );
  expect([name, nodes.map((node) => node.pinned)]).toEqual(['Flow', [undefined, pinned, undefined]]);
});
