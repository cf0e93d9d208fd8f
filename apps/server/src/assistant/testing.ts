import { documentOf } from '../testing.ts';

/** A flow with one component, `A`. */
export const FLOW = documentOf('name: F\nnodes:\n  A: ChatInput', (_, id) => id);

/** The value of `A` that `fieldEvent` replaces. */
export const BEFORE = FLOW.nodes[0]?.values['sender_name'] ?? null;

/** The event of a turn that asks whether to set a field of `FLOW`. */
export const fieldEvent = (id: string, over: object = {}) => ({
  event: 'flow_update',
  action: 'edit_field',
  id,
  component_id: 'A',
  field: 'sender_name',
  old_value: BEFORE,
  new_value: 'Me',
  description: 'Set it?',
  ...over,
});
