import { describe, expect, it } from 'vitest';
import { flowOf, toolContext } from '../../../../tests/support/tool-context.ts';
import { ADD_STEP } from './add-step.ts';
import { shownTools } from '../testing.ts';

const TEXT = 'nodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';
const ROWS =
  'nodes:\n  R: ReadData\n  O: ChatOutput\nedges:\n  R.dataframe -> O.input_value\nconfig:\n  R.path: a.csv\n';

async function add(request: string, spec = TEXT) {
  const made = await toolContext(flowOf(spec));
  const result = (await made.call([ADD_STEP], 'add_step', { request })) as Record<string, any>;
  const { flow } = made.canvas;
  const typeOf = (id: string) => flow.nodes.find((node) => node.id === id)?.type;
  return {
    result,
    leftOut: made.context.notes.leftOut,
    edges: flow.edges.map(({ from, to }) => `${typeOf(from.node)} -> ${typeOf(to.node)}`).sort(),
    values: flow.nodes.at(-1)?.values,
    questions: flow.nodes.flatMap(({ values }) => values['question'] ?? []),
    version: made.canvas.version,
  };
}

describe('a step', () => {
  it('goes before the answer, with the values of the message', async () => {
    const { result, edges, values, leftOut } = await add('add a step that makes it upper case');
    expect(edges).toEqual(['ChatInput -> TextOperations', 'TextOperations -> ChatOutput']);
    expect(values).toEqual({ operation: 'Upper case' });
    expect([result, leftOut]).toEqual([
      {
        text: 'Added “Text operations” with Upper case, before “Chat output”.',
        summary: 'Added “Text operations” with Upper case, before “Chat output”.',
      },
      [],
    ]);
  });

  it('writes a file beside the answer, and runs where the message asks for it', async () => {
    const { result, edges } = await add('also write the result to out.txt, then run it');
    expect(edges).toEqual(['ChatInput -> ChatOutput', 'ChatInput -> SaveToFile']);
    expect([result['summary'], result['next']]).toEqual([
      'Added “Write file” with out.txt.',
      { tool: 'run_flow', arguments: {} },
    ]);
  });

  it('is named in the question of a person before it, if it writes a file', async () => {
    const asks =
      'nodes:\n  I: ChatInput\n  A: HumanApproval\n  W: SaveToFile\n  O: ChatOutput\nedges:\n  I.message -> A.value\n  A.approved -> W.input\n  A.approved -> O.input_value\nconfig:\n  W.file_name: out.txt\n  A.question: Write this to out.txt?\n';
    const { questions, edges } = await add('add a step that writes the result to c.txt', asks);
    expect(edges.filter((edge) => edge === 'HumanApproval -> SaveToFile')).toHaveLength(2);
    expect(questions).toEqual(['Write this to out.txt and c.txt?']);
    const own = asks.replace('Write this to out.txt?', 'Shall I?');
    expect((await add('add a step that writes the result to c.txt', own)).questions).toEqual(['Shall I?']);
  });

  it('adds to the end of a file where that is asked, and keeps what it has', async () => {
    const { result, values, leftOut } = await add('append the result to log.csv');
    expect(values).toEqual({ file_name: 'log.csv', append_mode: true });
    expect([result['summary'], leftOut]).toEqual(['Added “Write file” with log.csv, adding to its end.', []]);
    expect((await add('save the result to log.csv and add to the end')).values).toEqual(values);
    expect((await add('write the result to log.csv')).values).toEqual({ file_name: 'log.csv' });
  });

  it('changes what all of its takers get, and names those that cannot take it', async () => {
    const two = TEXT.replace('  O:', '  T: TextOutput\n  O:').replace('edges:', 'edges:\n  I.message -> T.input_value');
    const { result, edges } = await add('add a step that makes it upper case', two);
    expect(edges).toEqual([
      'ChatInput -> TextOperations',
      'TextOperations -> ChatOutput',
      'TextOperations -> TextOutput',
    ]);
    expect(result['summary']).toContain('before “Text output” and “Chat output”.');
  });

  it('named by its title has values to set, and does not run before', async () => {
    const sort = await add('add a Sort rows component', ROWS);
    expect(sort.edges).toEqual(['ReadData -> SortRows', 'SortRows -> ChatOutput']);
    expect(sort.result['summary']).toBe('Added “Sort rows”, before “Chat output”. Set “Column” in the inspector.');
    const run = await add('add a Sort rows component, then run it', ROWS);
    expect(run.result).toMatchObject({
      summary: 'Added “Sort rows”, before “Chat output”.',
      note: 'Not run: set “Column” in the inspector first.',
      ends_request: true,
    });
    expect(run.leftOut).toEqual(['run it']);
  });

  it('that starts a flow has no connection', async () => {
    const { result, edges, version } = await add('add a Webhook component', TEXT);
    expect([edges, version]).toEqual([['ChatInput -> ChatOutput'], 2]);
    expect(result['summary']).toMatch(/^Added “Webhook”, without a connection\. Connect its output\./);
    const run = await add('add a Webhook component, then run it');
    expect([run.leftOut, run.result['note']]).toEqual([['run it'], expect.stringMatching(/^Not run: .* first\.$/)]);
  });

  it('asks before a write', async () => {
    const { result } = await add('add a step that asks me before it writes out.txt');
    expect(result['error']).toContain('no component of the flow writes out.txt');
  });

  it('leaves a part of the message out, and says so', async () => {
    const { result, leftOut } = await add('add a step that writes the result to out.txt in French');
    expect(leftOut.join()).toContain('in French');
    expect(result['note']).toMatch(/^Not built: /);
    expect(result['ends_request']).toBe(true);
  });

  it('that writes is not added without its condition', async () => {
    const { result, leftOut, version } = await add('add a step that writes the result to out.txt unless it is empty');
    expect(result['error']).toMatch(
      /^Nothing was added: without “.*unless it is empty.*”, .*Write file would do more than you asked for\./,
    );
    expect([leftOut.length, version]).toEqual([1, 1]);
  });
});

describe('nothing is added', () => {
  it('without a rule, and with another reason where a component is named', async () => {
    expect((await add('dance a waltz')).result['error']).toMatch(/^I have no rule for this: “dance a waltz”\./);
    expect((await add('add a Read file component')).result['error'] ?? 'added').not.toContain('I have no rule');
  });

  it('to an empty canvas', async () => {
    const empty = 'nodes:\n  I: ChatInput\n';
    expect((await add('add a step that makes it upper case', empty)).result['error']).toBe(
      'The flow has no Chat output to add the step before. Add one first.',
    );
    const none = await toolContext();
    expect((await none.call([ADD_STEP], 'add_step', { request: 'add a Sort rows component' }))['error']).toMatch(
      /^The flow is empty, so “Sort rows” has nothing to work on\./,
    );
    expect((await none.call([ADD_STEP], 'add_step', { request: 'make it upper case' }))['error']).toMatch(
      /^I built nothing/,
    );
  });

  it('where the ports do not fit', async () => {
    const { result, version } = await add('add a Sort rows component');
    expect(result['error']).toBe(
      '“Sort rows” cannot take what the flow shows. Add it from the palette of the canvas, with a converter before it.',
    );
    expect(version).toBe(1);
  });
});

it('says what it does', () => {
  expect(ADD_STEP.label({})).toBe('Adding a step');
});

it('shows its tool to models and people in these words', () => {
  expect(shownTools([ADD_STEP])).toEqual([
    'add_step | Adding a step | Adds a step or component that does something: add a component that counts, summarises or writes. | {"type":"object","additionalProperties":false}',
    '- request: {"type":"string"} The purpose of the step, in the user\'s own words.',
  ]);
});
