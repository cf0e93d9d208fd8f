import type { FlowDocument, Json } from '@croft/flow';

type TriggerInputs = Record<string, Record<string, Json>>;

/** The values of a run for every node of a type. */
function inputsFor(flow: FlowDocument, type: string, values: Readonly<Record<string, Json>>): TriggerInputs {
  // Authors choose the ids of nodes: `__proto__` must not be the prototype.
  const inputs = Object.create(null) as TriggerInputs;
  for (const node of flow.nodes) if (node.type === type) inputs[node.id] = { ...values };
  return inputs;
}

/** The request to a webhook, for the components that take it. */
export interface HookRequest {
  readonly data: Json;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Inputs of a run that a request to a webhook starts. */
export const webhookInputs = (flow: FlowDocument, { data, query, headers }: HookRequest): TriggerInputs =>
  inputsFor(flow, 'Webhook', { data, query, headers });

/** The flow with the outputs of these triggers computed from the request: fixed outputs of a trigger are for trying the flow. */
export const withoutFixedTriggers = (flow: FlowDocument, type: string): FlowDocument => ({
  ...flow,
  nodes: flow.nodes.map((node) => (node.type === type && node.pinned ? { ...node, pinned: undefined } : node)),
});

/** Inputs of a run that is due at a time. */
export const scheduleInputs = (flow: FlowDocument, due: Date, timeZone: string): TriggerInputs =>
  inputsFor(flow, 'ScheduleTrigger', { scheduled_at: due.toISOString(), timezone: timeZone });
