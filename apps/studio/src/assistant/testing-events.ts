import type { AssistantEvent, FlowUpdate } from '@croft/assistant/events';
import { emptyFlow, type FlowContent, type FlowNode } from '@croft/flow';

/** Events of turns, for tests. */

export const begin = (turn_id = 't1'): AssistantEvent => ({
  event: 'turn',
  turn_id,
  session_id: 's1',
  model: 'test/model',
});

export const update = (change: FlowUpdate): AssistantEvent => ({ event: 'flow_update', ...change });

export const nodeOf = (type: string, id: string): FlowNode => ({ id, type, position: { x: 0, y: 0 }, values: {} });

export const added = (type: string, id: string, version = 2): AssistantEvent =>
  update({ action: 'add_component', node: nodeOf(type, id), version });

export const EMPTY: FlowContent = emptyFlow('Built');

export const built = (more: { readonly auto_apply?: boolean; readonly version?: number } = {}): AssistantEvent =>
  update({
    action: 'set_flow',
    flow: EMPTY,
    name: 'Built',
    node_count: 2,
    edge_count: 1,
    auto_apply: false,
    id: 't1-1',
    ...more,
  });

export const proposed = (id: string): AssistantEvent =>
  update({
    action: 'edit_field',
    id,
    component_id: 'P-1',
    component_type: 'ParserComponent',
    field: 'pattern',
    old_value: 'old',
    new_value: 'new',
    description: '',
    patch: [],
  });

export const planned = (markdown: string, id = 't1-plan'): AssistantEvent =>
  update({ action: 'propose_plan', id, markdown });

export const completed = (result: string, continuation_expected = false): AssistantEvent => ({
  event: 'complete',
  data: {
    result,
    has_flow: false,
    outcome: 'done',
    left_out: [],
    continuation_expected,
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    duration_seconds: 1.5,
    status_line: '',
    restore_point_id: 'r1',
  },
});

export const cancelled: AssistantEvent = {
  event: 'cancelled',
  message: 'Generation cancelled by user',
  usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
  duration_seconds: 0.2,
  status_line: '',
};
