import { builtinRegistry, TEMPLATES } from '@croft/components';
import { buildFromSpec } from '@croft/flow';
import { expect, it } from 'vitest';
import { toolContext } from '../../../tests/support/tool-context.ts';
import { REDACTED } from './hide-secrets.ts';
import { OFFLINE_TOOLS } from './tools/offline-tools.ts';
import { eventsOf, FILE_WORDS_SPEC, makeTurn, memoryCanvas, offlineTurn, scriptedModels } from './testing.ts';

const registry = builtinRegistry();
const secrets = new Set(['supersecretvalue']);
const flowOf = (spec: string) => {
  const built = buildFromSpec(spec, registry, (_, id) => `${id}-1`);
  if ('error' in built) throw new Error(built.details);
  return built.flow;
};
const flow = flowOf(FILE_WORDS_SPEC);
const greeting =
  'nodes:\n  I: ChatInput\n  P: PromptTemplate\n  O: ChatOutput\nedges:\n  I.message -> P.text\n  P.prompt -> O.input_value\nconfig:\n  P.template: Hi {text}\n';
const SHOWS = 'build a flow that reads notes.md and shows `supersecretvalue notes.md has N words`';

it.each([
  ['', SHOWS],
  ['', `${SHOWS}, then run it`],
  ['skip', `${SHOWS}, then run it`],
  ['', 'build a flow that reads notes.md, counts its words and saves it to supersecretvalue.txt, then run it'],
])('%s croft/offline builds no flow with the mark of a secret: %s', async (skip, message) => {
  const canvas = memoryCanvas();
  const { events, end } = await offlineTurn(registry, {
    message,
    canvas,
    secrets,
    templates: TEMPLATES,
    skipAll: skip === 'skip',
  });
  expect(canvas.flow.nodes).toEqual([]);
  expect(events.filter(({ event }) => event === 'flow_update' || event === 'run_started')).toEqual([]);
  expect(end).toMatchObject({ outcome: 'not_done', result: expect.stringContaining('secret field') });
  expect(JSON.stringify(events)).not.toContain('supersecretvalue');
});

it.each(['', 'skip'])('%s croft/offline proposes and sets no text with the mark of a secret', async (skip) => {
  const canvas = memoryCanvas(flowOf(greeting));
  const message = 'change the text to `Hello supersecretvalue {text}`';
  const { events, end } = await offlineTurn(registry, { message, canvas, secrets, skipAll: skip === 'skip' });
  expect([canvas.version, events.filter(({ event }) => event === 'flow_update')]).toEqual([1, []]);
  expect(end).toMatchObject({ outcome: 'not_done', result: expect.stringContaining("'template' of “Prompt") });
});

it('does not report a refused text as done where the model says that it is', async () => {
  const canvas = memoryCanvas(flow);
  const models = scriptedModels([
    ['{"intent": "build_flow", "scope": "edit"}'],
    [
      { tool: 'add_component', args: { component_type: 'TextInput' } },
      { tool: 'configure_component', args: { component_id: 'F-1', params: { path: `${REDACTED}.md` } } },
      'Done.',
    ],
  ]);
  const events = await eventsOf(makeTurn(registry, { canvas, models, message: 'change the path of F', skipAll: true }));
  expect(models.results[1]).toMatchObject({ error: expect.stringContaining("'path' of F-1") });
  expect(events.at(-1)).toMatchObject({
    data: { outcome: 'partly_done', left_out: ["the secret in 'path' of “Read file”"] },
  });
  expect(JSON.stringify(canvas.flow)).not.toContain(REDACTED);
});

it.each([
  ['a value', { kind: 'configure', id: 'P-1', values: { pattern: `a ${REDACTED}` } }],
  ['a value inside of another', { kind: 'configure', id: 'P-1', values: { pattern: [{ a: [REDACTED] }] } }],
  ['a name of a property', { kind: 'configure', id: 'P-1', values: { pattern: { [REDACTED]: 1 } } }],
  ['a new component', { kind: 'add_component', node: { ...flow.nodes[0], id: 'N-1', values: { path: REDACTED } } }],
  ['the name of a component', { kind: 'rename', id: 'P-1', name: REDACTED }],
  ['the name of the flow', { kind: 'set_details', name: `My ${REDACTED}` }],
  ['a note', { kind: 'set_note', note: { id: 'n', text: REDACTED, position: { x: 0, y: 0 } } }],
])('refuses an edit that writes the mark into %s', async (_, edit) => {
  const { context, canvas } = await toolContext(flow);
  await expect(context.working.apply([edit as never])).rejects.toMatchObject({ forPerson: expect.any(String) });
  expect(canvas.version).toBe(1);
});

it('keeps a text with the mark that the flow has, and writes it to no other place', async () => {
  const marked = {
    ...flow,
    nodes: flow.nodes.map((node) => ({
      ...node,
      values: { ...node.values, ...(node.id === 'P-1' && { pattern: REDACTED }) },
    })),
  };
  const { context, canvas } = await toolContext(marked);
  await context.working.apply([{ kind: 'remove_component', id: 'O-1' }]);
  await context.working.apply([{ kind: 'configure', id: 'P-1', values: { pattern: REDACTED } }]);
  const other = { kind: 'configure', id: 'F-1', values: { path: REDACTED } } as const;
  await expect(context.working.apply([other])).rejects.toThrow("'path' of F-1");
  expect(canvas.version).toBe(3);
});

it('describes a flow that has a secret in a file without the secret and without the mark', async () => {
  const nodes = flow.nodes.map((node) =>
    node.id === 'F-1' ? { ...node, values: { path: 'supersecretvalue' } } : node,
  );
  const { call } = await toolContext(
    { ...flow, nodes },
    { turn: { secrets, message: 'document this flow in flow.md' } },
  );
  const { next } = (await call(OFFLINE_TOOLS, 'document_flow', { path: 'flow.md' })) as Record<string, any>;
  expect(next.arguments.content).toContain('(secret)');
  expect(next.arguments.content).not.toContain('supersecretvalue');
});
