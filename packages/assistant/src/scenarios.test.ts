// Behaviour that users of Langflow's assistant know, each by its name there. docs/assistant-scenarios.md lists all of them.
import { builtinRegistry, TEMPLATES } from '@croft/components';
import { buildFromSpec, emptyFlow, type FlowDocument } from '@croft/flow';
import { makeToolset } from '@croft/tools';
import { openWorkspace } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssistantEvent } from './events.ts';
import {
  eventsOf,
  instantRuns,
  makeTurn,
  memoryCanvas,
  type ScriptedStep,
  scriptedModels,
  WORD_COUNT_SPEC,
} from './testing.ts';
import { createToolCache } from './tool-cache.ts';
import type { Turn } from './turn.ts';

const registry = builtinRegistry();

const CHAT = TEMPLATES.find(({ name }) => name === 'chat')?.spec ?? '';

function flowOf(spec: string): FlowDocument {
  const built = buildFromSpec(spec, registry, (_, id) => `${id}-aaaaa`);
  if ('error' in built) throw new Error(`${built.error} ${built.details}`);
  return built.flow;
}
const classified = (intent: string, scope = 'new') => [JSON.stringify({ intent, scope })];
const call = (tool: string, args: Readonly<Record<string, unknown>> = {}): ScriptedStep => ({ tool, args });

/** Sends one message to a model with this script, and collects everything. */
async function play(message: string, requests: readonly (readonly ScriptedStep[])[], parts: Partial<Turn> = {}) {
  const models = scriptedModels(requests);
  const canvas = memoryCanvas();
  const turn = makeTurn(registry, { canvas, models, message, ...parts });
  const events = await eventsOf(turn);
  return { events, models, flow: (await turn.canvas.read()).flow };
}
const updates = (events: readonly AssistantEvent[]) =>
  events.flatMap((each) => (each.event === 'flow_update' ? [each.action] : []));
const steps = (events: readonly AssistantEvent[]) =>
  events.flatMap((each) => (each.event === 'progress' ? [each.step] : []));
const on = (spec: string) => memoryCanvas(flowOf(spec));

describe('building', () => {
  it('Build a new flow on an empty canvas (gated)', async () => {
    const { events, flow } = await play('Build me a simple chatbot', [
      classified('build_flow'),
      [call('build_flow', { spec: CHAT }), 'Review it.'],
    ]);
    expect(flow.nodes).toEqual([]);
    expect(steps(events)).toEqual(['generating_flow', 'flow_proposal_ready']);
    expect(updates(events)).toEqual(['set_flow']);
  });

  it('Build-from-spec with orphan node is rejected', async () => {
    const { events, models } = await play('Build it', [
      classified('build_flow'),
      [
        call('build_flow', { spec: CHAT.replace('  O: ChatOutput', '  O: ChatOutput\n  X: CurrentDate') }),
        call('build_flow', { spec: CHAT }),
        'Done.',
      ],
    ]);
    expect(models.results[0]).toMatchObject({ orphans: [expect.stringMatching(/^CurrentDate-/)] });
    expect(updates(events)).toEqual(['set_flow']);
  });

  it('Tail updates after set_flow are buffered (defensive)', async () => {
    const { events, flow } = await play('Build it', [
      classified('build_flow'),
      [call('build_flow', { spec: CHAT }), call('add_component', { component_type: 'CurrentDate' }), 'Done.'],
    ]);
    expect(flow.nodes).toEqual([]);
    const flows = events.filter((each) => each.event === 'flow_update' && each.action === 'set_flow');
    expect(flows.map((each) => (each as { node_count: number }).node_count)).toEqual([3, 4]);
    expect(new Set(flows.map((each) => (each as { id: string }).id)).size).toBe(1);
  });

  it('Build mode on a non-empty canvas is forbidden (prompt rule)', async () => {
    const canvas = on(WORD_COUNT_SPEC);
    const { events, models } = await play(
      'add a date',
      [
        classified('build_flow', 'edit'),
        [call('build_flow', { spec: CHAT }), call('add_component', { component_type: 'CurrentDate' }), 'Added.'],
      ],
      { canvas },
    );
    expect(models.results[0]).toMatchObject({ error: expect.stringContaining('add_component') });
    expect(updates(events)).toEqual(['add_component']);
    expect(canvas.flow.nodes.slice(0, 4)).toEqual(flowOf(WORD_COUNT_SPEC).nodes);
  });

  it('Backend signals readiness only when a set_flow was emitted', async () => {
    const { events } = await play(
      'add a date',
      [classified('build_flow', 'edit'), [call('add_component', { component_type: 'CurrentDate' }), 'Added.']],
      { canvas: on(WORD_COUNT_SPEC) },
    );
    expect(steps(events)).not.toContain('flow_proposal_ready');
  });

  it('Skip-all applies set_flow directly to the canvas', async () => {
    const { events, flow } = await play(
      'Build it',
      [
        classified('build_flow'),
        [call('propose_plan', { plan: '1. Chat' }), call('build_flow', { spec: CHAT }), 'Done.'],
      ],
      { skipAll: true },
    );
    expect(flow.nodes).toHaveLength(3);
    expect(events).toContainEqual(expect.objectContaining({ action: 'set_flow', auto_apply: true }));
    expect(updates(events)).not.toContain('propose_plan');
  });

  it('build_flow mutates the working flow in place so the run engine sees the canvas', async () => {
    const runs = instantRuns('Hello');
    const { models } = await play(
      'build it and run it',
      [
        classified('build_flow'),
        [call('build_flow', { spec: CHAT }), call('find_nodes'), call('run_flow', { message: 'hi' }), 'Ran.'],
      ],
      { runs },
    );
    expect(models.results[1]).toMatchObject({ text: expect.stringContaining('LanguageModelComponent') });
    expect(runs.started).toEqual(['hi']);
  });

  it.each(['crie um flow e rode ele', 'build it and run it', '作って実行して', 'baue ihn und führe ihn aus'])(
    'Build + run lands on the canvas regardless of how the user phrased it: %s',
    async (message) => {
      const { flow, events } = await play(message, [
        classified('build_flow'),
        [call('build_flow', { spec: CHAT }), call('run_flow', { message: 'hi' }), 'ok'],
      ]);
      expect(flow.nodes).toHaveLength(3);
      expect(steps(events)).not.toContain('flow_proposal_ready');
    },
  );

  it('Orchestrating indicator on multi-step prompts', async () => {
    const { events } = await play('build a word counter, then run it', [
      classified('build_flow'),
      [call('build_flow', { spec: WORD_COUNT_SPEC }), 'ok'],
    ]);
    expect(steps(events)[0]).toBe('orchestrating');
  });
});

describe('editing', () => {
  it('Edit an existing flow live (NOT gated)', async () => {
    const canvas = on(CHAT);
    const { events } = await play(
      'change the model to gpt-4o',
      [
        classified('build_flow', 'edit'),
        [call('configure_component', { component_id: 'M-aaaaa', params: '{"model": "gpt-4o"}' }), 'Changed.'],
      ],
      { canvas },
    );
    expect(canvas.flow.nodes[1]?.values).toMatchObject({ model: [{ provider: 'OpenAI', name: 'gpt-4o' }] });
    expect(updates(events)).toEqual(['configure']);
    expect(steps(events)).not.toContain('flow_proposal_ready');
  });

  it('Propose a field edit', async () => {
    const canvas = on(WORD_COUNT_SPEC);
    const edit = { component_id: 'P-aaaaa', field_name: 'pattern', new_value: '{lines} lines' };
    const { events } = await play(
      'change the text',
      [classified('build_flow', 'edit'), [call('propose_field_edit', edit), 'It waits.']],
      { canvas },
    );
    expect(canvas.flow).toEqual(flowOf(WORD_COUNT_SPEC));
    expect(events).toContainEqual(
      expect.objectContaining({ action: 'edit_field', old_value: '{words} words', new_value: '{lines} lines' }),
    );
  });

  it('Adding a component live', async () => {
    const canvas = on(CHAT);
    const { events } = await play(
      'add a memory component',
      [
        classified('build_flow', 'edit'),
        [
          call('search_components', { query: 'history' }),
          call('describe_component', { component_type: 'Memory' }),
          call('add_component', { component_type: 'MessageHistory' }),
          'Added.',
        ],
      ],
      { canvas },
    );
    expect(updates(events)).toEqual(['add_component']);
    const [added, ...before] = [...canvas.flow.nodes].reverse();
    expect(before.every(({ position }) => position.x !== added?.position.x || position.y !== added.position.y)).toBe(
      true,
    );
    expect(canvas.flow.nodes.slice(0, 3)).toEqual(flowOf(CHAT).nodes);
  });

  it('Connecting components live', async () => {
    const canvas = memoryCanvas({ ...flowOf(CHAT), edges: [] });
    const edge = { source_id: 'I-aaaaa', source_output: 'message', target_id: 'M-aaaaa', target_input: 'input_value' };
    const { events } = await play(
      'connect the input',
      [classified('build_flow', 'edit'), [call('connect_components', edge), 'Connected.']],
      { canvas },
    );
    expect(updates(events)).toContain('connect');
    expect(canvas.flow.edges).toEqual([flowOf(CHAT).edges[0]]);
  });

  it('Multi-output source connection picks the right output', async () => {
    const canvas = on('nodes:\n  F: File\n  D: DocumentText\n');
    const edge = { source_id: 'F-aaaaa', source_output: 'file', target_id: 'D-aaaaa', target_input: 'file' };
    const { events } = await play(
      'connect them',
      [classified('build_flow', 'edit'), [call('connect_components', edge), 'ok']],
      { canvas },
    );
    expect(events).toContainEqual(expect.objectContaining({ action: 'select_output', output_name: 'file' }));
    expect(updates(events)).toContain('connect');
  });

  it('Connection to a ModelInput sets connection mode', async () => {
    const canvas = on('nodes:\n  M: LanguageModelComponent\n  A: Agent\n');
    const edge = { source_id: 'M-aaaaa', source_output: 'model_output', target_id: 'A-aaaaa', target_input: 'model' };
    const { events } = await play(
      'connect them',
      [classified('build_flow', 'edit'), [call('connect_components', edge), 'ok']],
      { canvas },
    );
    expect(updates(events).slice(0, 2)).toEqual(['set_connection_mode', 'connect']);
  });

  it('Inline build tasks for live canvas mutations', async () => {
    const { events } = await play(
      'add a date and a calculator',
      [
        classified('build_flow', 'edit'),
        [
          call('add_component', { component_type: 'CurrentDate' }),
          call('add_component', { component_type: 'CalculatorComponent' }),
          call('configure_component', { component_id: 'M-aaaaa', params: { temperature: 0.5 } }),
          'ok',
        ],
      ],
      { canvas: on(CHAT) },
    );
    expect(updates(events)).toEqual(['add_component', 'add_component', 'configure']);
  });
});

describe('reading', () => {
  it('Sensitive field values are redacted', async () => {
    const [input, model, output] = flowOf(CHAT).nodes;
    const nodes = [input!, { ...model!, values: { api_key: 'plain-key' } }, output!];
    const { models } = await play(
      'what is the key?',
      [
        classified('build_flow', 'edit'),
        [call('get_field_value', { component_id: 'M-aaaaa', field: 'api_key' }), 'I cannot see it.'],
      ],
      { canvas: memoryCanvas({ ...flowOf(CHAT), nodes }) },
    );
    expect(models.results[0]).toEqual({ component_id: 'M-aaaaa', field: 'api_key', value: '***REDACTED***' });
  });

  it('Current flow context is injected into the prompt', async () => {
    const { models } = await play('what is this?', [classified('question'), ['A chat.']], { canvas: on(CHAT) });
    expect(models.prompts[1]).toMatch(
      /\[Canvas reference [^\n]*\n[^]*M-aaaaa: LanguageModelComponent[^]*\n\[End of canvas reference\]\n\nwhat is this\?$/,
    );
  });

  it('Off-topic and Q&A intents bypass the flow builder entirely', async () => {
    const off = await play('how does n8n work?', [classified('off_topic')]);
    expect(off.events.at(-1)).toMatchObject({
      event: 'complete',
      data: { result: expect.stringContaining('can only help with') },
    });
    expect(off.models.prompts).toHaveLength(1);
    const asked = await play('how do I run a flow?', [classified('question'), ['Press Run.']]);
    expect(asked.events.filter(({ event }) => event === 'tool_start')).toEqual([]);
    expect(asked.events.at(-1)).toMatchObject({ event: 'complete', data: { result: 'Press Run.' } });
  });

  it('DescribeFlowIO returns deterministic IO on a large flow', async () => {
    const nodes = Array.from({ length: 300 }, (_, at) => `  N${at}: PromptTemplate`).join('\n');
    const edges = Array.from({ length: 299 }, (_, at) => `  N${at}.prompt -> N${at + 1}.tool_placeholder`).join('\n');
    const { models } = await play(
      'what goes in?',
      [classified('build_flow', 'edit'), [call('describe_flow_io'), call('describe_flow_io'), 'The first.']],
      { canvas: memoryCanvas(flowOf(`nodes:\n${nodes}\nedges:\n${edges}\n`)) },
    );
    expect(models.results[0]).toEqual(models.results[1]);
    expect(models.results[0]).toMatchObject({
      inputs: [{ id: 'N0-aaaaa' }],
      outputs: [{ id: 'N299-aaaaa' }],
      tools: [],
    });
    expect((models.prompts[1] ?? '').length).toBeLessThan(4_000);
  });

  it('Provider-agnostic model auto-pick (no OpenAI obligation)', async () => {
    const models = scriptedModels([classified('question'), ['ok']]);
    const state = (name: string, isEnabled: boolean) => ({
      name,
      isEnabled,
      missing: [],
      optional: [],
      exampleUrl: undefined,
      models: [],
      embeddingModels: undefined,
    });
    const own = {
      ...models,
      providers: [state('Anthropic', true), state('OpenAI', false)],
      preferred: { provider: 'Anthropic', name: 'claude' },
    };
    await eventsOf(makeTurn(registry, { models: own, message: 'hello' }));
    expect(models.prompts[1]).toContain(
      "preferred: provider='Anthropic', name='claude'; providers with credentials configured: Anthropic\n",
    );
    expect(models.prompts[1]).not.toContain('OpenAI');
  });
});

describe('running', () => {
  it('RunFlow returns duration and token metrics', async () => {
    const { models } = await play(
      'run the flow',
      [classified('run_flow'), [call('run_flow', { message: 'a' }), 'ok']],
      { canvas: on(WORD_COUNT_SPEC) },
    );
    expect(models.results[0]).toMatchObject({
      text: 'done\n\n(Ran in 0.01s)',
      duration_seconds: 0.01,
      input_tokens: 0,
      output_tokens: 0,
      total_tokens: 0,
    });
  });

  it('Edit approval with no deferred step does NOT trigger a continuation', async () => {
    const { events } = await play(
      'change the text',
      [
        classified('build_flow', 'edit'),
        [call('configure_component', { component_id: 'P-aaaaa', params: { pattern: 'N' } }), 'It waits.'],
      ],
      { canvas: on(WORD_COUNT_SPEC) },
    );
    expect(events.at(-1)).toMatchObject({ data: { continuation_expected: false } });
  });
});

describe('files', () => {
  let scratch: Scratch;
  let parts: Partial<Turn>;
  beforeAll(() => {
    scratch = makeScratch(['NOTES.md = The wall holds.', '.components/', '.components/Sum.ts = class Sum {}']);
    const workspace = openWorkspace(scratch.workspace);
    parts = { files: { tools: makeToolset('files', { acquire: () => workspace }) } };
  });
  afterAll(() => scratch.remove());
  const file = (...calls: readonly ScriptedStep[]) =>
    play('do it', [classified('manage_files'), [...calls, 'Done.']], parts);
  const written = (events: readonly AssistantEvent[]) => events.filter(({ event }) => event === 'file_written');

  it('Create a documentation file (manage_files intent)', async () => {
    const { events, flow } = await file(call('write_file', { path: 'FLOW_DOCS.md', content: '# Flow' }));
    expect(steps(events)).toEqual(['generating_document']);
    expect(written(events)).toEqual([
      { event: 'file_written', action: 'write_file', path: 'FLOW_DOCS.md', size: 6, content: '# Flow' },
    ]);
    expect(flow).toEqual(emptyFlow());
  });

  it('Backend embeds content inline, frontend has no fetch endpoint', async () => {
    const { events } = await file(call('write_file', { path: 'a.md', content: 'inline' }));
    expect(written(events)[0]).toMatchObject({ content: 'inline' });
  });

  it('No Continue gate for sandboxed file actions', async () => {
    const { events } = await file(call('write_file', { path: 'b.md', content: 'b' }));
    expect(events.some(({ event }) => event === 'question')).toBe(false);
    expect(events.at(-1)).toMatchObject({ data: { status_line: 'Wrote b.md · not run.' } });
  });

  it('Read a sandboxed file (read-only path)', async () => {
    const { events, models } = await file(call('read_file', { path: 'NOTES.md' }));
    expect(JSON.stringify(models.results)).toContain('The wall holds.');
    expect(written(events)).toEqual([]);
  });

  it('Search across sandbox files', async () => {
    const { events, models } = await file(call('grep_search', { pattern: 'wall' }));
    expect(JSON.stringify(models.results)).toContain('NOTES.md');
    expect(written(events)).toEqual([]);
  });

  it('Failed write does not emit a stale event', async () => {
    const { events, models } = await file(call('write_file', { path: '../escape.md', content: 'x' }));
    expect(models.results[0]).toMatchObject({ error: expect.any(String) });
    expect(written(events)).toEqual([]);
  });

  it("User Component — agent's FS tools refuse .components/", async () => {
    const { models } = await file(
      call('read_file', { path: '.components/Sum.ts' }),
      call('write_file', { path: '.COMPONENTS/Sum.ts', content: 'x' }),
    );
    for (const result of models.results)
      expect(result).toMatchObject({ error: expect.stringContaining('is reserved') });
  });
});

describe('the cache of a turn', () => {
  it('Tool result cache — second describe_component call hits the cache', async () => {
    let produced = 0;
    const cache = createToolCache();
    const produce = async () => ({ count: ++produced });
    expect(await cache.get('describe_component', { component_type: 'ChatInput' }, produce)).toEqual({ count: 1 });
    expect(await cache.get('describe_component', { component_type: 'ChatInput' }, produce)).toEqual({ count: 1 });
  });

  it('Tool result cache distinguishes args', async () => {
    let produced = 0;
    const cache = createToolCache(2);
    const get = (query: string) => cache.get('search', { query }, async () => ({ count: ++produced }));
    expect([await get('a'), await get('b'), await get('a')]).toEqual([{ count: 1 }, { count: 2 }, { count: 1 }]);
    await get('c');
    expect(await get('b')).toEqual({ count: 4 });
  });

  it('Tool result cache does NOT cache errors', async () => {
    const cache = createToolCache();
    await expect(cache.get('t', { x: 1 }, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await cache.get<object>('t', { x: 1 }, async () => ({ error: 'no' }))).toEqual({ error: 'no' });
    expect(await cache.get<object>('t', { x: 1 }, async () => ({ ok: true }))).toEqual({ ok: true });
  });

  it('Tool result cache is reset between requests', async () => {
    let reads = 0;
    const counting = { ...registry, get: (type: string) => (type === 'File' && reads++, registry.get(type)) };
    const describeTwice = [
      call('describe_component', { component_type: 'File' }),
      call('describe_component', { component_type: 'File' }),
      'ok',
    ];
    for (const expected of [1, 2]) {
      await eventsOf(
        makeTurn(counting, { message: 'what?', models: scriptedModels([classified('question'), describeTwice]) }),
      );
      expect(reads).toBe(expected);
    }
  });

  it('Tool result cache excludes mutable-state reads', async () => {
    const { models } = await play(
      'set it',
      [
        classified('build_flow', 'edit'),
        [
          call('get_field_value', { component_id: 'M-aaaaa', field: 'temperature' }),
          call('configure_component', { component_id: 'M-aaaaa', params: { temperature: 0.5 } }),
          call('get_field_value', { component_id: 'M-aaaaa', field: 'temperature' }),
          'ok',
        ],
      ],
      { canvas: on(CHAT) },
    );
    expect(models.results[0]).not.toEqual(models.results[2]);
    expect(models.results[2]).toMatchObject({ value: 0.5 });
  });
});
