// Requests to croft/offline for files whose ending promises a form.
import { builtinRegistry, TEMPLATES } from '@croft/components';
import { buildFromSpec } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { memoryCanvas, offlineTurn } from './testing.ts';

const registry = builtinRegistry();

/** The files that the built flow writes, each with the port that it gets its content from. */
async function send(message: string, canvas = memoryCanvas()) {
  const { events, end } = await offlineTurn(registry, { message, canvas, templates: TEMPLATES });
  const update = events.findLast((each) => each.event === 'flow_update' && each.action === 'set_flow');
  const { nodes, edges } = update?.event === 'flow_update' && update.action === 'set_flow' ? update.flow : canvas.flow;
  const files = nodes
    .filter(({ type }) => type === 'SaveToFile')
    .map(({ id, values }) => {
      const from = edges.find(({ to }) => to.node === id)?.from;
      return [values['file_name'], `${nodes.find((each) => each.id === from?.node)?.type}.${from?.port}`];
    });
  return { files, reply: end.result, leftOut: end.left_out };
}

describe('a file of records', () => {
  it.each([
    [
      'read people.csv, convert it to JSON and save it as people.json',
      'people.json',
      'TypeConverterComponent.dataframe_output',
    ],
    [
      'read people.csv, convert it to JSON and save it as people.yaml',
      'people.yaml',
      'TypeConverterComponent.dataframe_output',
    ],
    ['find all email addresses in notes.md and save them to emails.csv', 'emails.csv', 'RegexExtractor.data'],
    ['read notes.md, count its words and save it to out.json', 'out.json', 'TextStatistics.data'],
    ['build a report of sales by region of orders.csv and save it to report.csv', 'report.csv', 'SortRows.output'],
    ['read people.csv and save it as people.yml', 'people.yml', 'ReadData.dataframe'],
  ])('gets rows, and not their text: %s', async (message, file, port) => {
    const { files, leftOut } = await send(message);
    expect([files, leftOut]).toEqual([[[file, port]], []]);
  });

  it.each([
    ['read notes.md, count its words and save it to out.txt', 'out.txt', 'ParserComponent.parsed_text'],
    ['read notes.md, shows `N words` and saves it to out.csv', 'out.csv', 'ParserComponent.parsed_text'],
    ['read config.json, replace "a" with "b" and save it to new.json', 'new.json', 'TextOperations.message'],
    ['keep the lines of data.csv that contain Oslo and save them to oslo.csv', 'oslo.csv', 'TextOperations.message'],
  ])('does not take the place of a text that the request names: %s', async (message, file, port) => {
    const { files, leftOut } = await send(message);
    expect([files, leftOut]).toEqual([[[file, port]], []]);
  });

  it('gets the rows of the flow on the canvas, too', async () => {
    const spec =
      'nodes:\n  R: ReadData\n  T: TypeConverterComponent\n  O: ChatOutput\nedges:\n  R.dataframe -> T.input_data\n  T.message_output -> O.input_value\nconfig:\n  R.path: people.csv\n';
    const built = buildFromSpec(spec, registry);
    if ('error' in built) throw new Error(built.error);
    const { files, leftOut } = await send('save the result to people.json', memoryCanvas(built.flow));
    expect([files, leftOut]).toEqual([[['people.json', 'TypeConverterComponent.dataframe_output']], []]);
  });
});

describe('a file that the flow cannot write in its form', () => {
  it.each([
    ['read notes.md and save it as notes.json', 'notes.json'],
    ['summarise notes.md and save it to out.yaml', 'out.yaml'],
    ['read notes.md and save it as notes.pdf', 'notes.pdf'],
    ['read people.csv and save it as people.xlsx', 'people.xlsx'],
    ['read people.csv and save it as people.html', 'people.html'],
    ['read people.csv, ask me before saving it to people.html', 'people.html'],
  ])('is not written, and the reply says which files it writes: %s', async (message, file) => {
    const { files, reply, leftOut } = await send(`build a flow that does this: ${message}`);
    expect(files).toEqual([]);
    expect(leftOut.join()).toContain(file);
    expect(reply).toContain(`“${file}” has another form. A flow writes texts, and rows as .json`);
  });

  it('is not added to the flow on the canvas', async () => {
    const canvas = memoryCanvas();
    await offlineTurn(registry, {
      message: 'read notes.md and count its words, then run it',
      canvas,
      templates: TEMPLATES,
    });
    const before = canvas.flow;
    const { reply, leftOut } = await send('save the result to out.pdf', canvas);
    expect([canvas.flow, leftOut]).toEqual([before, ['save the result to out.pdf']]);
    expect(reply).toContain('“out.pdf” has another form. A flow writes texts');
  });
});
