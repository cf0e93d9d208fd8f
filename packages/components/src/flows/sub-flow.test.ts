import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildFromSpec } from '@croft/flow';
import { createModels, type ModelEvent, type ModelRequest, type ModelResult, type Models } from '@croft/models';
import { describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { builtinRegistry } from '../builtin.ts';
import { createGuardedFetch } from '../network/guarded-fetch.ts';
import type { Services } from '../services.ts';
import { runSpec, startServer, textsOf, declaredBy } from '../testing.ts';
import type { FlowLibrary } from './flow-library.ts';
import { TEMPLATES } from '../templates/templates.ts';
import { createSubFlowSlots } from './sub-flow-slots.ts';
import { templateFlow } from './template-flow.ts';
import { subFlow } from './sub-flow.ts';

const registry = builtinRegistry();
const { dir, workspace } = useWorkspace();

/** Flows of this text form by name. */
function libraryOf(specs: Readonly<Record<string, string>>): FlowLibrary<Services> {
  return {
    async find(name) {
      const spec = specs[name];
      if (spec === undefined) return templateFlow(name, registry);
      const built = buildFromSpec(spec, registry, (_type, id) => id);
      if ('error' in built) throw new Error(`${built.error} ${built.details}`);
      return { id: name, flow: { ...built.flow, name }, registry };
    },
    names: async () => Object.keys(specs),
    underWay: [],
    slots: createSubFlowSlots(),
  };
}

const CALLER = `nodes:
  I: ChatInput
  F: RunFlow
  O: ChatOutput
edges:
  I.message -> F.input_value
  F.message -> O.input_value
config:
  I.input_value: hello world
  F.flow_name_selected: inner
`;
const call = (inner: string, services: Partial<Services> = {}, signal?: AbortSignal) =>
  runSpec(CALLER, { flows: libraryOf({ inner }), workspace, ...services }, signal && { signal });

const UPPER = `nodes:
  I: ChatInput
  T: TextInput
  C: CombineText
  O: ChatOutput
edges:
  I.message -> C.texts
  T.text -> C.texts
  C.combined_text -> O.input_value
config:
  T.input_value: default
`;

/** A flow that writes a file, and then runs another one. */
const writing = (next: string) => `nodes:
  T: TextInput
  W: SaveToFile
  F: RunFlow
edges:
  T.text -> W.input
  W.message -> F.input_value
config:
  T.input_value: x
  W.file_name: written.txt
  F.flow_name_selected: ${next}
`;

describe('a flow inside of a flow', () => {
  it('gets the message and gives its result', async () => {
    const { text, status, events } = await call(UPPER);
    expect([status, text]).toEqual(['completed', 'hello world default']);
    expect(events.some((event) => event.kind === 'progress' && event.text === 'inner: C')).toBe(true);
  });

  it('gives records and rows, and several results by component', async () => {
    const twice =
      'nodes:\n  I: ChatInput\n  A: ChatOutput\n  B: ChatOutput\nedges:\n  I.message -> A.input_value\n  I.message -> B.input_value';
    const { outputs } = await runSpec(
      CALLER.replace('F.message -> O.input_value', '').replace('  O: ChatOutput\n', ''),
      {
        flows: libraryOf({ inner: twice }),
      },
    );
    const [own] = Object.values(outputs);
    expect(own?.['message']).toEqual({ text: 'hello world\nhello world' });
    expect(Object.keys(own?.['data'] as object)).toEqual(['A', 'B']);
    expect(own?.['dataframe']).toHaveLength(2);
  });

  it('is refused where its results together are too long a text', async () => {
    const names = Array.from({ length: 34 }, (_, at) => `O${at}`);
    const many = ['nodes:', '  I: ChatInput', ...names.map((name) => `  ${name}: ChatOutput`), 'edges:'];
    const edges = names.map((name) => `  I.message -> ${name}.input_value`);
    const flows = libraryOf({ inner: [...many, ...edges].join('\n') });
    const { failure } = await runSpec(CALLER.replace('hello world', 'a'.repeat(1_000_000)), { flows });
    expect(failure?.message).toContain('The text has more than 33554432 characters');
  });

  it('takes values for its inputs, and for nothing else', async () => {
    const given = (inputs: string) =>
      runSpec(`${CALLER}  F.inputs: ${inputs}\n`, { flows: libraryOf({ inner: UPPER }) });
    expect((await given('{"T.input_value": "given"}')).text).toBe('hello world given');
    expect((await given('{"C.delimiter": "-"}')).failure?.message).toContain("'C.delimiter' is not an input");
    expect((await given('{"T.constructor": "-"}')).failure?.message).toContain('is not a field');
  });

  it.each([
    ['M.command', 'MCPTools'],
    ['M.url', 'MCPTools'],
    ['M.credential', 'APIRequest'],
    ['M.code', 'TypeScriptCode'],
  ])('takes no value for %s of %s from its caller', async (name, type) => {
    const flows = libraryOf({ inner: `nodes:\n  M: ${type}\n` });
    const { failure } = await runSpec(
      CALLER.replace('  I.message -> F.input_value\n', '').concat(`  F.inputs: {"${name}": "x"}\n`),
      { flows },
    );
    expect(failure?.message).toContain(`'${name.slice(2)}' of M in the flow 'inner' is set in that flow only`);
  });

  it('names its component that failed, with the fix', async () => {
    const { failure } = await call(
      'nodes:\n  F: File\n  O: ChatOutput\nedges:\n  F.message -> O.input_value\nconfig:\n  F.path: none.md',
    );
    expect(failure?.message).toMatch(/^The flow 'inner' (takes no message|failed at F)/);
    const { failure: inside } = await call(
      'nodes:\n  I: ChatInput\n  F: File\n  O: ChatOutput\nedges:\n  I.message -> F.path\n  F.message -> O.input_value',
    );
    expect(inside?.message).toContain("The flow 'inner' failed at F: ");
    expect(inside?.message).not.toContain(dir);
  });

  it('stops when the outer run is cancelled', async () => {
    const abort = new AbortController();
    let left = false;
    const slow = await startServer((_, response) => {
      response.once('close', () => {
        left = true;
      });
      abort.abort();
    });
    const inner = `nodes:\n  I: ChatInput\n  R: APIRequest\nedges:\n  I.message -> R.url_input`;
    const spec = CALLER.replace('hello world', slow.url);
    const fetch = createGuardedFetch({ allow: [`127.0.0.1:${slow.port}`] });
    const { status } = await runSpec(spec, { flows: libraryOf({ inner }), fetch }, { signal: abort.signal });
    await expect.poll(() => left).toBe(true);
    expect(status).toBe('cancelled');
    await slow.close();
  });

  it('lists the flows where the name is wrong, and cannot ask a person', async () => {
    const wrong = await runSpec(CALLER, { flows: libraryOf({ other: UPPER }) });
    expect(wrong.failure).toMatchObject({ message: "There is no flow 'inner'.", fix: 'Choose one of these: other.' });
    expect((await runSpec(CALLER)).failure?.message).toBe('This run has no other flows.');
    const asking = 'nodes:\n  I: ChatInput\n  H: HumanApproval\nedges:\n  I.message -> H.value';
    const ask = async () => ({ choice: 'approve', comment: '', by: 'Ada' });
    expect((await call(asking, { ask })).failure?.message).toContain('cannot ask a person');
  });
});

describe('flows that run each other', () => {
  const inner = CALLER.replace('selected: inner', 'selected: third');

  it.each([
    ['itself', { inner: writing('inner') }, "'inner' → 'inner'"],
    ['two others', { inner, third: writing('fourth'), fourth: inner }, "'third' → 'fourth' → 'third'"],
  ])('are refused before anything happens: %s', async (_, specs, chain) => {
    const { status, failure } = await runSpec(CALLER, { flows: libraryOf(specs), workspace });
    expect([status, failure?.message]).toEqual(['failed', `The flows run each other in a circle: ${chain}.`]);
    expect(existsSync(join(dir, 'written.txt'))).toBe(false);
  });

  it('are refused where too many are inside of each other', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [
        at === 0 ? 'inner' : `f${at}`,
        CALLER.replace('selected: inner', `selected: f${at + 1}`),
      ]),
    );
    const { failure } = await runSpec(CALLER, { flows: libraryOf({ ...chain, f9: UPPER }) });
    expect(failure?.message).toContain('More than 8 flows are inside of each other');
    const shorter = libraryOf({ ...chain, f7: UPPER });
    expect((await runSpec(CALLER, { flows: shorter })).text).toContain('hello world');
  });
});

describe('many sub-flows of one run', () => {
  const many = (next: string) =>
    `nodes:\n${Array.from({ length: 12 }, (_, at) => `  F${at}: RunFlow`).join('\n')}\nconfig:\n${Array.from({ length: 12 }, (_, at) => `  F${at}.flow_name_selected: ${next}`).join('\n')}\n`;

  it('run a few at once at each level, and all of them in the end', async () => {
    const library = libraryOf({
      inner: many('leaf'),
      leaf: UPPER.replace('  I: ChatInput\n', '').replace('  I.message -> C.texts\n', ''),
    });
    const loading = { now: 0, most: 0, all: 0 };
    const flows: FlowLibrary<Services> = {
      ...library,
      async find(name) {
        loading.most = Math.max(loading.most, ++loading.now);
        loading.all++;
        await new Promise((resolve) => setTimeout(resolve, 1));
        loading.now--;
        return library.find(name);
      },
    };
    const { status } = await runSpec(many('inner'), { flows });
    expect(status).toBe('completed');
    expect(loading.all).toBeGreaterThanOrEqual(12 * 13);
    expect(loading.most).toBeLessThanOrEqual(8);
  });

  it('leave the queue when the run is cancelled', async () => {
    const slots = createSubFlowSlots(1);
    const { signal } = new AbortController();
    const leave = await slots.take(0, signal);
    const cancelled = slots.take(0, AbortSignal.timeout(5));
    const next = slots.take(0, signal);
    await expect(cancelled).rejects.toThrow();
    (await slots.take(1, signal))();
    leave();
    leave();
    (await next)();
    (await slots.take(0, signal))();
  });

  it('are not run where one is too large', async () => {
    const { failure } = await call(UPPER.replace('default', 'x'.repeat(2 * 1024 * 1024)));
    expect(failure?.message).toContain('too many to run inside of another one');
  });
});

describe('a flow as a tool', () => {
  it('is run by an agent, with the name and inputs of the flow', async () => {
    const template = TEMPLATES.find(({ name }) => name === 'agent-with-flow')?.spec ?? '';
    const spec = `${template}  I.input_value: Use word_count with the input value "a b"
`;
    const models = createModels({ variables: {} });
    const { text, events } = await runSpec(spec, { flows: libraryOf({}), models });
    expect(text).toBe('Words: 2, lines: 1');
    expect(events.some((event) => event.kind === 'log' && event.text.startsWith('Calls word_count'))).toBe(true);
  });
});

it.each([
  ['a flow', '  T: RunFlow', '  T.flow_name_selected: inner'],
  ['an agent', '  T: Agent', '  T.system_prompt: inner'],
])('counts the tokens of %s that an agent uses as a tool', async (_, node, config) => {
  const models = {
    preferred: { provider: 'croft', name: '' },
    async *stream({ messages, tools = [], signal }: ModelRequest): AsyncGenerator<ModelEvent, ModelResult, void> {
      const isOuter = messages.at(-1)?.text === 'outer';
      if (isOuter) await tools[0]?.run({ input_value: 'hello' }, signal as AbortSignal);
      const inputTokens = isOuter ? 1 : 20;
      const usage = { inputTokens, outputTokens: 300, totalTokens: inputTokens + 300 };
      yield { kind: 'text', text: 'done' };
      return { text: 'done', model: { provider: 'croft', name: '' }, usage, finish: 'stop' };
    },
  } as Partial<Models> as Models;
  const inner =
    'nodes:\n  I: ChatInput\n  A: Agent\nedges:\n  I.message -> A.input_value\nconfig:\n  I.input_value: hello\n';
  const outer = ['nodes:', '  I: ChatInput', '  A: Agent', node, 'edges:', '  I.message -> A.input_value'];
  const { status, failure, metrics } = await runSpec(
    [...outer, '  T.component_as_tool -> A.tools', 'config:', '  I.input_value: outer', config],
    { flows: libraryOf({ inner }), models },
  );
  expect([status, failure, metrics.input_tokens, metrics.output_tokens]).toEqual(['completed', undefined, 21, 600]);
});

it('declares its effects and ports', () => {
  expect(declaredBy(subFlow)).toEqual([
    'RunFlow: model code network-write workspace-write database-write',
    'flow_name_selected: flow required variables=false',
    'input_value: multiline Message toolParameter',
    'inputs: json Data advanced default={}',
    'message: gives Message',
    'data: gives Data',
    'dataframe: gives Table',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(subFlow.descriptor)).toEqual([
    'Run flow (workflow): Runs another of your flows with a message, and gives its result. As a tool, an agent can run the flow.',
    'logic | sub-flow | subflow | nested | reuse | tool | SubFlow | FlowTool | flow | tool',
    'flow_name_selected: Flow | The name or id of a flow; with croft run, a file of the directory. The name of a template runs that template.',
    'input_value: Message',
    'inputs: Other inputs | Values for inputs of the flow: {"NODE.FIELD": value}. | {"type":"object"}',
    'message: Text',
    'data: Data | the result; of several, each under its component',
    'dataframe: Rows',
  ]);
});
