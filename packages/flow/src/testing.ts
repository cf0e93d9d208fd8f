import type { Component, Field, NodeCall, NodeRun, Output } from './component.ts';
import type { FlowDocument, FlowNode, Json } from './document.ts';
import { emptyFlow } from './document.ts';

/** A component for tests: the parts that matter, defaults for the rest. */
export function fakeComponent(
  type: string,
  parts: {
    readonly fields?: readonly Field[];
    readonly outputs?: readonly Output[];
    readonly run?: (call: NodeCall<unknown>) => NodeRun;
    readonly descriptor?: Partial<Component['descriptor']>;
  } = {},
): Component {
  return {
    descriptor: {
      type,
      label: type,
      description: `The ${type} component`,
      category: 'test',
      fields: parts.fields ?? [anyField('in')],
      outputs: parts.outputs ?? [anyOutput('out')],
      effects: ['none'],
      ...parts.descriptor,
    },
    run: parts.run ?? ((call) => ({ out: call.inputs['in'] ?? 'start' })),
  };
}

export const anyField = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  label: name,
  kind: 'handle',
  accepts: ['Any', 'Message', 'Data', 'Table'],
  ...more,
});

export const anyOutput = (name: string, more: Partial<Output> = {}): Output => ({
  name,
  label: name,
  types: ['Any'],
  ...more,
});

/** A flow from short words: `nodes` by id, edges as `a.out -> b.in`. */
export function flowOf(
  nodes: Readonly<Record<string, string | Partial<FlowNode>>>,
  edges: readonly string[] = [],
): FlowDocument {
  return {
    ...emptyFlow('Test'),
    nodes: Object.entries(nodes).map(([id, given]) => ({
      id,
      position: { x: 0, y: 0 },
      values: {} as Record<string, Json>,
      type: typeof given === 'string' ? given : 'Step',
      ...(typeof given === 'object' && given),
    })),
    edges: edges.map((text) => {
      const match = /^(\S+?)\.(\S+) -> (\S+?)\.(\S+)$/.exec(text);
      if (!match) throw new Error(`not an edge: ${text}`);
      const [, from, fromPort, to, toPort] = match as unknown as [string, string, string, string, string];
      return { from: { node: from, port: fromPort }, to: { node: to, port: toPort } };
    }),
  };
}
