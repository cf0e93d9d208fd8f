// croft/offline repeats the results of tools to a person. Models get other texts, which tell them what to call.
import { builtinRegistry, TEMPLATES } from '@croft/components';
import { buildFromSpec } from '@croft/flow';
import { expect, it } from 'vitest';
import { memoryCanvas, offlineTurn, WORD_COUNT_SPEC } from '../testing.ts';
import { ASK_TOOLS } from './ask-tools.ts';
import { BUILD_TOOLS } from './build-tools.ts';
import { DISCOVERY_TOOLS } from './discovery-tools.ts';
import { EDIT_TOOLS } from './edit-tools.ts';
import { OFFLINE_TOOLS } from './offline-tools.ts';
import { READ_TOOLS } from './read-tools.ts';
import { RUN_TOOLS } from './run-tools.ts';

const registry = builtinRegistry();
const built = buildFromSpec(WORD_COUNT_SPEC, registry, (_, id) => `${id}-aaaaa`);
if ('error' in built) throw new Error(built.details);
const WEB =
  'nodes:\n  U: URLComponent\n  O: ChatOutput\nedges:\n  U.page_results -> O.input_value\nconfig:\n  U.urls: https://example.com\n';
const web = buildFromSpec(WEB, registry, (_, id) => `${id}-aaaaa`);
if ('error' in web) throw new Error(web.details);

const TOOLS = [
  ...DISCOVERY_TOOLS,
  ...OFFLINE_TOOLS,
  ...READ_TOOLS,
  ...BUILD_TOOLS,
  ...EDIT_TOOLS,
  ...RUN_TOOLS,
  ...ASK_TOOLS,
];
/** Names of tools, and instructions for a model. */
const FOR_MODEL = new RegExp(
  `\\b(?:${TOOLS.map(({ name }) => name).join('|')})\\b|\\bthe user\\b|\\buser approval\\b|\\bSTOP\\b|end your|do not try|call again|looks? before`,
);

async function replyTo(message: string, flow = built) {
  const canvas = memoryCanvas('flow' in flow ? flow.flow : undefined);
  const { events, end } = await offlineTurn(registry, {
    message,
    canvas,
    templates: TEMPLATES,
    ask: async ({ choices }) => choices.at(-1) ?? '',
  });
  const errors = events.flatMap((each) => (each.event === 'tool_end' && each.error !== undefined ? [each.error] : []));
  return { reply: end.result, errors, outcome: end.outcome };
}

const json = (name: string, args: object = {}) => `${name} ${JSON.stringify(args)}`;
const edge = { source_id: 'I-aaaaa', source_output: 'none', target_id: 'O-aaaaa', target_input: 'input_value' };
const ORPHANS = 'nodes:\n  A: ChatInput\n  B: ChatOutput\n';

const CALLS: readonly [message: string, isDone: boolean][] = [
  [json('search_components', { query: 'csv' }), true],
  [json('search_components', { query: 'xyzzy' }), true],
  [json('describe_component', { component_type: 'Grep' }), true],
  [json('describe_component', { component_type: 'None' }), false],
  [json('list_templates'), true],
  [json('draft_flow', { request: 'dance a waltz' }), false],
  [json('document_flow', { path: 'x.txt' }), false],
  [json('change_text', { new_text: 'x' }), true],
  [json('add_step', { request: 'dance a waltz' }), false],
  [json('remove_step', { request: 'delete all my files' }), false],
  [json('explain_schedule', { schedule: 'every day' }), false],
  [json('explain_last_run'), true],
  [json('rename_flow', { name: 'x' }), false],
  [json('show_help'), true],
  [json('explain_flow'), true],
  [json('find_nodes', { query: 'Chat' }), true],
  [json('get_field_value', { component_id: 'P-aaaaa' }), true],
  [json('get_field_value', { component_id: 'X-1' }), false],
  [json('describe_flow_io'), true],
  [json('validate_flow'), true],
  [json('build_flow', { spec: ORPHANS }), false],
  [json('build_flow', { spec: 'nodes:\n  A: None\n' }), false],
  [json('use_template', { template_name: 'none' }), false],
  [json('add_component', { component_type: 'Chatbot' }), false],
  [json('add_component', { component_type: 'CurrentDate' }), true],
  [json('remove_component', { component_id: 'X-1' }), false],
  [json('connect_components', edge), false],
  [json('disconnect_components', { source_id: 'I-aaaaa', target_id: 'O-aaaaa' }), false],
  [json('configure_component', { component_id: 'P-aaaaa', params: { pattern: 'new' } }), true],
  [json('configure_component', { component_id: 'P-aaaaa', params: { none: 1 } }), false],
  [json('propose_field_edit', { component_id: 'P-aaaaa', field_name: 'pattern', new_value: 'x' }), true],
  [json('propose_field_edit', { component_id: 'P-aaaaa', field_name: 'none', new_value: 'x' }), false],
  [json('run_flow', { message: 'a b' }), true],
  [json('get_run', { run_id: 'none' }), false],
  [json('ask_user', { question: 'Which?', choices: ['a', 'b'] }), true],
  [json('ask_user', { question: 'Which?', choices: ['a'] }), false],
  [json('propose_plan', { plan: 'First this.' }), true],
  [json('propose_plan', { plan: ' ' }), false],
  [json('undo_change'), true],
];

it('calls every tool', () => {
  const called = new Set(CALLS.map(([message]) => message.split(' ')[0]));
  expect(TOOLS.filter(({ name }) => !called.has(name))).toEqual([]);
});

it.each(CALLS)('is written for a person: %s', async (message, isDone) => {
  const { reply, errors, outcome } = await replyTo(message);
  for (const text of [reply, ...errors]) expect(text).not.toMatch(FOR_MODEL);
  expect(reply).not.toBe('');
  expect(outcome).toBe(isDone ? 'done' : 'not_done');
});

it('is written for a person who does not allow a run', async () => {
  const { reply, outcome } = await replyTo('run it', web);
  expect([reply, outcome]).toEqual(['Not run: you did not allow it.', 'not_done']);
});
