import { builtinRegistry, type Services } from '@croft/components';
import { createRegistry, type Component, type FlowDocument, emptyFlow } from '@croft/flow';
import { openWorkspace } from '@croft/workspace';
import { appendFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RunContext } from '@croft/runs';

/** Services of the components below. */
export interface TestServices {
  readonly run: RunContext;
  /** Called at the points of an effect at which a test may end the process. */
  readonly at: (point: 'before' | 'after', node: string) => void | Promise<void>;
  /** The file with a line for each effect. */
  readonly effects: string;
}

const input = { name: 'in', label: 'In', kind: 'handle', accepts: ['Any'], list: true } as const;
const output = { name: 'out', label: 'Out', types: ['Any'] } as const;
const base = {
  label: 'Test',
  description: 'For tests.',
  category: 'test',
  fields: [input],
  outputs: [output],
} as const;

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');

function effectful(type: string, effect: 'workspace-write' | 'model' | 'database-write'): Component<TestServices> {
  return {
    descriptor: { ...base, type, effects: [effect] },
    async run({ nodeId, inputs, services, stepKey }) {
      await services.at('before', nodeId);
      appendFileSync(services.effects, `${nodeId} ${stepKey}\n`);
      await services.at('after', nodeId);
      return { out: [...texts(inputs['in']), nodeId].join('>') };
    },
  };
}

/** Pure, effectful, waiting, failing and streaming components for runs. */
export const testRegistry = createRegistry<Component<TestServices>>([
  {
    descriptor: { ...base, type: 'Pure', effects: ['none'] },
    run({ nodeId, inputs, services }) {
      void services.at('before', nodeId);
      const out = [...texts(inputs['in']), nodeId].join('>');
      void services.at('after', nodeId);
      return { out };
    },
  },
  {
    // Holds the nodes after it, without a record of its own.
    descriptor: { ...base, type: 'Gate', effects: ['none'] },
    async run({ nodeId, inputs, services }) {
      await services.at('before', nodeId);
      return { out: [...texts(inputs['in']), nodeId].join('>') };
    },
  },
  effectful('Effect', 'workspace-write'),
  effectful('Paid', 'model'),
  effectful('Unsure', 'database-write'),
  {
    descriptor: { ...base, type: 'Ask', effects: ['wait'] },
    async run({ nodeId, stepKey, services }) {
      const question = { key: stepKey, node: nodeId, text: 'Send it?', options: ['approve', 'reject'] };
      const { choice, by } = await services.run.ask(question);
      return { out: `${choice} by ${by}` };
    },
  },
  {
    // The component of flows that appends, with a point between its addition and its checkpoint.
    descriptor: { ...base, type: 'Add', effects: ['workspace-write'] },
    async run(call) {
      const { run, effects, at } = call.services;
      await at('before', call.nodeId);
      const workspace = openWorkspace(dirname(effects));
      const append: typeof workspace.append = (...args) => {
        const done = workspace.append(...args);
        void at('after', call.nodeId);
        return done;
      };
      const remember: Services['remember'] = (key, make) => run.remember(key, make);
      const services: Services = { workspace: { ...workspace, append }, remember, now: () => new Date() };
      const inputs = { input: `${call.nodeId}\n`, file_name: 'added.txt', local_format: 'txt', append_mode: true };
      try {
        return {
          out: await builtinRegistry()
            .get('SaveToFile')
            ?.run({ ...call, inputs, services }),
        };
      } finally {
        workspace.close();
      }
    },
  },
  {
    descriptor: { ...base, type: 'Fail', effects: ['workspace-write'] },
    run: ({ inputs }) => Promise.reject(new Error(`the disk is full: ${texts(inputs['in']).join(' ')}`)),
  },
  {
    descriptor: { ...base, type: 'Slow', effects: ['network-read'] },
    run: ({ signal, nodeId, services }) =>
      new Promise((resolve, reject) => {
        void services.at('before', nodeId);
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
        setTimeout(() => resolve({ out: 'slept' }), 60_000).unref();
      }),
  },
  {
    descriptor: { ...base, type: 'Words', effects: ['model'] },
    async *run() {
      for (let n = 0; n < 200; n++) yield { kind: 'token', text: `${n} ` } as const;
      yield { kind: 'usage', model: 'test', inputTokens: 3, outputTokens: 200 } as const;
      return { out: 'said' };
    },
  },
  {
    descriptor: { ...base, type: 'Handle', effects: ['model'] },
    run: () => ({ out: Object.assign(() => 'called', { toString: () => 'a function' }) }),
  },
]);

/** A flow from `id: Type` pairs and `from>to` edges. */
export function testFlow(nodes: Readonly<Record<string, string>>, edges: readonly string[]): FlowDocument {
  return {
    ...emptyFlow('Test flow'),
    nodes: Object.entries(nodes).map(([id, type]) => ({ id, type, position: { x: 0, y: 0 }, values: {} })),
    edges: edges.map((edge) => {
      const [from = '', to = ''] = edge.split('>');
      return { from: { node: from, port: 'out' }, to: { node: to, port: 'in' } };
    }),
  };
}

/** A chain of nodes of these types; ids are `n0`, `n1`, … */
export function chainOf(types: readonly string[]): FlowDocument {
  const nodes = Object.fromEntries(types.map((type, index) => [`n${index}`, type]));
  return testFlow(
    nodes,
    types.slice(1).map((_, index) => `n${index}>n${index + 1}`),
  );
}
