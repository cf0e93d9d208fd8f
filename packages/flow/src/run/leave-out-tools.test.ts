import { describe, expect, it } from 'vitest';
import { createRegistry } from '../registry.ts';
import { anyField, fakeComponent, flowOf } from '../testing.ts';
import { validateFlow } from '../validate.ts';
import type { RunEvent } from './events.ts';
import { runToEnd } from './run-flow.ts';

const agent = fakeComponent('Agent', {
  fields: [anyField('tools', { accepts: ['Tool'], list: true }), anyField('in')],
  run: ({ inputs }) => ({ out: (inputs['tools'] as unknown[] | undefined)?.length ?? 0 }),
});
const registry = createRegistry([agent, fakeComponent('Step')]);
const imported = { type: 'Elsewhere', toolMode: true, original: { data: {} } };

async function run(flow: ReturnType<typeof flowOf>) {
  const events: RunEvent[] = [];
  const result = await runToEnd(flow, { registry, services: undefined }, (event) => void events.push(event));
  return { result, events };
}

describe('an imported node without a component', () => {
  it('is left out with a warning where it is only a tool', async () => {
    const flow = flowOf({ T: imported, A: 'Agent' }, ['T.component_as_tool -> A.tools']);
    expect(validateFlow(flow, registry).filter(({ severity }) => severity === 'error')).toEqual([]);
    const { result, events } = await run(flow);
    expect(result).toMatchObject({ status: 'completed', outputs: { A: { out: 0 } } });
    expect(events).toContainEqual({
      kind: 'log',
      node: 'T',
      path: '',
      text: 'Left out: this Croft does not have the imported tool.',
    });
  });

  it.each([
    ['gives a value to another node as well', ['T.component_as_tool -> A.tools', 'T.out -> A.in']],
    ['takes a value from another node', ['T.component_as_tool -> A.tools', 'S.out -> T.in']],
  ])('stops the run before it starts where it %s', async (_, edges) => {
    const { result, events } = await run(flowOf({ S: 'Step', T: imported, A: 'Agent' }, edges));
    expect(result).toMatchObject({ status: 'failed', failure: { node: 'T' } });
    expect(events.map(({ kind }) => kind)).toEqual(['run_started', 'run_finished']);
  });

  it('stops the run where an output of its own has the name of the tool', async () => {
    const own = { type: 'Elsewhere', original: { data: {} } };
    const { result } = await run(flowOf({ T: own, A: 'Agent' }, ['T.component_as_tool -> A.in']));
    expect(result).toMatchObject({ status: 'failed', failure: { node: 'T' } });
  });
});
