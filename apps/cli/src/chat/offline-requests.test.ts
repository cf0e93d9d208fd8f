import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AssistantEvent } from '@croft/assistant';
import { makeScratch } from '@croft/workspace/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OFFLINE, startersFor } from '../../../studio/src/assistant/starters.ts';
import type { ChatBackend } from './chat-backend.ts';
import { openFileBackend } from './file-backend.ts';

let dir: string;
let release: () => Promise<void>;
let backend: ChatBackend;
let mayRemove: boolean;

beforeEach(async () => {
  const scratch = makeScratch([]);
  dir = scratch.workspace;
  mayRemove = false;
  writeFileSync(join(dir, 'notes.md'), 'one two three four');
  backend = await openFileBackend({
    file: join(dir, 'flow.json'),
    dir,
    model: OFFLINE,
    skipAll: false,
    confirm: async () => mayRemove,
    allowHost: [],
    allowCommand: [],
    credential: [],
  });
  release = async () => {
    await backend.close();
    scratch.remove();
  };
});
afterEach(() => release());

async function send(message: string) {
  const events: AssistantEvent[] = [];
  for await (const event of backend.send(message).events) events.push(event);
  const end = events.at(-1);
  if (end?.event !== 'complete') throw new Error(JSON.stringify(end));
  const ran = events.find((each) => each.event === 'run_finished');
  return { reply: end.data.result, line: end.data.status_line, ran, events };
}

const has = (name: string) => existsSync(join(dir, name));
const read = (name: string) => readFileSync(join(dir, name), 'utf8');
const typesIn = (events: readonly AssistantEvent[]): readonly string[] => {
  const built = events.findLast((each) => each.event === 'flow_update' && each.action === 'set_flow');
  return built?.event === 'flow_update' && built.action === 'set_flow' ? built.flow.nodes.map(({ type }) => type) : [];
};
/** Of texts for a model: names of tools and instructions. */
const FOR_MODEL =
  /\b[a-z]+_(?:flow|component|components|text|edit|io|help|step)\b|call \w+ again|pending user|failed:/i;

describe('the suggestions of the assistant', () => {
  const EFFECTS: Readonly<Record<string, (sent: Awaited<ReturnType<typeof send>>) => void>> = {
    'build a flow that reads notes.md from my workspace and counts its words, then run it': ({ ran }) =>
      expect(ran).toMatchObject({ status: 'completed', text: 'Words: 4, lines: 1' }),
    'build a flow that finds all email addresses in a message': ({ events }) =>
      expect(typesIn(events)).toContain('RegexExtractor'),
    'build a flow that lists all files in my folder, then run it': ({ ran }) =>
      expect(ran).toMatchObject({ status: 'completed', text: expect.stringContaining('notes.md') }),
    'build a flow that summarises a document': ({ events }) => expect(typesIn(events)).toContain('Summarise'),
    'explain this flow': ({ reply }) => expect(reply).toMatch(/Goes in:[\s\S]*1\. \*\*Read file\*\*[\s\S]*notes\.md/),
    'run it': ({ ran }) => expect(ran).toMatchObject({ status: 'completed', text: 'Words: 4, lines: 1' }),
    'document this flow in FLOW.md': () => expect(read('FLOW.md')).toContain('Read file'),
  };
  const onEmpty = new Set([
    ...startersFor(true, OFFLINE, ['notes.md']),
    ...startersFor(true, OFFLINE, []),
    ...startersFor(true, 'OpenAI/model-1', ['notes.md']),
  ]);

  it.each([...onEmpty])('on an empty canvas: %s', async (starter) => {
    const sent = await send(starter);
    expect(EFFECTS[starter]).toBeTypeOf('function');
    EFFECTS[starter]?.(sent);
    expect(sent.reply).not.toMatch(FOR_MODEL);
  });

  it.each(startersFor(false, OFFLINE, []))('about a flow: %s', async (starter) => {
    await send('build a flow that reads notes.md and counts its words, then run it');
    const sent = await send(starter);
    expect(EFFECTS[starter]).toBeTypeOf('function');
    EFFECTS[starter]?.(sent);
    expect(sent.reply).not.toMatch(FOR_MODEL);
  });
});

describe('the examples of croft/offline', () => {
  /** The requests in a reply: its list, and templates that it offers. */
  const offeredIn = (reply: string) =>
    [...reply.matchAll(/^- (.*)$/gm)].map(([, line]) => (line as string).replace(/^(use template \S+) \(.*\)$/, '$1'));

  it('are carried out, wherever a reply offers them', async () => {
    mayRemove = true;
    const COUNT = 'build a flow that reads notes.md and counts its words, then run it';
    const emptyReplies: string[] = [];
    for (const message of ['help', 'dance a waltz', 'build a flow that sends a fax', 'add a step that sends a fax'])
      emptyReplies.push((await send(message)).reply);
    const onEmpty = [...new Set(emptyReplies.flatMap(offeredIn))];
    await send(COUNT);
    const flowReplies: string[] = [];
    for (const message of ['help', 'dance a waltz']) flowReplies.push((await send(message)).reply);
    const onFlow = [...new Set(flowReplies.flatMap(offeredIn))];
    expect(onEmpty.length).toBeGreaterThan(2);
    expect(onFlow).toContain('run it');
    for (const example of onEmpty) {
      rmSync(join(dir, 'flow.json'), { force: true });
      const { events, ran } = await send(example);
      expect(
        events.some(({ event }) => event === 'flow_update'),
        example,
      ).toBe(true);
      if (example.endsWith('run it')) expect(ran, example).toMatchObject({ status: 'completed' });
    }
    for (const example of onFlow) {
      rmSync(join(dir, 'flow.json'), { force: true });
      await send(COUNT);
      const { reply, events } = await send(example);
      expect(reply, example).not.toMatch(/did not understand|I built nothing|I changed nothing|no rule|failed/);
      expect(
        events.every((each) => each.event !== 'tool_end' || each.ok),
        example,
      ).toBe(true);
    }
  });
});

describe('a request that croft/offline cannot carry out', () => {
  it.each([
    'Send me a Slack message whenever a new e-mail arrives',
    'Take the text I type, reverse the order of its lines and show the result',
    'what does this flow take in?',
  ])('on an empty canvas is answered with what can be built: %s', async (request) => {
    const { reply } = await send(request);
    expect(reply).toContain('build a flow that lists all files in my folder');
    expect(reply).not.toMatch(/Chat output|nothing\. It gives/);
    expect(has('flow.json')).toBe(false);
  });

  it('names a role of the answer among what it did not build', async () => {
    expect((await send('Build a chatbot that answers as a pirate')).reply).toContain('Not built: “as a pirate”');
  });
});

describe('rows that are filtered, sorted and saved', () => {
  const ROWS = 'id,region,amount\n1,North,10\n2,South,99\n3,North,30\n4,North,20\n5,North,40\n';
  const ids = () => (JSON.parse(read('top.json')) as { id: string }[]).map(({ id }) => id);
  beforeEach(() => writeFileSync(join(dir, 'orders.csv'), ROWS));

  it('in one request', async () => {
    const { reply } = await send(
      'Read orders.csv, keep only the orders from the North region, sort them by amount, biggest first, and save the three biggest as top.json, then run it',
    );
    expect(ids()).toEqual(['5', '3', '4']);
    expect(reply).not.toContain('Not built');
    expect(reply).toMatch(/Ran it:\n\n/);
  });

  it('with the condition in a second message', async () => {
    await send('Read orders.csv, sort by amount, biggest first, and save the four biggest as top.json, then run it');
    expect(ids()).toEqual(['2', '5', '3', '4']);
    await send('keep only the rows where region equals North');
    await send('run it');
    expect(ids()).toEqual(['5', '3', '4']);
  });
});

it.each([
  ['and saves it as people.json', 'people.json', '[\n  {\n    "name": "Ann",\n    "age": "36"\n  }\n]\n'],
  [
    'converts it to JSON and saves it as people.json',
    'people.json',
    '[\n  {\n    "name": "Ann",\n    "age": "36"\n  }\n]\n',
  ],
  ['and saves it as people.yaml', 'people.yaml', '- name: Ann\n  age: "36"\n'],
  ['keeps the rows where age is over 40 and saves them to old.csv', 'old.csv', ''],
])('writes the form that the ending of a file promises: %s', async (request, file, content) => {
  writeFileSync(join(dir, 'people.csv'), 'name,age\nAnn,36\n');
  await send(`build a flow that reads people.csv, ${request}, then run it`);
  expect(read(file)).toBe(content);
});

it.each([
  ['keeps the rows where region is North, East or West', ['1', '4']],
  ['removes the rows where region is North or West', ['2', '3', '4']],
  ['keeps the 2 rows with the highest amount', ['4', '1']],
  ['sums the amount per region, keeps the row with the lowest sum', ['South, West']],
])('runs with the chosen rows: %s', async (request, expected) => {
  writeFileSync(join(dir, 'orders.csv'), 'id,region,amount\n1,North,10\n2,South,9\n3,"South, West",8\n4,East,90\n');
  await send(`build a flow that reads orders.csv, ${request}, and saves them to some.json, then run it`);
  const rows = JSON.parse(read('some.json')) as Readonly<Record<string, string>>[];
  expect(rows.map((row) => row['id'] ?? row['region'])).toEqual(expected);
});

describe('a request that croft/offline covers only in part', () => {
  it.each([
    [
      'build a flow that reads notes.md, makes its headings upper case and saves it to upper.txt, then run it',
      'makes its headings upper case',
    ],
    [
      'build a flow that reads notes.md and shows the total for each region, then run it',
      'shows the total for each region',
    ],
    [
      'build a flow that summarises notes.md and emails it to bob@example.com, then run it',
      'emails it to bob@example.com',
    ],
    ['build a flow that reads notes.md and other.md, then run it', 'other.md'],
    ['build a flow that reads notes.md and reverses its words, then run it', 'reverses its words'],
  ])('%s', async (request, missing) => {
    const { reply, ran, line } = await send(request);
    expect(reply).toContain(`Not built: “${missing}”`);
    expect(reply).toContain('build a flow that lists all files in my folder');
    expect(ran).toBeUndefined();
    expect(line).toContain('not run');
    expect(has('upper.txt')).toBe(false);
  });

  it.each([
    'build a flow that translates a message to German',
    'I want a flow which sends me an email every morning',
    'build a flow that says "hello"',
  ])('builds nothing of it, and says so with examples: %s', async (request) => {
    const { reply, line } = await send(request);
    expect(reply).toMatch(/^I built nothing.*\n\n- build a flow that .*\n- build a flow that /);
    expect(reply).not.toMatch(FOR_MODEL);
    expect(line).toBe('Not done. Nothing was changed · not run.');
  });
});

describe('questions and changes beside the steps of a flow', () => {
  const ASK = 'why did the last run fail?';

  it('says why the last run failed, and only where one did', async () => {
    expect((await send(ASK)).reply).toMatch(/^I know of no run of this flow/);
    await send('build a flow that reads missing.md and counts its words, then run it');
    const { reply, line, ran } = await send(ASK);
    expect(reply).toMatch(/^The last run failed\. “Read file” \(File-\w+\): File not found: missing\.md/);
    expect([line, ran]).toEqual(['Nothing was changed · not run.', undefined]);
    mayRemove = true;
    await send('build a new flow that reads notes.md and counts its words, then run it');
    expect((await send('what went wrong?')).reply).toBe('The last run did not fail: it completed.');
  });

  it.each(['what files do I have?', 'Which files are there', 'show me my files'])(
    'lists files: %s',
    async (message) => {
      expect((await send(message)).reply).toBe('I found:\n\n- notes.md');
      expect(has('flow.json')).toBe(false);
    },
  );

  it.each([
    'rename the flow to Word counter',
    'please call this flow "Word counter".',
    'change the name of the flow to Word counter',
  ])('gives the flow another name: %s', async (message) => {
    await send('build a flow that reads notes.md and counts its words, then run it');
    const before = JSON.parse(read('flow.json'));
    expect((await send(message)).reply).toBe('Renamed the flow to “Word counter”.');
    expect(JSON.parse(read('flow.json'))).toEqual({ ...before, name: 'Word counter' });
  });

  it('does not take the name of a component or a file for that of the flow', async () => {
    await send('build a flow that reads notes.md and counts its words, then run it');
    const before = read('flow.json');
    for (const message of ['rename the read file step to Source', 'rename notes.md to other.md']) {
      expect((await send(message)).reply).not.toContain('Renamed');
      expect(read('flow.json')).toBe(before);
    }
  });

  it('gives the step that there is other values, instead of a second one', async () => {
    writeFileSync(join(dir, 'orders.csv'), 'name,amount\nb,1\na,2\n');
    await send('Read orders.csv, sort by amount, biggest first, and show the first one, then run it');
    const { reply, events } = await send('sort by name instead');
    const updates = events.flatMap((each) => (each.event === 'flow_update' ? [each] : []));
    expect(updates).toMatchObject([{ action: 'edit_field', field: 'column_name', new_value: 'name' }]);
    expect(reply).toMatch(/^Proposed for SortRows-\w+: column_name\./);
    const { events: added } = await send('keep only rows where amount equals 1 instead');
    expect(added).toContainEqual(expect.objectContaining({ action: 'add_component' }));
  });
});

describe('undo', () => {
  it('dismisses what was only proposed, and keeps the flow of an earlier message', async () => {
    await send('build a flow that reads notes.md and counts its words, then run it');
    const before = read('flow.json');
    await send('make me a chatbot');
    expect((await send('undo that')).reply).toMatch(/^The proposal is dismissed/);
    expect(read('flow.json')).toBe(before);
    await send('undo that');
    expect(JSON.parse(read('flow.json')).nodes).toEqual([]);
  });
});

describe('a run without its file', () => {
  it('names the component as on the canvas, and files that exist', async () => {
    const { reply } = await send('build a flow that reads missing.md and counts its words, then run it');
    expect(reply).toMatch(
      /“Read file” \(File-\w+\): File not found: missing\.md.*Choose a file that exists: .*notes\.md/,
    );
  });
});

describe('a step in a flow that shows and writes its rows', () => {
  it('comes before both, and undo says what it took back', async () => {
    writeFileSync(join(dir, 'orders.csv'), 'id,amount\n1,120\n2,30\n');
    const spec =
      'nodes:\n  R: ReadData\n  W: SaveToFile\n  O: ChatOutput\nedges:\n  R.dataframe -> W.input\n  R.dataframe -> O.input_value\nconfig:\n  R.path: orders.csv\n  W.file_name: top.json\n';
    writeFileSync(join(dir, 'flow.json'), spec);
    const { reply } = await send('add a step that keeps only rows where amount is greater than 50');
    expect(reply).toBe('Added “Filter rows” with amount greater than 50, before “Write file” and “Chat output”.');
    await send('run it');
    expect(JSON.parse(read('top.json'))).toEqual([{ id: '1', amount: '120' }]);
    await send('help');
    mayRemove = true;
    expect((await send('undo that')).reply).toBe('Undone: removed “Filter rows”.');
  });
});

describe('a second flow in the same file', () => {
  const SECOND = 'build a flow that reads other.md and counts its words, then run it';
  const pathsIn = () => JSON.parse(read('flow.json')).nodes.flatMap(({ values }: any) => values.path ?? []);
  beforeEach(async () => {
    writeFileSync(join(dir, 'other.md'), 'one two');
    await send('build a flow that reads notes.md and counts its words, then run it');
  });

  it('does not run beside the first one without consent, and says how to go on', async () => {
    const { reply, ran } = await send(SECOND);
    expect(reply).toMatch(/you did not allow it: remove .*croft chat other\.json/);
    expect(ran).toBeUndefined();
    expect(pathsIn()).toEqual(['notes.md']);
  });

  it('takes the place of the first one with consent, and runs alone', async () => {
    mayRemove = true;
    expect((await send(SECOND)).ran).toMatchObject({ status: 'completed', text: 'Words: 2, lines: 1' });
    expect(pathsIn()).toEqual(['other.md']);
  });
});

describe('croft/offline', () => {
  it('writes the file that a request names', async () => {
    await send('build a flow that reads notes.md, counts its words and saves it to out.txt, then run it');
    expect(read('out.txt')).toContain('Words: 4');
  });

  it('keeps the rows of a file that meet a condition', async () => {
    writeFileSync(join(dir, 'orders.csv'), 'region,amount\nNorth,120\nSouth,5\nNorth,40\n');
    await send(
      'Take orders.csv, keep only the rows where amount is greater than 15, and save them as big.csv. Then run it',
    );
    expect(read('big.csv').trim().split(/\r?\n/)).toEqual(['region,amount', 'North,120', 'North,40']);
    await send('undo that');
    await send('Read orders.csv and write the total amount per region to report.md, then run it');
    expect(read('report.md')).toBe('| region | sum of amount |\n| --- | --- |\n| North | 160 |\n| South | 5 |\n');
  });

  it('counts the lines of a file with a word', async () => {
    writeFileSync(join(dir, 'notes.md'), 'TODO one\ntwo\nTODO three\n');
    const { ran } = await send('How many lines in notes.md contain the word TODO? Build that and run it');
    expect(ran).toMatchObject({ status: 'completed', text: '2' });
  });

  it('keeps and changes the lines of a file with a word', async () => {
    writeFileSync(join(dir, 'notes.md'), 'TODO one\ntwo\nTODO three\n');
    const { line } = await send(
      'build a flow that reads notes.md, keeps the lines with TODO, makes them upper case and saves them to todo.md, then run it',
    );
    expect(line).not.toContain('Done in part');
    expect(read('todo.md').trim()).toBe('TODO ONE\nTODO THREE');
    mayRemove = true;
    const { ran } = await send('show me the lines of notes.md without TODO, then run it');
    expect(ran).toMatchObject({ status: 'completed', text: expect.stringMatching(/^two\s*$/) });
  });

  it('writes no file itself where the flow is to write it', async () => {
    const { events } = await send(
      'build a flow that reads notes.md and counts its words and write the result to out.txt',
    );
    expect(typesIn(events)).toContain('SaveToFile');
    expect(has('out.txt')).toBe(false);
  });

  it('builds a web page and a step, each once', async () => {
    const { events } = await send('build a flow that summarises https://example.com');
    expect(typesIn(events)).toEqual(['URLComponent', 'Summarise', 'ChatOutput']);
  });

  it('adds a step that writes a file to a flow', async () => {
    await send('build a flow that reads notes.md and counts its words, then run it');
    await send('add a component that writes the result to out.txt');
    await send('run it');
    expect(read('out.txt')).toBe('Words: 4, lines: 1');
  });

  it.each(['help', 'what can you do?', 'add a connection', 'dance a waltz', 'change the text', 'run it'])(
    'answers a person in sentences: %s',
    async (message) => {
      const { reply } = await send(message);
      expect(reply).not.toMatch(FOR_MODEL);
      expect(reply).toMatch(/[Bb]uild a flow|Build or add/);
    },
  );
});
