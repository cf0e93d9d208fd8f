// Requests in a newcomer's own words to croft/offline.
import { builtinRegistry, TEMPLATES } from '@croft/components';
import { buildFromSpec } from '@croft/flow';
import { makeToolset } from '@croft/tools';
import { describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../tests/support/use-workspace.ts';
import { draftSpec } from './draft/draft-spec.ts';
import { eventsOf, instantRuns, makeTurn, memoryCanvas, offlineTurn } from './testing.ts';

const registry = builtinRegistry();
const { workspace: files } = useWorkspace();

async function send(message: string, canvas = memoryCanvas()) {
  const { events, end, built } = await offlineTurn(registry, {
    message,
    canvas,
    templates: TEMPLATES,
    files: { tools: makeToolset('files', { acquire: () => files }) },
  });
  const values = Object.fromEntries(built.map((node) => [node.type, node.values]));
  const wrote = events.some(({ event }) => event === 'file_written');
  const { result: reply, outcome, left_out: leftOut, status_line: line } = end;
  const asked = events.flatMap((each) => (each.event === 'question' ? [each.text] : []));
  return {
    asked,
    reply,
    outcome,
    leftOut,
    line,
    wrote,
    ran: events.some(({ event }) => event === 'run_finished'),
    values,
  };
}

function canvasWith(template: string) {
  const built = buildFromSpec(TEMPLATES.find(({ name }) => name === template)?.spec ?? '', registry);
  if ('error' in built) throw new Error(built.error);
  return memoryCanvas(built.flow);
}

it('runs a template that reads a sample file only where the user has the file, and says what adds it', async () => {
  const request = 'build a report of sales by region, then run it';
  const first = await send(request);
  expect([first.ran, first.leftOut]).toEqual([false, ['run it']]);
  expect(first.reply).toContain('the flow reads orders.csv, which you do not have');
  files.write('orders.csv', 'region,product,amount\nNorth,Wool,1\n');
  const second = await send(request);
  await files.delete('orders.csv');
  expect([second.ran, second.leftOut]).toEqual([true, []]);
});

it.each(['list all csv files', 'how many csv files are there?', 'find all csv files'])(
  'lists the files of the kind that a message names: %s',
  async (message) => {
    files.write('kinds/a.csv', 'a\n1\n');
    files.write('kinds/b.md', 'b');
    const { reply, values } = await send(message);
    await files.delete('kinds', { recursive: true });
    expect([reply, values]).toEqual(['I found:\n\n- kinds/a.csv', {}]);
  },
);

it.each(['use template word-count', 'count the words and lines of a message'])(
  'gives a flow from a template the message with which it can be tried: %s',
  async (message) => {
    expect((await send(message)).values['ChatInput']).toEqual({ input_value: 'one two three' });
  },
);

describe('builds a flow instead of reading files itself, for', () => {
  it('rows of a file that meet a condition', async () => {
    const { reply, ran, values } = await send(
      'Take orders.csv, keep only the rows where amount is greater than 15, and save them as big.csv. Then run it',
    );
    expect(values).toMatchObject({
      ReadData: { path: 'orders.csv' },
      FilterRows: { column_name: 'amount', operator: 'greater than', filter_value: '15' },
      SaveToFile: { file_name: 'big.csv' },
    });
    expect(ran).toBe(true);
    expect(reply).toMatch(/^Built “Filter rows: orders\.csv”.*\n\nRan it: the result$/);
  });

  it('rows of a file that meet a condition, beside a flow that there is, and writes no file itself', async () => {
    const { ran, values, wrote } = await send(
      'Take orders.csv, keep only the rows where amount is greater than 15, and save them as big.csv. Then run it',
      canvasWith('word-count'),
    );
    expect(values).toMatchObject({ FilterRows: { column_name: 'amount' }, SaveToFile: { file_name: 'big.csv' } });
    expect([ran, wrote]).toEqual([true, false]);
  });

  it.each(['save the result to out.txt', 'write it to out.txt, then run it', 'read notes.md'])(
    'nothing beside a flow that there is, where the request does not describe a whole flow: %s',
    async (message) => {
      expect((await send(message, canvasWith('word-count'))).values).toEqual({});
    },
  );

  it.each(['TODO', 'fixme'])('lines of a file with the word %s', async (word) => {
    const { ran, values } = await send(`How many lines in notes.md contain the word ${word}? Build that and run it`);
    expect(values).toMatchObject({
      File: { path: 'notes.md' },
      TextOperations: { operation: 'Keep lines', search_pattern: word },
      ParserComponent: { pattern: '{lines}' },
    });
    expect(ran).toBe(true);
  });

  it('files of a folder, and says what it leaves out', async () => {
    const { reply, ran, values } = await send(
      'Make a flow that lists all files in my folder with their sizes, then run it',
    );
    expect(Object.keys(values)).toEqual(['Glob', 'ChatOutput']);
    expect(reply).toContain('Not built: “their sizes”');
    expect(ran).toBe(false);
  });

  it('a page that is saved in a file', async () => {
    const { ran, values } = await send('Download https://example.com and store its text in page.md, and run it');
    expect(values).toMatchObject({
      URLComponent: { urls: 'https://example.com' },
      SaveToFile: { file_name: 'page.md' },
    });
    expect(ran).toBe(true);
  });

  it('rows in order, and only the first of them', async () => {
    const { values, reply } = await send('I need a flow: read customers.csv, sort by age, and give me the first three');
    expect(values).toMatchObject({
      ReadData: { path: 'customers.csv' },
      SortRows: { column_name: 'age', limit: 3 },
    });
    expect(reply).not.toContain('Not built');
  });

  it.each([
    ['count the orders per region in sales.csv', 'orders'],
    ['build a flow that counts the rows for each region in sales.csv', 'count'],
  ])('rows of each group: %s', async (message, name) => {
    const { values, leftOut } = await send(message);
    expect(values['AggregateRows']).toEqual({
      group_by: 'region',
      aggregations: [{ column_name: '', operation: 'count', name }],
    });
    expect(leftOut).toEqual([]);
  });

  it.each([
    ['i want a flow that takes sales.csv and shows the total amount per region', 'sum', 'amount', 'region'],
    ['build a flow that reads sales.csv and sums the amount per region', 'sum', 'amount', 'region'],
    ["let's build a flow that computes average age in customers.csv", 'average', 'age', undefined],
  ])('a summary of a column: %s', async (message, operation, column_name, group_by) => {
    const { values, reply } = await send(message);
    expect(values['AggregateRows']).toMatchObject({ aggregations: [{ column_name, operation }] });
    expect(values['AggregateRows']?.['group_by']).toBe(group_by);
    expect(reply).not.toContain('Not built');
  });

  it('a feed or page at an address, which goes to the component that reads it', async () => {
    const { values } = await send('build me a flow that reads the rss feed at https://example.com/feed.xml');
    expect(values).toMatchObject({ RSSReader: { rss_url: 'https://example.com/feed.xml' } });
    expect(values['URLComponent']).toBeUndefined();
  });

  it('words that are counted, in other words', async () => {
    const { values } = await send('make me a flow that counts how many words are in what I type');
    expect(Object.keys(values)).toContain('TextStatistics');
  });

  it.each([
    'build a flow that reads orders.csv and counts its words, then run it',
    'build a flow that reads orders.csv and shows `N words`',
  ])('a text step after a file of rows, which gets the text of the file: %s', async (message) => {
    const { values } = await send(message);
    expect(values).toMatchObject({ File: { path: 'orders.csv' }, TextStatistics: {} });
  });

  it('rows in the order that the request names', async () => {
    const READ = 'build a flow that reads orders.csv, sorts it by amount in';
    const down = await send(`${READ} descending order and keeps the first 3`);
    expect(down).toMatchObject({ outcome: 'done', values: { SortRows: { ascending: false, limit: 3 } } });
    const up = await send(`${READ} ascending order`);
    expect(up).toMatchObject({ outcome: 'done', values: { SortRows: { column_name: 'amount', ascending: true } } });
  });

  it('a copy of a file, and no file that the request does not name', async () => {
    const { values } = await send('build a flow that reads notes.md and writes it to copy.md');
    expect(Object.keys(values).sort()).toEqual(['ChatOutput', 'File', 'SaveToFile']);
  });

  it('rows in order without a file that the request does not name', async () => {
    const { values } = await send('build a flow that reads orders.csv and sorts by amount, then run it');
    expect(Object.keys(values)).toEqual(['ReadData', 'SortRows', 'ChatOutput']);
  });

  it('a request that a template covers, and says where the schedule is set', async () => {
    const { reply, ran, values } = await send(
      'Every morning at 8 read orders.csv and write the total amount per region to report.md',
    );
    expect(values).toMatchObject({
      ReadData: { path: 'orders.csv' },
      AggregateRows: { group_by: 'region' },
      SaveToFile: { file_name: 'report.md' },
    });
    expect(reply).toContain('Not set: “Every morning at 8”');
    expect(reply).toContain('**Use it**');
    expect(ran).toBe(false);
  });
});

describe('a request that it does not understand', () => {
  it('does not take a template with rows of its own for a message', async () => {
    const { values } = await send(
      'set up a flow which asks the model about my message and writes the answer to answer.txt',
    );
    expect(values['ReadData']).toBeUndefined();
  });

  it('takes no file as what to search for', async () => {
    const { values } = await send('create a flow that splits notes.txt in pieces and lets me search it');
    expect(values['VectorSearch']).toBeUndefined();
  });

  it.each(['build a flow that takes the longest two lines of notes.txt', 'make notes.txt shorter'])(
    'claims no flow that does something else: %s',
    async (message) => {
      const { reply } = await send(message);
      expect(reply).not.toMatch(/^Built [^\n]*$/);
    },
  );

  it('leaves the flow on the canvas where it asks for more of it', async () => {
    const canvas = canvasWith('word-count');
    const before = canvas.flow;
    const { reply, values } = await send('make the flow also count characters', canvas);
    expect(values).toEqual({});
    expect(reply).not.toMatch(/^Built/);
    expect(canvas.flow).toEqual(before);
  });

  it.each(['use the file customers.csv instead of sales.csv', 'use the file notes.md instead of sales.csv'])(
    'writes no description of the flow over a file: %s',
    async (message) => {
      const { reply, wrote } = await send(message, canvasWith('word-count'));
      expect(wrote).toBe(false);
      expect(reply).not.toMatch(/^Wrote/);
    },
  );

  it('does not say that nothing ran after a check that ran the flow', async () => {
    const { reply } = await send('new flow: json in data.json, take out the names');
    expect(reply).toContain('Not built: “take out the names”');
    expect(reply).not.toContain('did not run');
  });

  it.each([
    ['Make a flow that translates web articles, then run it', 'web-page-to-markdown'],
    ['give me the three largest amounts of orders.csv', 'sales-report'],
  ])('gets the sentence for a template: %s', async (message, template) => {
    const { reply, values } = await send(message);
    expect(reply).toContain(`- use template ${template} (`);
    expect(reply).toContain('set up a model provider');
    expect(values).toEqual({});
  });

  it.each(TEMPLATES.map(({ name }) => name))('can be answered with: use template %s', async (name) => {
    const { reply, values } = await send(`use template ${name}`);
    expect(reply).toMatch(/^Built /);
    expect(Object.keys(values).length).toBeGreaterThan(0);
  });
});

describe('a request that is carried out in part', () => {
  const READ = 'build a flow that reads orders.csv';
  it.each([
    [`${READ}, sorts by amount and shows the last but one row`, 'shows the last but one row'],
    [
      `${READ} and keeps rows where region equals North or amount is over 5`,
      'keeps rows where region equals North or amount is over 5',
    ],
    [`${READ} and keeps rows where amount is not greater than 15`, 'keeps rows where amount is not greater than 15'],
    [`${READ} and keeps rows where amount is greater than 15 and region is North`, 'region is North'],
    [`${READ} and counts its words twice`, 'counts its words twice'],
    [`${READ} and counts its words without the stop words`, 'without the stop words'],
    [`${READ}, counts its words, adds 10 to it and shows the result`, 'adds 10 to it'],
    [`${READ} and counts its words with the model`, 'with the model'],
    ['build a flow that reads https://example.com and counts the words in its title', 'in its title'],
    ['build a flow that lists all files in my folder sorted by size', 'by size'],
    ['build a flow that lists all files in /etc', 'in /etc'],
    ['build a flow that summarises a document with at most 100 words', 'at most 100 words'],
    ['build a chatbot that answers questions about handbook.pdf', 'questions about handbook.pdf'],
    ['build a flow that reads all files in docs/ and counts the words of each', 'docs/'],
    [
      'build a flow that reads https://example.com, extracts all links and saves them to links.txt',
      'extracts all links',
    ],
    ['every morning at 8 read orders.csv and write the total amount per region to report.md', 'every morning at 8'],
  ])('says which part was not: %s', async (message, part) => {
    const { reply, outcome, leftOut, line, ran } = await send(`${message}, then run it`);
    expect([outcome, leftOut.length]).toEqual(['partly_done', 1]);
    expect(leftOut[0]).toContain(part);
    expect(reply).toContain(`“${leftOut[0]}”`);
    expect(line).toMatch(/^Done in part, without “/);
    // A schedule is set beside the flow, and the flow itself is complete.
    expect(ran).toBe(message.startsWith('every'));
  });

  it.each([
    ['add a step that counts words and sends them by fax', 'sends them by fax'],
    ['add a step that writes the result to out.txt and out2.txt', 'out2.txt'],
  ])('says which part of a step was not: %s', async (message, part) => {
    const { reply, outcome, leftOut } = await send(message, canvasWith('chat'));
    expect([outcome, leftOut]).toEqual(['partly_done', [part]]);
    expect(reply).toContain(`Not built: “${part}”`);
  });

  it.each([
    ['explain this flow and dance a waltz', 'dance a waltz'],
    ['run it, then delete notes.md', 'delete notes.md'],
  ])('says which step it did not understand: %s', async (message, part) => {
    const { reply, outcome, leftOut } = await send(message, canvasWith('word-count'));
    expect([outcome, leftOut]).toEqual(['partly_done', [part]]);
    expect(reply).toContain(`I did not understand “${part}”`);
  });

  it('says what it did before a step failed, and which step does not follow', async () => {
    const { reply, outcome, leftOut } = await send('explain this flow; read none.md; run it', canvasWith('word-count'));
    expect([outcome, leftOut]).toEqual(['partly_done', ['run it']]);
    expect(reply).toMatch(/Goes in[\s\S]*File not found: none\.md[\s\S]*Not done: “run it”/);
  });
});

describe('a request that is not carried out', () => {
  it.each(['dance a waltz', 'build a flow that sends a fax', 'x '.repeat(1_500), 'explain this flow'])(
    'is not done, and says so: %s',
    async (message) => {
      const { outcome, line } = await send(message);
      expect([outcome, line]).toEqual(['not_done', 'Not done. Nothing was changed · not run.']);
    },
  );

  it.each(['help', 'Say hello', 'build a flow that finds all email addresses in a message'])(
    'does not count a request that is: %s',
    async (message) => {
      const { outcome, leftOut } = await send(message);
      expect([outcome, leftOut]).toEqual(['done', []]);
    },
  );
});

it('runs a flow with the message of the request', async () => {
  const canvas = canvasWith('word-count');
  const messages: unknown[] = [];
  const runs = instantRuns('the result', canvas);
  await eventsOf(
    makeTurn(registry, {
      message: 'run it with the message hello world',
      canvas,
      model: { provider: 'croft', name: 'offline' },
      runs: { ...runs, start: (message, version) => (messages.push(message), runs.start(message, version)) },
    }),
  );
  expect(messages).toEqual(['hello world']);
});

it('suggests a request that builds a flow when the canvas is empty', async () => {
  for (const message of ['run it', 'explain this flow', 'document this flow in FLOW.md'])
    expect((await send(message)).reply).toMatch(/for example: build a flow that .*, then run it/);
});

it('says that a file is missing where it reads one itself, and lets a flow say it where a flow reads it', async () => {
  expect((await send('read orders.csv')).reply).toContain('File not found: orders.csv');
  expect((await send('build a flow that reads orders.csv, then run it')).ran).toBe(true);
});

it('reads a file with its own tools where the request is only that', async () => {
  files.write('note.md', 'granite');
  const { reply, values } = await send('read note.md');
  expect(reply).toContain('granite');
  expect(values).toEqual({});
});

it('lists, reads and writes files by the paths that a flow has for them', async () => {
  files.write('mine/own.md', 'granite');
  expect((await send('read mine/own.md')).reply).toContain('granite');
  const { reply, outcome } = await send('what files do I have?');
  expect([reply, outcome]).toEqual(['I found:\n\n- mine\n- mine/own.md\n- note.md', 'done']);
  await send('document this flow in mine/FLOW.md', canvasWith('word-count'));
  expect(files.list('mine').entries.map(({ name }) => name)).toEqual(['FLOW.md', 'own.md']);
});

it('does not read “for each day” as a schedule', () => {
  const draft = draftSpec('build a flow that reads a.csv and sums the amount for each day', registry, TEMPLATES);
  expect(draft).toMatchObject({ schedule: undefined });
  expect(buildFromSpec(draft?.spec ?? '', registry)).not.toHaveProperty('error');
});

describe('answers a message about the flow on the canvas:', () => {
  it.each(['can you run the flow every day at 9?', 'run this every hour', 'schedule it daily at 8:30'])(
    'says where the schedule is set, and runs nothing: %s',
    async (message) => {
      const { reply, ran, outcome } = await send(message, canvasWith('sales-report'));
      expect(reply).toMatch(
        /^Not set: “(?:every|daily).*”\. A flow does not say when it runs: on a server, \*\*Use it\*\*/,
      );
      expect([ran, outcome]).toEqual([false, 'not_done']);
    },
  );

  it.each(['what does this flow do?', 'How does it work?', 'tell me what my flow does', 'what is this flow for?'])(
    'explains the flow: %s',
    async (message) => {
      const { reply, outcome } = await send(message, canvasWith('sales-report'));
      expect(reply).toContain('**Aggregate rows**');
      expect(outcome).toBe('done');
    },
  );

  it('checks the flow, and lists what is wrong', async () => {
    const { flow } = canvasWith('sales-report');
    const edges = flow.edges.filter(({ to }) => !to.node.startsWith('SortRows'));
    const { reply } = await send('is this flow correct?', memoryCanvas({ ...flow, edges }));
    expect(reply).toMatch(/^The flow has 1 error\.\n- /);
    expect(reply).toContain("- Sort rows needs a value for 'Rows'.");
  });

  it.each([
    ['save the result to out.txt', false],
    ['also write it to out.txt, then run it', true],
    ['write the result to out.txt as well', false],
    ['please save the output as out.txt too', false],
  ])('adds a step that writes the result, and leaves nothing out: %s', async (message, runs) => {
    const canvas = canvasWith('word-count');
    const { leftOut, outcome, ran, reply } = await send(message, canvas);
    expect({ leftOut, outcome, ran }).toEqual({ leftOut: [], outcome: 'done', ran: runs });
    expect(reply).toContain('Added “Write file” with out.txt.');
    const { nodes } = canvas.flow;
    expect(nodes.at(-1)).toMatchObject({ type: 'SaveToFile', values: { file_name: 'out.txt' } });
  });
});

describe('changes the flow on the canvas:', () => {
  it.each(['remove the sort step', 'please delete Sort rows', 'take out the component Sort rows.'])(
    'takes a step out, and connects the steps around it: %s',
    async (message) => {
      const canvas = canvasWith('sales-report');
      expect((await send(message, canvas)).reply).toBe('Removed “Sort rows”.');
      const { nodes, edges } = canvas.flow;
      expect(nodes.map(({ type }) => type)).not.toContain('SortRows');
      const [parser, groups] = ['ParserComponent', 'AggregateRows'].map((type) =>
        nodes.find((each) => each.type === type),
      );
      expect(edges).toContainEqual(
        expect.objectContaining({
          from: { node: groups?.id, port: 'output' },
          to: { node: parser?.id, port: 'input_data' },
        }),
      );
    },
  );

  it('names the steps that a removed one leaves without a value', async () => {
    const { reply } = await send('remove text statistics', canvasWith('word-count'));
    expect(reply).toBe('Removed “Text statistics”. Nothing leads to “Parser” now: connect it.');
  });

  it.each([
    ['change orders.csv to sales.csv', 'ReadData', { path: 'sales.csv' }],
    ['use sales.csv instead of orders.csv', 'ReadData', { path: 'sales.csv' }],
    ['set rows to keep to 3', 'SortRows', { limit: 3 }],
  ])('sets the only value that a message can mean: %s', async (message, type, values) => {
    const canvas = canvasWith('sales-report');
    const { outcome, values: proposed } = await send(message, canvas);
    expect(outcome).toBe('done');
    expect(proposed).toEqual({});
    const node = canvas.flow.nodes.find((each) => each.type === type);
    expect(node?.values).toMatchObject(values);
  });

  it('proposes another text of the user', async () => {
    const { reply } = await send('set the column to region', canvasWith('sales-report'));
    expect(reply).toMatch(/^Proposed for SortRows-\w+: column_name\. Accept or dismiss it\.$/);
  });

  it.each(['remove everything', 'set the name to x', 'change the file to b.csv'])(
    'changes nothing where several parts fit, or none: %s',
    async (message) => {
      const canvas = canvasWith('sales-report');
      const before = canvas.flow;
      await send(message, canvas);
      expect(canvas.flow).toBe(before);
    },
  );
});

it('does not leave out what a chatbot is about without saying so', async () => {
  const { values, leftOut } = await send('build a chatbot that answers questions about my files');
  expect(Object.keys(values).includes('Agent') || leftOut.includes('about my files')).toBe(true);
});

describe('what a message forbids or only asks about', () => {
  const BUILD = 'build a flow that reads notes.md, counts its words and saves it to out.txt';

  it.each([
    `${BUILD}, and do not write to own.md, then run it`,
    `${BUILD}. Don't overwrite own.md. Run it`,
    `${BUILD}, but does not save it to own.md, then run it`,
  ])('is left out of the flow: %s', async (message) => {
    const { values, ran, leftOut } = await send(message);
    expect([values['SaveToFile'], ran, leftOut]).toEqual([expect.objectContaining({ file_name: 'out.txt' }), true, []]);
  });

  it.each([
    'build a flow that reads orders.csv and saves the rows that are in own.csv to out.csv, then run it',
    'build a flow that reads notes.md and writes what is not in own.md to out.txt, then run it',
    'build a flow that reads notes.md and appends its words to the end of out.txt but not to the end of own.md, then run it',
    'build a flow that reads notes.md, counts its words and saves it to own.txt~, then run it',
    'build a flow that reads notes.md, counts its words and saves it to own.json (copy), then run it',
  ])('is not written by a flow: %s', async (message) => {
    const { values, ran, leftOut } = await send(message);
    expect(JSON.stringify(values['SaveToFile'] ?? '')).not.toContain('own');
    expect(ran).toBe(false);
    expect(leftOut).not.toEqual([]);
  });

  it.each([
    'build a flow that reads notes.md and saves it to own.md, but do not overwrite it, then run it',
    "build a flow that reads notes.md and saves it to own.md, but don't overwrite the file if it exists, then run it",
    'build a flow that reads notes.md and saves it to own.md. Never overwrite it. Run it',
    'build a flow that reads notes.md and saves it to own.md. Do not replace existing files. Run it',
    'build a flow that reads notes.md and saves it to own.md, which you must not overwrite, then run it',
    'build a flow that reads notes.md and saves it to own.md, but do not run it before I say so. Then run it',
  ])('asks before a run that overwrites a file: %s', async (message) => {
    files.write('own.md', 'own');
    const { asked } = await send(message);
    await files.delete('own.md');
    expect(asked).toEqual([expect.stringMatching(/may i run the flow|own\.md/i)]);
  });

  it('runs no flow that is not to be run', async () => {
    expect((await send(`${BUILD}, but do not run it`)).ran).toBe(false);
    for (const message of [
      'do not run it',
      'do not execute the flow',
      'how do I run it?',
      'can you tell me how to run it',
      'not run',
    ])
      expect((await send(message, canvasWith('word-count'))).ran, message).toBe(false);
  });

  it.each([
    'do not replace `own` with `x` in own.md',
    'how do I replace `own` with `x` in own.md?',
    'what would replace `own` with `x` in own.md do?',
    'I did not replace `own` with `x` in own.md',
    'replace `own` with `x` in all files except own.md',
    'how do I document this flow in own.md?',
    'is this flow documented in own.md?',
    'document own.md',
    'replace `own` with `x` in own.md, but do not change it on disk',
    "replace `own` with `x` in own.md. Don't change the file, show me the result",
    'replace `own` with `x` in own.md without changing the file',
    'replace `own` with `x` in own.md, but ask me first',
    'replace `own` with `x` in own.md, dry run',
    'replace `own` with `x` in own.md, once Anna agrees',
    'replace `own` with `x` in own.md, can I',
    'stop documenting this flow in own.md',
    'replace `own` with `x` in all files but own.md',
    'document this flow in own.md, but do not overwrite it',
    'could you tell me how to replace `own` with `x` in own.md?',
    'tell me how to document this flow in own.md',
  ])('changes no file: %s', async (message) => {
    files.write('own.md', 'own');
    const { wrote } = await send(message, canvasWith('word-count'));
    const text = String((await files.readBytes('own.md')).bytes);
    await files.delete('own.md');
    expect([text, wrote]).toEqual(['own', false]);
  });

  it('changes a file that the message orders to change', async () => {
    files.write('own.md', 'own');
    await send('can you replace `own` with `x` in own.md?');
    const text = String((await files.readBytes('own.md')).bytes);
    await files.delete('own.md');
    expect(text).toBe('x');
  });
});
