import type { AssistantEvent } from '@croft/assistant';
import { expect, it } from 'vitest';
import { openProposals } from './chat-backend.ts';

const update = (action: string, id: string, more: object = {}) =>
  ({ event: 'flow_update', action, id, ...more }) as unknown as AssistantEvent;

it('leaves plans, fields and built flows open that wait for the user', () => {
  const events = [
    update('propose_plan', 'p'),
    update('set_flow', 'f', { auto_apply: false }),
    update('edit_field', 'e'),
    update('configure', 'c'),
    { event: 'token', id: 't', action: 'edit_field' } as unknown as AssistantEvent,
  ];
  expect(openProposals(events)).toEqual(events.slice(0, 3));
});

it('closes a flow that was applied, and replaces a proposal of the same id', () => {
  const waits = update('set_flow', 'f', { auto_apply: false });
  const applied = update('set_flow', 'f', { auto_apply: true });
  expect(openProposals([waits, applied])).toEqual([]);
  expect(openProposals([applied, waits])).toEqual([waits]);
  const later = update('edit_field', 'e', { field: 'later' });
  expect(openProposals([update('edit_field', 'e'), later])).toEqual([later]);
});
