import { builtinRegistry } from '@croft/components';
import { buildFromSpec } from '@croft/flow';
import { expect, it } from 'vitest';
import { eventsOf, makeTurn, memoryCanvas, type ScriptedStep, scriptedModels, WORD_COUNT_SPEC } from './testing.ts';

const registry = builtinRegistry();
const built = buildFromSpec(WORD_COUNT_SPEC, registry, (_, id) => `${id}-aaaaa`);
if ('error' in built) throw new Error(built.details);
const { flow } = built;
const call = (tool: string, args: Readonly<Record<string, unknown>>): ScriptedStep => ({ tool, args });
const connect = (source: string, target: string) =>
  call('connect_components', {
    source_id: source.split('.')[0],
    source_output: source.split('.')[1],
    target_id: target.split('.')[0],
    target_input: target.split('.')[1],
  });

it.each([
  ['an unknown type', call('add_component', { component_type: 'Chatbot' }), /Chatbot.*search_components/],
  ['an unknown component', call('get_field_value', { component_id: 'X-1' }), /X-1.*I-aaaaa/],
  ['an unknown field', call('get_field_value', { component_id: 'P-aaaaa', field: 'x' }), /'x' not found.*'pattern'/],
  ['an unknown component to remove', call('remove_component', { component_id: 'X-1' }), /X-1/],
  ['params that are not JSON', call('configure_component', { component_id: 'P-aaaaa', params: '{broken' }), /JSON/],
  ['an unknown output', connect('I-aaaaa.none', 'O-aaaaa.input_value'), /'none' not found.*'message'/],
  ['an unknown input', connect('S-aaaaa.data', 'P-aaaaa.missing'), /'missing' not found.*'input_data'/],
  ['no connection to remove', call('disconnect_components', { source_id: 'I-aaaaa', target_id: 'O-aaaaa' }), /No/],
])('tells the model about %s what there is, changes nothing, and goes on', async (_, step, error) => {
  const canvas = memoryCanvas(flow);
  const models = scriptedModels([
    ['{"intent": "build_flow", "scope": "edit"}'],
    [step, call('add_component', { component_type: 'CurrentDate' }), 'Done.'],
  ]);
  const events = await eventsOf(makeTurn(registry, { canvas, models, message: 'change it' }));
  expect(models.results[0]).toMatchObject({ error: expect.stringMatching(error) });
  const failure = events.find((each) => each.event === 'tool_end' && !each.ok);
  expect(failure).toMatchObject({ error: expect.not.stringMatching(/search_components|\bcall\b/i) });
  expect(canvas.flow.nodes.map(({ type }) => type)).toEqual([...flow.nodes.map(({ type }) => type), 'CurrentDate']);
  expect(events.at(-1)).toMatchObject({ event: 'complete' });
});
