// Requests to croft/offline that would delete, overwrite or reach the network beyond what their words say.
import { builtinRegistry, TEMPLATES } from '@croft/components';
import type { FlowContent } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { memoryCanvas, offlineTurn } from './testing.ts';

const registry = builtinRegistry();

async function send(message: string, canvas = memoryCanvas()) {
  const { events, end, built } = await offlineTurn(registry, { message, canvas, templates: TEMPLATES });
  const update = events.findLast((each) => each.event === 'flow_update' && each.action === 'set_flow');
  const flow: FlowContent | undefined =
    update?.event === 'flow_update' && update.action === 'set_flow' ? update.flow : undefined;
  const written = built.filter(({ type }) => type === 'SaveToFile').map(({ values }) => values['file_name']);
  const { result: reply, outcome, left_out: leftOut } = end;
  const ran = events.some(({ event }) => event === 'run_finished');
  return { reply, outcome, leftOut, flow, types: built.map(({ type }) => type), written, ran };
}

/** A canvas with a flow that reads orders.csv, keeps rows and saves big.csv. */
async function ordersCanvas() {
  const canvas = memoryCanvas();
  const message = 'Take orders.csv, keep only the rows where amount is greater than 15, and save them as big.csv';
  await offlineTurn(registry, { message, canvas, templates: TEMPLATES, skipAll: true });
  expect(typesOn(canvas)).toEqual(['ReadData', 'FilterRows', 'ChatOutput', 'SaveToFile']);
  return canvas;
}
const typesOn = ({ flow }: ReturnType<typeof memoryCanvas>) => flow.nodes.map(({ type }) => type);

describe('a request to delete', () => {
  it.each([
    'delete all my files',
    'remove all rows',
    'please delete the rows',
    'erase my file',
    'delete big.csv',
    'remove all steps',
    'remove the filter',
    'clear the file',
  ])('changes nothing where it names no component, and says what to write: %s', async (message) => {
    const canvas = await ordersCanvas();
    const before = canvas.flow;
    const { reply, outcome, leftOut } = await send(message, canvas);
    expect(canvas.flow).toBe(before);
    expect([outcome, leftOut.length]).toEqual(['not_done', 1]);
    expect(reply).toMatch(/^Not removed: “[^”]+”\..*deletes no files, rows or flows.*remove the .+ component/);
  });

  it('names the component that it may mean', async () => {
    expect((await send('remove the filter', await ordersCanvas())).reply).toContain('remove the Filter rows component');
  });

  it.each(['delete notes.md', 'remove everything from notes.md'])(
    'builds nothing on an empty canvas: %s',
    async (text) => {
      const { reply, outcome, flow } = await send(text);
      expect([outcome, flow]).toEqual(['not_done', undefined]);
      expect(reply).toContain('deletes no files');
    },
  );

  it('takes the named component out, and leaves the file', async () => {
    const canvas = await ordersCanvas();
    const { reply, outcome, leftOut, flow } = await send('delete the write file step and the file out.txt', canvas);
    expect([outcome, leftOut, flow]).toEqual(['partly_done', ['the file out.txt'], undefined]);
    expect(reply).toMatch(/^Removed “Write file”\.\n\nNot removed: “the file out\.txt”/);
    expect(typesOn(canvas)).toEqual(['ReadData', 'FilterRows', 'ChatOutput']);
  });

  it('takes several named components out, and runs the flow then', async () => {
    const canvas = await ordersCanvas();
    const { outcome, ran } = await send('remove Write file and the filter step, then run it', canvas);
    expect([outcome, ran, typesOn(canvas)]).toEqual(['done', true, ['ReadData', 'ChatOutput']]);
  });

  it.each([
    ['equals North', 'not equals', 'North'],
    ['contains Nor', 'not contains', 'Nor'],
    ['is less than 10', 'greater than or equal', '10'],
    ['is at least 10', 'less than', '10'],
    ['is greater than 10.5', 'less than or equal', '10.5'],
    ['is less than or equal to 10', 'greater than', '10'],
    ['starts with Nor', undefined, undefined],
  ])('rows of a flow keeps the other ones, or is left out: region %s', async (condition, operator, value) => {
    const { flow, written, leftOut } = await send(
      `build a flow that reads orders.csv, removes the rows where region ${condition} and saves it to x.csv`,
    );
    const filter = flow?.nodes.find(({ type }) => type === 'FilterRows')?.values;
    expect([filter?.['operator'], filter?.['filter_value']]).toEqual([operator, value]);
    // Without the filter the file would have all rows.
    expect([written, leftOut.length]).toEqual(operator === undefined ? [[], 2] : [['x.csv'], 0]);
  });

  it('of a flow are not saved where the request names no file, and the reply asks for one', async () => {
    const { written, leftOut, reply } = await send(
      'build a flow that reads orders.csv, removes the rows where amount is less than 10 and saves it',
    );
    expect([written, leftOut]).toEqual([[], ['saves it']]);
    expect(reply).toContain('A file needs a name');
  });

  it('of a flow are dropped by each condition', async () => {
    const { flow, leftOut } = await send(
      'build a flow that reads orders.csv, removes the rows where amount is below ten, removes the rows where region equals North and saves it to x.csv',
    );
    const filters = flow?.nodes.filter(({ type }) => type === 'FilterRows').map(({ values }) => Object.values(values));
    expect(filters).toEqual([
      expect.arrayContaining(['amount', 'greater than or equal', '10']),
      expect.arrayContaining(['region', 'not equals', 'North']),
    ]);
    expect(leftOut).toEqual([]);
  });
});

describe('a write under a condition', () => {
  it.each([
    'build a flow that asks me before it writes notes.md words count to x.txt',
    'build a flow that asks me before it writes the word count of notes.md to x.txt',
    'build a flow that reads notes.md, counts its words and asks for my permission before saving it to x.txt',
    'build a flow that reads notes.md, counts its words and saves it to x.txt once I approve',
  ])('waits for the person: %s', async (message) => {
    const { flow, written, outcome } = await send(message);
    expect([outcome, written]).toEqual(['done', ['x.txt']]);
    const idOf = (type: string) => flow?.nodes.find((each) => each.type === type)?.id;
    const into = (id: string | undefined) => flow?.edges.filter(({ to }) => to.node === id).map(({ from }) => from);
    expect(into(idOf('SaveToFile'))).toEqual([{ node: idOf('HumanApproval'), port: 'approved' }]);
    expect(into(idOf('HumanApproval'))).toMatchObject([{ node: idOf('TextStatistics') }]);
    expect(flow?.nodes).toContainEqual(expect.objectContaining({ type: 'File', values: { path: 'notes.md' } }));
  });

  it.each([
    'build a flow that reads notes.md and writes it to x.txt unless it is empty',
    'build a flow that reads notes.md, asks the moon whether it may and writes it to x.txt',
    'build a flow that reads notes.md and saves it to x.txt only when the wind is calm',
  ])('is not built where the condition is not understood: %s', async (message) => {
    const { written, outcome, leftOut } = await send(message);
    expect(written).toEqual([]);
    expect(outcome).not.toBe('done');
    expect(leftOut.join()).toContain('x.txt');
  });

  it.each([
    'add a step that asks me before it writes big.csv',
    'add a step that asks for my approval before it saves big.csv',
    'ask me before writing big.csv',
    'add a step that asks me before it writes the file',
  ])('is added to a flow before the component that writes: %s', async (message) => {
    const canvas = await ordersCanvas();
    const { outcome, reply } = await send(message, canvas);
    expect([outcome, typesOn(canvas)]).toEqual(['done', [...(await ordersCanvas().then(typesOn)), 'HumanApproval']]);
    expect(reply).toContain('Added “Human approval”, before “Write file”');
    const idOf = (type: string) => canvas.flow.nodes.find((each) => each.type === type)?.id;
    const into = (type: string) => canvas.flow.edges.filter(({ to }) => to.node === idOf(type)).map(({ from }) => from);
    expect(into('SaveToFile')).toEqual([{ node: idOf('HumanApproval'), port: 'approved' }]);
    expect(into('HumanApproval')).toMatchObject([{ node: idOf('FilterRows') }]);
    expect(into('ChatOutput')).toMatchObject([{ node: idOf('FilterRows') }]);
    const again = await send(message, canvas);
    expect([again.outcome, again.reply]).toEqual([
      'not_done',
      expect.stringContaining('is before “Write file” already'),
    ]);
  });

  it.each([
    ['add a step that asks me before it writes the result to out.txt', 'no component of the flow writes out.txt'],
    ['add a step that asks me before it writes the file', 'several components write'],
    ['add a step that asks the moon before it writes big.csv', 'Nothing was added'],
  ])('is not added to a flow where it has no clear place, and says why: %s', async (message, why) => {
    const canvas = await ordersCanvas();
    if (why.startsWith('several')) await send('add a step that writes the result to other.txt', canvas);
    const before = canvas.flow;
    const { outcome, reply } = await send(message, canvas);
    expect([outcome, canvas.flow]).toEqual(['not_done', before]);
    expect(reply).toContain(why);
  });
});

describe('a file of a request', () => {
  it('is not written where the request reads it', async () => {
    const { written, leftOut, reply } = await send('build a flow that reads notes.md and saves it to notes.md');
    expect([written, leftOut]).toEqual([[], ['saves it to notes.md']]);
    expect(reply).toContain('The flow reads notes.md, so it does not write it');
  });

  it('is written by the flow exactly where the reply does not leave it out', async () => {
    const copied = await send('build a flow that reads notes.md and saves a backup to bak.md, then run it');
    expect([copied.written, copied.leftOut, copied.ran]).toEqual([['bak.md'], [], true]);
    const other = await send('build a flow that reads notes.md and saves a poem to fax.md, then run it');
    expect([other.written, other.leftOut, other.ran]).toEqual([[], ['saves a poem to fax.md'], false]);
  });

  it('does not become a page of the network', async () => {
    const { types, leftOut, flow } = await send('build a flow that reads all .md files and saves a list to list.txt');
    expect(types).not.toContain('URLComponent');
    expect([leftOut, flow?.nodes[0]?.values]).toEqual([[], { pattern: '**/*.md' }]);
  });
});

describe('what a reply says about runs', () => {
  it('does not run the canvas in place of a proposal that was not accepted', async () => {
    const canvas = await ordersCanvas();
    const parts = { message: 'run it', canvas, templates: TEMPLATES };
    const refused = await offlineTurn(registry, { ...parts, dismissesProposals: true });
    expect(refused.end.outcome).toBe('not_done');
    expect(refused.end.result).toMatch(/^Not run: .*\*\*Add to canvas\*\* or \*\*Apply it after all\*\*/);
    expect(refused.events.some(({ event }) => event === 'run_started')).toBe(false);
    expect((await offlineTurn(registry, parts)).end.result).toContain('Ran it');
    const message = 'build a new flow that reads notes.md and counts its words, then run it';
    const built = await offlineTurn(registry, { ...parts, message, dismissesProposals: true });
    expect(built.events.some(({ event }) => event === 'run_finished')).toBe(true);
  });

  it('does not claim that a checked flow never ran', async () => {
    const { reply } = await send('is this flow correct?', await ordersCanvas());
    expect(reply).not.toContain('has not run');
  });

  it('says that files of a run stay after an undo', async () => {
    expect((await send('undo that', await ordersCanvas())).reply).toContain('Files that a run of the flow wrote stay');
  });
});

it.each(['ParserComponent', 'Parser'])(
  'sets a text of the component that a message names as advised: %s',
  async (named) => {
    const canvas = memoryCanvas();
    const message = 'build a flow that reads notes.md and shows `notes.md has N words`';
    await offlineTurn(registry, { message, canvas, templates: TEMPLATES, skipAll: true });
    const id = canvas.flow.nodes.find(({ type }) => type === 'ParserComponent')?.id;
    const request = `set pattern of ${named === 'Parser' ? named : id} to "Edited by admin: {words}"`;
    const { events } = await offlineTurn(registry, { message: request, canvas, templates: TEMPLATES });
    const proposed = { action: 'edit_field', component_id: id, new_value: 'Edited by admin: {words}' };
    expect(events).toContainEqual(expect.objectContaining(proposed));
  },
);
