import { expect, it } from 'vitest';
import type { FlowTool } from '../component.ts';
import { createRegistry } from '../registry.ts';
import { anyField, fakeComponent, flowOf } from '../testing.ts';
import { runToEnd } from './run-flow.ts';

const output = (name: string) => ({ name, label: name, types: ['Message' as const] });

it.each([
  ['RandomMenuItem', ['build_output'], undefined, 'random_menu_item'],
  ['HTTPClient', ['process'], undefined, 'http_client'],
  ['S3Bucket', ['run'], undefined, 's3_bucket'],
  ['WeatherComponent', ['output'], undefined, 'weather'],
  ['RandomMenuItem', ['menu_item'], undefined, 'menu_item'],
  ['RandomMenuItem', ['output', 'price'], undefined, 'random_menu_item'],
  ['RandomMenuItem', ['output'], 'Pick a dish', 'Pick-a-dish'],
])(
  'a tool of the type %s with the outputs %j and the name %s is %s for the model',
  async (type, outputs, name, tool) => {
    let names: readonly string[] = [];
    const own = fakeComponent(type, { descriptor: { tool: true, outputs: outputs.map(output) } });
    const agent = fakeComponent('Agent', {
      fields: [anyField('tools', { accepts: ['Tool'], list: true })],
      run: ({ inputs }) => {
        names = (inputs['tools'] as readonly FlowTool[]).map((each) => each.name);
        return { out: 1 };
      },
    });
    const flow = flowOf({ T: { type, toolMode: true, ...(name !== undefined && { name }) }, A: 'Agent' }, [
      'T.component_as_tool -> A.tools',
    ]);
    await runToEnd(flow, { registry: createRegistry([own, agent]), services: undefined });
    expect(names).toEqual([tool]);
  },
);
