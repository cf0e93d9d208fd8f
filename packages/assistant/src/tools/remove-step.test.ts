import { expect, it } from 'vitest';
import { flowOf, toolContext } from '../../../../tests/support/tool-context.ts';
import { REMOVE_STEP } from './remove-step.ts';
import { shownTools } from '../testing.ts';

const FLOW = flowOf(
  'nodes:\n  R: ReadData\n  S: SortRows\n  P: ParserComponent\n  O: ChatOutput\nedges:\n  R.dataframe -> S.df\n  S.output -> P.input_data\n  P.parsed_text -> O.input_value\n',
);
async function remove(request: string, flow = FLOW) {
  const { call, canvas, context } = await toolContext(flow);
  const result = (await call([REMOVE_STEP], 'remove_step', { request })) as Record<string, any>;
  return {
    result,
    leftOut: context.notes.leftOut,
    edges: canvas.flow.edges.map(({ from, to }) => `${from.node}.${from.port} -> ${to.node}.${to.port}`),
    ids: canvas.flow.nodes.map(({ id }) => id),
  };
}

it('connects what led to a step with what followed', async () => {
  const { result, edges, ids, leftOut } = await remove('remove the sort step');
  expect(ids).toEqual(['R-1', 'P-1', 'O-1']);
  expect(edges).toEqual(['P-1.parsed_text -> O-1.input_value', 'R-1.dataframe -> P-1.input_data']);
  expect([result, leftOut]).toEqual([{ text: 'Removed “Sort rows”.', summary: 'Removed “Sort rows”.' }, []]);
});

it('says to which components nothing leads any more', async () => {
  const { result, edges } = await remove('remove R-1');
  expect(result['summary']).toBe('Removed “CSV, JSON, YAML”. Nothing leads to “Sort rows” now: connect it.');
  expect(edges).toHaveLength(2);
});

it('does not connect ports that do not fit, or what came from several', async () => {
  const merged = flowOf(
    'nodes:\n  A: ChatInput\n  B: TextInput\n  C: CombineText\n  O: ChatOutput\nedges:\n  A.message -> C.text1\n  B.text -> C.text2\n  C.combined_text -> O.input_value\n',
  );
  const { edges, result } = await remove('remove C-1', merged);
  expect([edges, result['summary']]).toEqual([[], expect.stringContaining('Nothing leads to “Chat output” now')]);
});

it('removes several, and runs afterwards where the message asks for it', async () => {
  const { result, ids } = await remove('remove S-1 and P-1, then run it');
  expect(ids).toEqual(['R-1', 'O-1']);
  expect(result['summary']).toBe('Removed “Sort rows”. Removed “Parser”.');
  expect(result['next']).toEqual({ tool: 'run_flow', arguments: {} });
});

it('does not remove files or rows, and shows how to take a component out', async () => {
  const { result, leftOut, ids } = await remove('remove S-1 and delete all my old rows, then run it');
  expect([ids, leftOut]).toEqual([['R-1', 'P-1', 'O-1'], ['all my old rows']]);
  expect(result['note']).toMatch(
    /^Not removed: “all my old rows”\. .*for example: remove the CSV, JSON, YAML component\./,
  );
  expect([result['ends_request'], result['next']]).toEqual([true, undefined]);
  const none = await remove('delete the parsed things');
  expect(none.result['error']).toContain('for example: remove the Parser component.');
  expect(none.ids).toHaveLength(4);
  const bare = await remove('delete the rows', flowOf('nodes:\n  O: ChatOutput\n'));
  expect(bare.result['error']).toMatch(/or in their directory\.$/);
  expect((await remove(`delete the ${'x'.repeat(300)}`)).result['error']).toContain(`“the ${'x'.repeat(196)}”`);
});

it('says what it does', () => {
  expect(REMOVE_STEP.label({})).toBe('Removing a step');
});

it('shows its tool to models and people in these words', () => {
  expect(shownTools([REMOVE_STEP])).toEqual([
    'remove_step | Removing a step | Takes a step out of the flow, and connects the steps before and after it. | {"type":"object","additionalProperties":false}',
    '- request: {"type":"string"} The message that names the steps.',
  ]);
});
