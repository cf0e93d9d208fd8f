import { createRegistry } from '@croft/flow';
import { expect, it } from 'vitest';
import { flowOf, toolContext } from '../../../../tests/support/tool-context.ts';
import { configureComponent, propose } from './configure-component.ts';

const flow = flowOf(
  'nodes:\n  I: ChatInput\n  P: PromptTemplate\n  S: SortRows\n  M: LanguageModelComponent\nconfig:\n  P.template: old\n',
);
const valuesOf = (canvas: { flow: typeof flow }, id: string) =>
  canvas.flow.nodes.find((node) => node.id === id)?.values;

it('sets numbers and switches of any component at once', async () => {
  const { context, canvas, events } = await toolContext(flow);
  const result = await configureComponent({ component_id: 'S-1', params: { limit: 3, ascending: false } }, context);
  expect(result).toEqual({
    text: 'Set limit=3, ascending=false on S-1',
    summary: 'Set limit=3, ascending=false on S-1.',
    configured: ['limit', 'ascending'],
  });
  expect(valuesOf(canvas, 'S-1')).toMatchObject({ limit: 3, ascending: false });
  expect(events).toMatchObject([{ event: 'flow_update', action: 'configure', component_id: 'S-1' }]);
});

it('proposes texts of components that were there before', async () => {
  const { context, canvas, events } = await toolContext(flow);
  const result = await configureComponent({ component_id: 'P-1', params: { template: 'new' } }, context);
  expect(result).toMatchObject({
    text: 'Proposed changes to template on P-1 (pending user approval)',
    summary: 'Proposed for P-1: template. Accept or dismiss it.',
    configured: [],
    proposed: ['template'],
  });
  expect(valuesOf(canvas, 'P-1')).toMatchObject({ template: 'old' });
  expect(events).toMatchObject([{ event: 'flow_update', action: 'edit_field', new_value: 'new', old_value: 'old' }]);
  expect([...context.notes.proposedFields.keys()]).toEqual(['P-1\ntemplate']);
});

it('proposes no value with a secret, of which the proposal would keep a mark', async () => {
  const { context, canvas, events } = await toolContext(flow, { turn: { secrets: new Set(['tulip field']) } });
  const params = { limit: 3, column_name: 'the tulip field' };
  await expect(configureComponent({ component_id: 'S-1', params }, context)).rejects.toThrow(
    "Not proposed: the value of 'column_name' has a secret",
  );
  await expect(propose('P-1', 'template', ['sk', 'abcdefghij0123456789'].join('-'), context)).rejects.toThrow(
    "Not proposed: the value of 'template' has a secret",
  );
  expect([events, valuesOf(canvas, 'S-1')?.['limit'], context.notes.proposedFields.size]).toEqual([[], undefined, 0]);
});

it('sets and proposes in one call', async () => {
  const { context } = await toolContext(flow);
  const result = await configureComponent({ component_id: 'S-1', params: { limit: 3, column_name: 'a' } }, context);
  expect(result['text']).toBe('Set limit=3 on S-1\nProposed changes to column_name on S-1 (pending user approval)');
  expect(result['summary']).toBe('Set limit=3 on S-1. Proposed for S-1: column_name. Accept or dismiss it.');
});

it.each([
  ['the user skips all questions', { skipAll: true }],
  ['the edits were accepted', { continues: 'edits' as const }],
])('sets texts too where %s', async (_, turn) => {
  const { context, canvas } = await toolContext(flow, { turn });
  await configureComponent({ component_id: 'P-1', params: { template: 'new' } }, context);
  expect(valuesOf(canvas, 'P-1')).toMatchObject({ template: 'new' });
});

it('sets texts of components of this turn, and cuts long values in what it says', async () => {
  const { context, canvas } = await toolContext(flowOf('nodes:\n  I: ChatInput\n'));
  const node = { id: 'N-1', type: 'PromptTemplate', position: { x: 0, y: 0 }, values: {} };
  await context.working.apply([{ kind: 'add_component', node }]);
  const result = await configureComponent({ component_id: 'N-1', params: { template: 'x'.repeat(500) } }, context);
  expect(String(result['text']).length).toBeLessThan(200);
  expect(valuesOf(canvas, 'N-1')?.['template']).toHaveLength(500);
});

it('sets models at once, which the user did not write', async () => {
  const { context, canvas } = await toolContext(flow);
  for (const [name, value] of Object.entries({ model: 'croft/offline', model_name: 'x' })) {
    const found = context.turn.registry
      .get('LanguageModelComponent')
      ?.descriptor.fields.some((each) => each.name === name);
    if (found !== true) continue;
    const result = await configureComponent({ component_id: 'M-1', params: { [name]: value } }, context);
    expect([name, result['proposed']]).toEqual([name, undefined]);
  }
  expect(canvas.version).toBeGreaterThan(1);
});

it('refuses parameters that it cannot read, and values that do not fit', async () => {
  const { context, canvas } = await toolContext(flow);
  expect(await configureComponent({ component_id: 'S-1', params: 7 }, context)).toHaveProperty('error');
  expect(await configureComponent({ component_id: 'X-1', params: { limit: 1 } }, context)).toHaveProperty('error');
  expect(await configureComponent({ component_id: 'S-1', params: { none: 1 } }, context)).toHaveProperty('error');
  expect(canvas.version).toBe(1);
});

it('does not show the old value of a secret', async () => {
  const { context, events } = await toolContext(flowOf('nodes:\n  H: APIRequest\n  I: ChatInput\n'));
  const secret = context.turn.registry.get('APIRequest')?.descriptor.fields.find(({ kind }) => kind === 'secret')?.name;
  if (secret === undefined) return;
  await context.working.apply([{ kind: 'configure', id: 'H-1', values: { [secret]: 'hunter2' } }]);
  await propose('H-1', secret, 'new', context);
  expect(JSON.stringify(events.at(-1))).not.toContain('hunter2');
});

it('proposes texts, code and secrets of the user, and sets models and other values', async () => {
  const kinds = ['text', 'multiline', 'code', 'secret', 'select', 'file'] as const;
  const own = createRegistry([
    {
      descriptor: {
        type: 'Own',
        label: 'Own',
        description: '',
        category: 'test',
        effects: ['none'],
        fields: [
          ...kinds.map((kind) => ({
            name: `of_${kind}`,
            label: kind,
            kind,
            ...(kind === 'select' && { options: ['x'] }),
          })),
          { name: 'model_name', label: 'Model', kind: 'text' },
        ],
        outputs: [],
      },
    },
  ]);
  const canvas = { ...flow, nodes: [{ id: 'a', type: 'Own', position: { x: 0, y: 0 }, values: {} }], edges: [] };
  const { context } = await toolContext(canvas, { turn: { registry: own as never } });
  const params = Object.fromEntries([...kinds.map((kind) => [`of_${kind}`, 'x']), ['model_name', 'x']]);
  expect(await configureComponent({ component_id: 'a', params }, context)).toMatchObject({
    configured: ['of_select', 'of_file', 'model_name'],
    proposed: ['of_text', 'of_multiline', 'of_code', 'of_secret'],
  });
});

it('keeps the question before a write true where the file gets another name', async () => {
  const asks = flowOf(
    'nodes:\n  I: ChatInput\n  A: HumanApproval\n  W: SaveToFile\nedges:\n  I.message -> A.value\n  A.approved -> W.input\nconfig:\n  A.question: Write this to a.txt?\n  W.file_name: a.txt\n',
  );
  const { canvas, context } = await toolContext(asks);
  await context.working.apply([{ kind: 'configure', id: 'W-1', values: { file_name: 'z.txt' } }]);
  expect(valuesOf(canvas, 'A-1')).toEqual({ question: 'Write this to z.txt?' });
  await context.working.apply([{ kind: 'remove_component', id: 'W-1' }]);
  expect(valuesOf(canvas, 'A-1')).toEqual({ question: 'Write this to z.txt?' });
});
