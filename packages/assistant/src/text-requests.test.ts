// Requests to croft/offline for simple changes of texts.
import { builtinRegistry, TEMPLATES } from '@croft/components';
import { buildFromSpec, type Json } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { draftSpec } from './draft/draft-spec.ts';
import { memoryCanvas, offlineTurn } from './testing.ts';

const registry = builtinRegistry();

/** The steps for texts of the flow that a request gives, and what it leaves out. */
function drafted(request: string) {
  const draft = draftSpec(request, registry, TEMPLATES);
  const built = buildFromSpec(draft?.spec ?? '', registry);
  const nodes = 'error' in built ? [] : built.flow.nodes;
  const steps = nodes.filter(({ type }) => type === 'TextOperations').map(({ values }) => values);
  return { steps, missing: draft?.missing ?? [request], types: nodes.map(({ type }) => type) };
}

const keep = (search_pattern: string, more: Record<string, Json> = {}) => ({
  operation: 'Keep lines',
  search_pattern,
  ...more,
});
const drop = (search_pattern: string, more: Record<string, Json> = {}) => ({
  ...keep(search_pattern, more),
  operation: 'Drop lines',
});
const only = (operation: string, more: Record<string, Json> = {}) => ({ operation, ...more });

describe('a step for a text', () => {
  it.each([
    ['show me the lines of notes.md that contain TODO', keep('TODO')],
    ['show me all lines in notes.md with the word TODO', keep('TODO')],
    ['build a flow that keeps the lines of notes.md mentioning "fix me"', keep('fix me')],
    ["list the lines of notes.md that say 'due date'", keep('due date')],
    ['which lines of notes.md mention TODO?', keep('TODO')],
    ['show the lines of notes.md containing todo ignoring case', keep('todo', { ignore_case: true })],
    ['give me only the lines from notes.md that start with ERROR', keep('^ERROR', { use_regex: true })],
    ['show the lines of notes.md that end with "?"', keep('\\?$', { use_regex: true })],
    ['read notes.md and drop lines that don’t mention Bob', keep('Bob')],
    ['keep only lines without DEBUG', drop('DEBUG')],
    ['keep only the lines of app.log that do not contain DEBUG', drop('DEBUG')],
    ['build a flow that reads app.log, removes the lines with DEBUG and saves the result to clean.log', drop('DEBUG')],
    ['read app.log and filter out lines containing DEBUG', drop('DEBUG')],
    ['keep everything in app.log except lines with DEBUG', drop('DEBUG')],
    ['show the lines of app.log that have no DEBUG', drop('DEBUG')],
    ['read notes.md and remove empty lines', drop('^\\s*$', { use_regex: true })],
    ['build a flow that reads notes.md, makes it upper case and saves it to upper.txt', only('Upper case')],
    ['build a flow that turns a message into capital letters', only('Upper case')],
    ['build a flow that writes what I type in uppercase', only('Upper case')],
    ['build a flow that converts the text of notes.md to lower case', only('Lower case')],
    ['make a flow that puts my message in title case', only('Title case')],
    ['build a flow that trims a message', only('Trim')],
    ['build a flow that strips leading spaces from a message', only('Trim', { strip_mode: 'left' })],
    [
      'build a flow that reads notes.md and replaces foo with bar',
      { ...keep('foo'), operation: 'Replace', replacement_text: 'bar' },
    ],
    [
      'build a flow that swaps "red" for "blue" in a message',
      { ...keep('red'), operation: 'Replace', replacement_text: 'blue' },
    ],
    ['build a flow that takes the first two lines of notes.txt', only('First lines', { count: 2 })],
    ['show me the last 5 lines of app.log', only('Last lines', { count: 5 })],
    ['build a flow that shows the first line of notes.md', only('First lines', { count: 1 })],
  ])('is drafted for the whole of: %s', (request, values) => {
    const { steps, missing } = drafted(request);
    expect([steps, missing]).toEqual([[values], []]);
  });

  it('follows another one', () => {
    const { steps, missing } = drafted(
      'read notes.md, keep the lines with TODO, make them upper case and save them to todo.md',
    );
    expect([steps, missing]).toEqual([[keep('TODO'), only('Upper case')], []]);
  });

  it.each([
    'contain TODO or FIXME',
    'contain numbers',
    'contain a date',
    'contain error codes',
    'contain TODO in French',
    'are longer than 80 characters',
  ])('is not drafted for lines that %s', (condition) => {
    const { steps, missing } = drafted(`build a flow that reads notes.md and shows the lines that ${condition}`);
    expect([steps, missing]).toEqual([[], [`shows the lines that ${condition}`]]);
  });

  it.each([
    'makes the headings upper case',
    'makes the first word upper case',
    'does not make it upper case',
    'makes it upper case twice',
    'makes it upper case without the headings',
    'shows the first 3 lines that contain TODO',
    'drops the first line',
    'numbers the lines',
    'reverses its lines',
    'strips the HTML tags',
    'replaces foo with bar in the headings',
  ])('does not stand for something else: %s', (part) => {
    const { steps, missing } = drafted(`build a flow that reads notes.md and ${part}`);
    expect([steps, missing]).toEqual([[], [part]]);
  });

  it.each(['reverses it', 'trims the headings', 'keeps it short', 'sorts them', 'replaces the images'])(
    'does not cover other operations on the text: %s',
    (part) => {
      const { steps, missing } = drafted(`build a flow that reads notes.md, makes it upper case and ${part}`);
      expect([steps, missing]).toEqual([[only('Upper case')], [part]]);
    },
  );

  it('finds a word in the files of a folder by the component that searches them', () => {
    expect(drafted('build a flow that counts how many lines in my files contain TODO').types).toContain('Grep');
  });
});

describe('a change of the result of a flow', () => {
  const spec = TEMPLATES.find(({ name }) => name === 'word-count')?.spec ?? '';
  const send = async (message: string) => {
    const built = buildFromSpec(spec, registry);
    if ('error' in built) throw new Error(built.error);
    const canvas = memoryCanvas(built.flow);
    const { end } = await offlineTurn(registry, { message, canvas, templates: TEMPLATES });
    const added = canvas.flow.nodes.filter(({ type }) => type === 'TextOperations').map(({ values }) => values);
    return { added, outcome: end.outcome, leftOut: end.left_out, reply: end.result };
  };

  it.each([
    ['make it upper case', only('Upper case')],
    ['change it to upper case', only('Upper case')],
    ['can you convert the result to uppercase?', only('Upper case')],
    ['add a step that makes it upper case', only('Upper case')],
    ['keep only lines without DEBUG', drop('DEBUG')],
  ])('is a step: %s', async (message, values) => {
    const { added, outcome, reply } = await send(message);
    expect([added, outcome]).toEqual([[values], 'done']);
    expect(reply).toMatch(/^Added “Text operations” with .*, before “Chat output”\.$/);
  });

  it('runs the flow with the step where the message asks for it', async () => {
    const { added, reply, outcome } = await send('make it all caps and run it');
    expect([added, outcome]).toEqual([[only('Upper case')], 'done']);
    expect(reply).toMatch(/^Added .*\n\nRan it: the result$/);
  });

  it('names what it does not do', async () => {
    expect(await send('make it upper case and reverse it')).toMatchObject({
      outcome: 'partly_done',
      leftOut: ['reverse it'],
      added: [only('Upper case')],
    });
    for (const message of [
      'make the first word upper case',
      'make it upper case in French',
      'how do I make it upper case?',
    ])
      expect(await send(message)).toMatchObject({ outcome: 'not_done', added: [] });
  });

  it.each([
    ['explain this flow in French', 'in French'],
    ['explain this flow in rhymes', 'in rhymes'],
  ])('says which part of an explanation it did not give: %s', async (message, part) => {
    const { outcome, leftOut, reply } = await send(message);
    expect([outcome, leftOut]).toEqual(['partly_done', [part]]);
    expect(reply).toContain(`Not done: “${part}”`);
  });

  it.each(['explain this flow', 'explain this flow in detail'])('gives a whole explanation: %s', async (message) => {
    expect(await send(message)).toMatchObject({ outcome: 'done', leftOut: [] });
  });
});
