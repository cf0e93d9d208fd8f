import { once } from 'node:events';
import { builtinRegistry, TEMPLATES } from '@croft/components';
import { buildFromSpec, emptyFlow, type FlowDocument } from '@croft/flow';
import type { Models } from '@croft/models';
import { makeToolset } from '@croft/tools';
import { openWorkspace } from '@croft/workspace';
import { makeScratch } from '@croft/workspace/testing';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runTurn } from './run-turn.ts';
import { eventsOf, instantRuns, makeTurn, memoryCanvas, scriptedModels, WORD_COUNT_SPEC } from './testing.ts';

const registry = builtinRegistry();
const templates = TEMPLATES.map(({ name, description, spec }) => ({ name, description, spec }));

/** 600 components, each with two connections. */
const NUMBERS = Array.from({ length: 600 }, (_, i) => i);
const LARGE = [
  'nodes:',
  ...NUMBERS.map((i) => `  N${i}: PromptTemplate`),
  'edges:',
  ...NUMBERS.slice(1).flatMap((i) => [`  N${i - 1}.prompt -> N${i}.a`, `  N${i - 1}.prompt -> N${i}.b`]),
  'config:',
  ...NUMBERS.map((i) => `  N${i}.template: "{a} {b}"`),
].join('\n');

const NEW = '{"intent": "build_flow", "scope": "new"}';
const EDIT = '{"intent": "build_flow", "scope": "edit"}';

/** Measures the CPU time of each turn of the event loop until `end()`, in microseconds. */
function heldByTurns() {
  const start = process.cpuUsage();
  let isRunning = true;
  let [before, longest] = [0, 0];
  const used = () => {
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  const others = (async () => {
    while (isRunning) {
      await nextTurn();
      longest = Math.max(longest, used() - before);
      before = used();
    }
  })();
  return {
    end: async () => {
      isRunning = false;
      await others;
      return { longest, all: before };
    },
  };
}

function wordCount(): FlowDocument {
  const built = buildFromSpec(WORD_COUNT_SPEC, registry, (_, id) => `${id}-aaaaa`);
  if ('error' in built) throw new Error(built.details);
  return built.flow;
}

it('proposes a built flow, and leaves the canvas empty until the user accepts', async () => {
  const canvas = memoryCanvas();
  const models = scriptedModels([[NEW], [{ tool: 'build_flow', args: { spec: WORD_COUNT_SPEC } }, 'Here it is.']]);
  const events = await eventsOf(makeTurn(registry, { canvas, models, message: 'Build me a word counter' }));
  expect(canvas.flow.nodes).toEqual([]);
  expect(events).toContainEqual(expect.objectContaining({ action: 'set_flow', auto_apply: false, node_count: 4 }));
  expect(events).toContainEqual(expect.objectContaining({ step: 'flow_proposal_ready' }));
  const end = events.at(-1);
  expect(end).toMatchObject({ event: 'complete', data: { result: 'Here it is.', has_flow: true } });
  expect(end).toMatchObject({
    data: { status_line: 'Built, not in the flow yet: add or replace it · checked without problems · not run.' },
  });
});

it('puts a built flow on the canvas before it runs it, and reports the run by its id', async () => {
  const canvas = memoryCanvas();
  const runs = instantRuns('3 words');
  const models = scriptedModels([
    [NEW],
    [
      { tool: 'build_flow', args: { spec: WORD_COUNT_SPEC } },
      { tool: 'run_flow', args: { message: 'a b c' } },
      'Done.',
    ],
  ]);
  const events = await eventsOf(makeTurn(registry, { canvas, models, runs, message: 'crie um flow e rode ele' }));
  expect(canvas.flow.nodes).toHaveLength(4);
  expect(runs.started).toEqual(['a b c']);
  const at = (name: string) => events.findIndex((each) => each.event === name);
  expect(at('run_started')).toBeGreaterThan(
    events.findIndex((each) => each.event === 'flow_update' && each.action === 'set_flow' && each.auto_apply),
  );
  expect(events.at(-1)).toMatchObject({
    data: {
      status_line: 'Built into the flow · checked without problems · run completed.',
      restore_point_id: 'point-1',
    },
  });
});

it('rejects a text with an orphan and builds nothing', async () => {
  const models = scriptedModels([
    [NEW],
    [
      {
        tool: 'build_flow',
        args: { spec: `${WORD_COUNT_SPEC.replace('  O: ChatOutput', '  O: ChatOutput\n  X: CalculatorComponent')}` },
      },
      'ok',
    ],
    ['ok'],
    ['ok'],
  ]);
  const events = await eventsOf(makeTurn(registry, { models, message: 'Build it' }));
  expect(models.results[0]).toMatchObject({ error: expect.stringContaining('orphan components with no edges') });
  expect(events.filter((each) => each.event === 'flow_update')).toEqual([]);
});

it('contradicts a model that claims what it did not do', async () => {
  const lies = [['Done, I built it and ran it.'], ['I did it.'], ['It is there.']];
  const models = scriptedModels([[NEW], ...lies]);
  const events = await eventsOf(makeTurn(registry, { models, message: 'Build a flow' }));
  expect(events.at(-1)).toMatchObject({
    event: 'error',
    message: expect.stringContaining('produced no canvas actions'),
    status_line: 'Nothing was changed · not run.',
  });
});

it('refuses to replace the canvas in a turn that edits it', async () => {
  const canvas = memoryCanvas(wordCount());
  const models = scriptedModels([
    [EDIT],
    [
      { tool: 'build_flow', args: { spec: WORD_COUNT_SPEC } },
      { tool: 'add_component', args: { component_type: 'CurrentDate' } },
      'Added.',
    ],
  ]);
  await eventsOf(makeTurn(registry, { canvas, models, message: 'add a date' }));
  expect(models.results[0]).toMatchObject({ error: expect.stringContaining('add_component') });
  expect(canvas.flow.nodes.map(({ type }) => type)).toEqual([
    ...wordCount().nodes.map(({ type }) => type),
    'CurrentDate',
  ]);
  expect(canvas.flow.nodes.slice(0, 4)).toEqual(wordCount().nodes);
});

it('proposes new texts of components that were there, and defers the run until the user has decided', async () => {
  const canvas = memoryCanvas(wordCount());
  const models = scriptedModels([
    [EDIT],
    [
      { tool: 'configure_component', args: { component_id: 'P-aaaaa', params: { pattern: 'N: {words}' } } },
      { tool: 'run_flow', args: {} },
      'It waits for you.',
    ],
  ]);
  const events = await eventsOf(makeTurn(registry, { canvas, models, message: 'change the text and run the flow' }));
  expect(canvas.flow).toEqual(wordCount());
  expect(events).toContainEqual(
    expect.objectContaining({
      action: 'edit_field',
      field: 'pattern',
      old_value: '{words} words',
      new_value: 'N: {words}',
    }),
  );
  expect(events.some(({ event }) => event === 'run_started')).toBe(false);
  expect(events.at(-1)).toMatchObject({ data: { continuation_expected: true } });
});

it('tells the model what another client changed meanwhile', async () => {
  const canvas = memoryCanvas(wordCount());
  const models = scriptedModels([
    [EDIT],
    [{ tool: 'find_nodes', args: {} }, { tool: 'add_component', args: { component_type: 'CurrentDate' } }, 'ok'],
  ]);
  const turn = makeTurn(registry, { canvas, models, message: 'add a date' });
  for await (const event of runTurn(turn))
    if (event.event === 'tool_end' && event.tool === 'find_nodes')
      canvas.change([{ kind: 'configure', id: 'P-aaaaa', values: { pattern: 'mine' } }]);
  expect(JSON.stringify(models.results)).toContain('changed values of P-aaaaa');
  expect(canvas.flow.nodes.find(({ id }) => id === 'P-aaaaa')?.values).toEqual({ pattern: 'mine' });
});

it('stops at once, keeps what was stored and makes no further change', async () => {
  const stop = new AbortController();
  const canvas = memoryCanvas(wordCount());
  const models = scriptedModels([
    [EDIT],
    [
      { tool: 'add_component', args: { component_type: 'CurrentDate' } },
      { tool: 'add_component', args: { component_type: 'CurrentDate' } },
      'ok',
    ],
  ]);
  const seen: string[] = [];
  for await (const event of runTurn(
    makeTurn(registry, { canvas, models, message: 'add dates', signal: stop.signal }),
  )) {
    seen.push(event.event);
    if (event.event === 'flow_update') stop.abort();
  }
  expect(seen.at(-1)).toBe('cancelled');
  expect(seen.filter((each) => each === 'cancelled')).toHaveLength(1);
  expect(canvas.flow.nodes.filter(({ type }) => type === 'CurrentDate')).toHaveLength(1);
});

it('halts a model that repeats a call with the same result', async () => {
  const call = { tool: 'describe_flow_io', args: {} };
  const models = scriptedModels([[EDIT], Array.from({ length: 10 }, () => call)]);
  const events = await eventsOf(makeTurn(registry, { canvas: memoryCanvas(wordCount()), models, message: 'do it' }));
  expect(models.results).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({ event: 'complete', data: { result: expect.stringContaining('3 times') } });
});

it('halts a model that writes the same call as text again and again', async () => {
  const calls = Array.from({ length: 5 }, () => '```json\n{"name": "describe_flow_io", "arguments": {}}\n```').join(
    '\n',
  );
  const models = scriptedModels([[EDIT], [calls]]);
  const events = await eventsOf(makeTurn(registry, { canvas: memoryCanvas(wordCount()), models, message: 'do it' }));
  expect(events.filter(({ event }) => event === 'tool_start')).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({ event: 'complete', data: { result: expect.stringContaining('3 times') } });
});

it('makes none of the further calls of the same reply after it has halted the model', async () => {
  const canvas = memoryCanvas(wordCount());
  const before = canvas.flow;
  const scripted = scriptedModels([[EDIT]]);
  let calls: Promise<unknown> | undefined;
  const models: Models = {
    ...scripted,
    // As the models of providers do, it makes all calls of a reply at once.
    async *stream(request) {
      if (scripted.prompts.length === 0) return yield* scripted.stream(request);
      const { signal = new AbortController().signal, tools = [] } = request;
      const run = (name: string, args = {}) => tools.find((tool) => tool.name === name)?.run(args, signal);
      const reads = Array.from({ length: 3 }, () => run('describe_flow_io'));
      calls = Promise.allSettled([...reads, run('add_component', { component_type: 'CurrentDate' })]);
      await once(signal, 'abort');
      throw signal.reason;
    },
  };
  const events = await eventsOf(makeTurn(registry, { canvas, models, message: 'add a date' }));
  await calls;
  expect(events.at(-1)).toMatchObject({ event: 'complete', data: { result: expect.stringContaining('3 times') } });
  expect(canvas.flow).toEqual(before);
});

it('shows no secret of the user to the model or in an event', async () => {
  const secret = 'canary of "a" secret';
  const flow = { ...emptyFlow(), nodes: [{ ...wordCount().nodes[2]!, values: { pattern: secret, api_key: 'plain' } }] };
  const models = scriptedModels([
    [EDIT],
    [{ tool: 'get_field_value', args: { component_id: 'P-aaaaa' } }, `It is ${secret}.`],
  ]);
  const turn = makeTurn(registry, {
    canvas: memoryCanvas(flow),
    models,
    message: 'what is it?',
    secrets: new Set([secret]),
  });
  const events = await eventsOf(turn);
  expect(JSON.stringify([models.results, models.prompts, events])).not.toContain('canary');
  expect(models.results[0]).toMatchObject({ fields: { api_key: '***REDACTED***' } });
});

it('shows no secret of a message in the parts that were not carried out', async () => {
  const message = 'dance a waltz for the canary secret';
  const events = await eventsOf(makeTurn(registry, { message, secrets: new Set(['canary secret']) }));
  expect(events.at(-1)).toMatchObject({
    event: 'complete',
    data: { outcome: 'not_done', left_out: [expect.stringContaining('***REDACTED***')] },
  });
  expect(JSON.stringify(events)).not.toContain('canary');
});

it('cuts a part that was not carried out after its secrets are hidden', async () => {
  const secret = 'canary-secret-of-a-user';
  // The status line shows 60 characters of a part.
  const message = `build a flow that counts the words of a message and dance ${'a'.repeat(40)} ${secret}`;
  const turn = makeTurn(registry, { message, secrets: new Set([secret]), canvas: memoryCanvas(), templates });
  const events = await eventsOf(turn);
  expect(events.at(-1)).toMatchObject({ event: 'complete', data: { outcome: 'partly_done' } });
  expect(JSON.stringify(events)).not.toContain('cana');
});

it('builds and runs a flow with croft/offline, which knows no component', async () => {
  const canvas = memoryCanvas();
  const runs = instantRuns('A summary.');
  const message = 'build a flow that summarises plan.md, then run it';
  const events = await eventsOf(makeTurn(registry, { canvas, runs, templates, message }));
  expect(events.filter(({ event }) => event === 'tool_start').map((each) => (each as { tool: string }).tool)).toEqual([
    'draft_flow',
    'build_flow',
    'run_flow',
  ]);
  expect(canvas.flow.nodes.map(({ type }) => type)).toEqual(['DocumentText', 'Summarise', 'ChatOutput']);
  expect(canvas.flow.nodes[0]?.values).toEqual({ file: 'plan.md' });
  expect(runs.started).toEqual([undefined]);
  expect(events.at(-1)).toMatchObject({ event: 'complete', data: { result: expect.stringContaining('A summary.') } });
});

it('builds a flow from components that a sentence names, with croft/offline', async () => {
  const canvas = memoryCanvas();
  const message = 'build a flow that reads notes.md from my workspace and shows `notes.md has N words`, then run it';
  const events = await eventsOf(
    makeTurn(registry, { canvas, templates, message, runs: instantRuns('notes.md has 5 words') }),
  );
  expect(canvas.flow.name).toBe('Text statistics: notes.md');
  expect(events.at(-1)).toMatchObject({
    data: {
      result: 'Built “Text statistics: notes.md”: 4 components, 3 connections.\n\nRan it: notes.md has 5 words',
    },
  });
  expect(canvas.flow.nodes.map(({ type }) => type)).toEqual([
    'File',
    'TextStatistics',
    'ParserComponent',
    'ChatOutput',
  ]);
  expect(canvas.flow.nodes.map(({ values }) => values)).toEqual([
    { path: 'notes.md' },
    {},
    { pattern: 'notes.md has {words} words' },
    {},
  ]);
});

it('documents, changes and undoes with croft/offline', async () => {
  const canvas = memoryCanvas(wordCount());
  const scratch = makeScratch([]);
  const workspace = openWorkspace(scratch.workspace);
  const files = { tools: makeToolset('files', { acquire: () => workspace }) };
  const send = (message: string) => eventsOf(makeTurn(registry, { canvas, files, templates, message }));
  const documented = await send('document this flow in FLOW.md');
  expect(documented).toContainEqual(expect.objectContaining({ event: 'file_written', path: 'FLOW.md' }));
  expect(documented.at(-1)).toMatchObject({ data: { result: 'Wrote FLOW.md.' } });
  const changed = await send('change the text to `N words in notes.md`');
  expect(changed).toContainEqual(
    expect.objectContaining({ action: 'edit_field', field: 'pattern', new_value: '{words} words in notes.md' }),
  );
  expect(canvas.flow).toEqual(wordCount());
  canvas.change([{ kind: 'remove_component', id: 'P-aaaaa' }]);
  await send('undo that');
  expect(canvas.flow).toEqual(wordCount());
  scratch.remove();
});

it('draws the flow of a plan in its event and changes no canvas; a text that cannot be read is only not drawn', async () => {
  const canvas = memoryCanvas(wordCount());
  const plan = (spec: string) => ({ tool: 'propose_plan', args: { plan: '# Plan', spec } });
  const models = scriptedModels([[NEW], [plan(WORD_COUNT_SPEC), plan('nodes: nothing'), 'Shall I?']]);
  const events = await eventsOf(makeTurn(registry, { canvas, models, message: 'Build something large' }));
  const [drawn, other] = events.filter((each) => each.event === 'flow_update') as { flow?: FlowDocument }[];
  expect(drawn?.flow?.nodes).toHaveLength(4);
  expect(other).not.toHaveProperty('flow');
  expect(models.results[1]).toMatchObject({ text: expect.stringContaining('It is not drawn: ') });
  expect(canvas.flow).toEqual(wordCount());
  expect(events.at(-1)).toMatchObject({ data: { status_line: 'Nothing was changed · not run.' } });
});

it.each([
  ['build_flow', { spec: LARGE }],
  ['propose_plan', { spec: LARGE, plan: '# Plan' }],
])('%s lets others have their turn while it builds a large flow', async (tool, args) => {
  const models = scriptedModels([[NEW], [{ tool, args }, 'Done.']]);
  const held = heldByTurns();
  const events = await eventsOf(makeTurn(registry, { models, message: 'Build something large' }));
  const { longest, all } = await held.end();
  expect(events.map(({ event }) => event)).toContain('flow_update');
  // CPU time: on a busy machine, the clock also runs while other processes do.
  expect(longest).toBeLessThan((all * 3) / 4);
});

it('draws 100 components of a plan, says how many more it has, and draws no connection to those', async () => {
  const models = scriptedModels([[NEW], [{ tool: 'propose_plan', args: { spec: LARGE, plan: '# Plan' } }, 'Shall I?']]);
  const events = await eventsOf(makeTurn(registry, { models, message: 'Build something large' }));
  const plan = events.find((each) => each.event === 'flow_update') as { flow?: FlowDocument; markdown?: string };
  expect([plan.flow?.nodes.length, plan.flow?.edges.length]).toEqual([100, 198]);
  expect(plan.markdown).toMatch(/^# Plan\n\n.* 500 more components/);
});

it.each([true, false])(
  'a flow that was stopped while it was built is neither proposed nor stored (skip-all %s)',
  async (skipAll) => {
    const canvas = memoryCanvas();
    const models = scriptedModels([[NEW], [{ tool: 'build_flow', args: { spec: LARGE } }, 'Done.']]);
    const stop = new AbortController();
    const turn = makeTurn(registry, { canvas, models, skipAll, message: 'Build something large', signal: stop.signal });
    const events: string[] = [];
    for await (const event of runTurn(turn)) {
      events.push(event.event);
      if (event.event === 'tool_start') setImmediate(() => stop.abort());
    }
    expect(events).not.toContain('flow_update');
    expect(canvas.flow.nodes).toEqual([]);
  },
);
