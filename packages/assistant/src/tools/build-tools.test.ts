import { createModels } from '@croft/models';
import { expect, it } from 'vitest';
import { toolContext } from '../../../../tests/support/tool-context.ts';
import { BUILD_TOOLS } from './build-tools.ts';
import { shownTools } from '../testing.ts';

const SPEC = 'name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';
const templates = [{ name: 'echo', description: 'Echoes.', spec: SPEC }];
const build = async (
  args: Record<string, unknown>,
  more: Parameters<typeof toolContext>[1] = {},
  tool = 'build_flow',
) => {
  const made = await toolContext(undefined, { ...more, turn: { templates, ...more?.turn } });
  return { ...made, result: await made.call(BUILD_TOOLS, tool, args) };
};

it('builds a flow and proposes it', async () => {
  const { result, canvas, events, context } = await build({ spec: SPEC });
  expect(result).toMatchObject({
    text: "Flow 'Echo' built successfully as a proposal (2 nodes, 1 edges).",
    summary: 'Built “Echo”: 2 components, 1 connection.',
    name: 'Echo',
    node_count: 2,
    edge_count: 1,
  });
  expect(result).not.toHaveProperty('next');
  expect([canvas.flow.nodes.length, context.working.proposal?.flow.nodes.length]).toEqual([0, 2]);
  expect(events).toMatchObject([{ action: 'set_flow', auto_apply: false }]);
});

it('says that croft/offline is the model of a flow where no provider is set up', async () => {
  const spec =
    'name: Chat\nnodes:\n  I: ChatInput\n  M: LanguageModelComponent\n  O: ChatOutput\nedges:\n  I.message -> M.input_value\n  M.text_output -> O.input_value\n';
  const summary = async (variables: Record<string, string>) =>
    (await build({ spec }, { turn: { models: createModels({ variables }) } })).result['summary'];
  const built = 'Built “Chat”: 3 components, 2 connections.';
  expect(await summary({})).toBe(
    `${built} Its model is croft/offline, which follows simple requests by rules. Set up a model provider for real answers.`,
  );
  expect(await summary({ OPENAI_API_KEY: 'sk-x' })).toBe(built);
});

it('puts it on the canvas where the user skips all questions', async () => {
  const { result, canvas } = await build({ spec: SPEC }, { turn: { skipAll: true } });
  expect(result['text']).toContain('on the canvas');
  expect(canvas.flow.nodes).toHaveLength(2);
});

it('says one connection and one component in the singular, and calls the run that follows', async () => {
  const { context, call } = await toolContext();
  context.notes.runsBuilt = true;
  const result = await call(BUILD_TOOLS, 'build_flow', { spec: 'name: One\nnodes:\n  I: ChatInput\n' });
  expect(result).toMatchObject({
    summary: 'Built “One”: 1 component, 0 connections.',
    next: { tool: 'run_flow', arguments: {} },
  });
});

it('builds nothing from a wrong spec, or with components that nothing leads to', async () => {
  const wrong = (await build({ spec: 'nodes:\n  A: None\n' })).result;
  expect(wrong['summary']).toBe(`Nothing was built: ${String(wrong['details'])}`);
  expect(wrong['text']).toContain('call build_flow again NOW');
  const { result, context } = await build({ spec: `${SPEC}`.replace('  O:', '  S: SortRows\n  O:') });
  expect(result).toMatchObject({
    orphans: [expect.stringMatching(/^SortRows/)],
    error: expect.stringContaining('orphan components'),
  });
  expect(result['summary']).toMatch(/^Nothing was built: these components have no connection: SortRows-\w+\.$/);
  expect(context.working.proposal).toBeUndefined();
});

it.each(['build_flow', 'use_template'])('%s is not for changes of the flow that is there', async (tool) => {
  const { result, context } = await build({ spec: SPEC, template_name: 'echo' }, { isEdit: true }, tool);
  expect(result).toMatchObject({
    error: expect.stringContaining('not for a new one'),
    summary: expect.stringContaining('build a new flow that'),
  });
  expect(context.working.proposal).toBeUndefined();
});

it('builds a template by its name, which the event has, and names those that there are', async () => {
  const { result, events } = await build({ template_name: 'echo' }, {}, 'use_template');
  expect([result['name'], events[0]]).toEqual(['Echo', expect.objectContaining({ template: 'echo' })]);
  const none = (await build({ template_name: 'other' }, {}, 'use_template')).result;
  expect(none['error']).toBe("Unknown template 'other'. Available templates: echo");
});

it('uses the template of a draft for one flow only', async () => {
  const { context, call, events } = await toolContext();
  context.notes.template = 'echo';
  for (let times = 0; times < 2; times++) await call(BUILD_TOOLS, 'build_flow', { spec: SPEC });
  expect(events.map((event) => (event as { template?: string }).template)).toEqual(['echo', undefined]);
});

it('stops where the turn ended meanwhile', async () => {
  const { context, canvas } = await toolContext();
  const ended = { ...context, signal: AbortSignal.abort(new Error('stopped')) };
  await expect(async () => BUILD_TOOLS[0]?.run({ spec: SPEC }, ended)).rejects.toThrow('stopped');
  expect(canvas.version).toBe(1);
});

it('says what it does', () => {
  expect(BUILD_TOOLS.map((tool) => tool.label({ template_name: 'echo' }))).toEqual([
    'Building the flow',
    'Applying template echo',
  ]);
});

it('shows its tools to models and people in these words', () => {
  expect(shownTools(BUILD_TOOLS)).toEqual([
    'build_flow | Building the flow | needs string | Builds a new flow from a text and proposes it to the user; run_flow afterwards puts it on the canvas and runs it. Every component needs a connection. Only for new flows: change an existing flow with the other tools. | {"type":"object","additionalProperties":false}',
    '- spec: {"type":"string"} The flow as text. Example:\nname: Q and A\nnodes:\n  A: ChatInput\n  B: Agent\n  C: ChatOutput\nedges:\n  A.message -> B.input_value\n  B.response -> C.input_value\nconfig:\n  B.system_prompt: |\n    Answer briefly.',
    'use_template | Applying template TEMPLATE_NAME | needs string | Builds a new flow from a template and proposes it to the user. | {"type":"object","additionalProperties":false}',
    '- template_name: {"type":"string"} The name, as list_templates gives it.',
  ]);
});

it('puts the message of a draft into its chat input, else its text input, where that has none', async () => {
  const inputOf = async (spec: string, input?: string) => {
    const { context, call } = await toolContext();
    context.notes.input = input;
    await call(BUILD_TOOLS, 'build_flow', { spec });
    return context.working.proposal?.flow.nodes.map(({ type, values }) => [type, values['input_value']]);
  };
  const text = SPEC.replace('ChatInput', 'TextInput').replace('I.message', 'I.text');
  expect(await inputOf(SPEC, 'hi')).toEqual([
    ['ChatInput', 'hi'],
    ['ChatOutput', undefined],
  ]);
  expect(await inputOf(text, 'hi')).toEqual([
    ['TextInput', 'hi'],
    ['ChatOutput', undefined],
  ]);
  expect(await inputOf(SPEC)).toEqual([
    ['ChatInput', undefined],
    ['ChatOutput', undefined],
  ]);
  expect(await inputOf(`${SPEC}config:\n  I.input_value: own\n`, 'hi')).toEqual([
    ['ChatInput', 'own'],
    ['ChatOutput', undefined],
  ]);
  const both = `${SPEC.replace('  O:', '  T: TextInput\n  J: ChatOutput\n  O:')}  T.text -> J.input_value\n`;
  expect((await inputOf(both, 'hi'))?.slice(0, 2)).toEqual([
    ['ChatInput', 'hi'],
    ['TextInput', undefined],
  ]);
});
