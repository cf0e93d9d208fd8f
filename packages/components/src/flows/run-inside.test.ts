import { buildFromSpec, createRegistry } from '@croft/flow';
import { expect, it } from 'vitest';
import { BUILTIN } from '../builtin.ts';
import { ComponentError, type CroftComponent, type Services } from '../services.ts';
import { callOf, drain } from '../testing.ts';
import { runInside } from './run-inside.ts';
import { createSubFlowSlots } from './sub-flow-slots.ts';

let run: CroftComponent['run'] = () => ({});
const probe: CroftComponent = {
  descriptor: {
    type: 'Probe',
    label: 'Probe',
    description: 'A component of this test.',
    category: 'logic',
    effects: ['none'],
    fields: [],
    outputs: [{ name: 'out', label: 'Out', types: ['Message'] }],
  },
  run: (call) => run(call),
};
const registry = createRegistry([...BUILTIN, probe]);
const built = buildFromSpec('nodes:\n  P: Probe\n', registry, (_type, id) => id);
if ('error' in built) throw new Error(built.error);
const found = { id: 'inner id', flow: { ...built.flow, name: 'inner' }, registry };
const start = (services: Partial<Services> = {}, more = {}) => runInside(found, {}, callOf({}, services, more));

it('gives the outputs at the end of the flow by node, and reports what happens in it', async () => {
  run = async function* () {
    yield { kind: 'log', text: 'note' };
    yield { kind: 'token', text: 'to' };
    yield { kind: 'usage', model: 'm', inputTokens: 3, outputTokens: 4 };
    return { out: { text: 'done' } };
  };
  const { outputs, progress } = await drain(start());
  expect(outputs).toEqual({ P: { out: { text: 'done' } } });
  expect(progress).toEqual([
    { kind: 'log', text: 'inner: P: note' },
    { kind: 'token', text: 'to' },
    { kind: 'progress', done: 1, text: 'inner: P' },
    { kind: 'usage', model: 'inner', inputTokens: 3, outputTokens: 4 },
  ]);
});

it('runs with the services of the outer run, as one more flow under way, and asks no person', async () => {
  let given: Services | undefined;
  let key = '';
  run = ({ services, stepKey }) => {
    given = services;
    key = stepKey;
    return {};
  };
  const flows = {
    find: async () => undefined,
    names: async () => [],
    underWay: [{ id: 'o', name: 'outer' }],
    slots: createSubFlowSlots(),
  };
  await drain(start({ flows, user: 'ann' }, { stepKey: 'outer-step' }));
  expect(given).toMatchObject({
    user: 'ann',
    flows: {
      underWay: [
        { id: 'o', name: 'outer' },
        { id: 'inner id', name: 'inner' },
      ],
    },
  });
  expect(key.startsWith('outer-step')).toBe(true);
  await expect(given?.ask?.({} as never)).rejects.toMatchObject({
    message: 'A flow inside of another one cannot ask a person.',
    fix: 'Ask in the outer flow.',
  });
  await drain(start());
  expect(given).not.toHaveProperty('flows');
});

it('names the node that failed, with its fix', async () => {
  run = () => {
    throw new ComponentError('broken', 'Mend it.');
  };
  await expect(drain(start())).rejects.toMatchObject({
    message: "The flow 'inner' failed at P: broken",
    fix: 'Mend it.',
  });
});

it('ends with the outer run', async () => {
  const abort = new AbortController();
  let inner: AbortSignal | undefined;
  run = ({ signal }) => {
    inner = signal;
    abort.abort(new Error('stop'));
    return Promise.reject(signal.reason as Error);
  };
  await expect(drain(start({}, { signal: abort.signal }))).rejects.toThrow('stop');
  expect(inner?.aborted).toBe(true);
});

it('stops the flow where its reports are not read to the end', async () => {
  let inner: AbortSignal | undefined;
  run = async function* ({ signal }) {
    inner = signal;
    yield { kind: 'log', text: 'first' };
    yield { kind: 'log', text: 'second' };
    return {};
  };
  const running = start();
  await running.next();
  await running.return(undefined as never);
  expect(inner?.aborted).toBe(true);
});

it('says that a flow failed which cannot start, with advice', async () => {
  const unknown = { ...found, flow: { ...found.flow, nodes: [{ ...found.flow.nodes[0], type: 'None' }] } };
  const failing = drain(runInside(unknown as typeof found, {}, callOf({})));
  await expect(failing).rejects.toMatchObject({
    name: 'ComponentError',
    message: expect.stringMatching(/^The flow 'inner' failed( at P)?: Node 'P' has the type 'None', /),
    fix: expect.stringMatching(/\.$/),
  });
});
