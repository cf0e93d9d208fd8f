// Templates are found by what they do, in the words of their descriptions and not in the order of these.
import { builtinRegistry, TEMPLATES } from '@croft/components';
import { buildFromSpec } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { memoryCanvas, offlineTurn } from './testing.ts';

const registry = builtinRegistry();

/** Two requests for each template. */
const REQUESTS: Readonly<Record<string, readonly [string, string]>> = {
  chat: ['answer a message with a language model', 'build a flow where a language model answers what I write'],
  'agent-with-calculator': [
    'build a flow with an agent that can calculate and knows the date',
    'make an agent that answers my message and can do calculations',
  ],
  'agent-with-files': [
    'build a flow with an agent that can read, write and edit my files',
    'make an agent which finds and edits files of the directory',
  ],
  'agent-with-flow': [
    'an agent that can run another flow as a tool',
    'build a flow where the agent uses another flow as its tool',
  ],
  'text-to-record': [
    'read named values from a message into one record',
    'build a flow that turns a message into a record of named values',
  ],
  'answer-each-row': [
    'ask a language model about each row of a table',
    'build a flow that asks the model for every row in a table',
  ],
  'route-by-topic': [
    'let a language model choose the topic of a message and send it to the answer for that topic',
    'build a flow that routes messages by topic with a language model',
  ],
  'guarded-chat': [
    'check a message for private data and injected instructions before a language model reads it',
    'build a chat that is guarded against private data and injected instructions',
  ],
  'summarise-file': ['summarise a document with a language model', 'build a flow that summarises a file'],
  'ask-documents': [
    'search the files of a directory for a question and show the best chunks',
    'build a flow that answers questions from the documents in a directory without a model',
  ],
  'remember-messages': [
    'store each message in the history of the session and show the messages of the session',
    'build a flow that remembers the messages of a session',
  ],
  'word-count': [
    'count the words and lines of a message',
    'build a flow that tells how many words and lines a message has',
  ],
  'flow-in-a-flow': [
    'run another flow on a message and use its result',
    'build a flow that uses the result of another flow',
  ],
  'sales-report': [
    'a report of sales by region',
    'read a CSV file, add up a column for each group, sort the groups and write a report',
  ],
  'write-report': ['write a message as a report', 'build a flow that writes my message into a report document'],
  'join-tables': [
    'join two tables by a column',
    'build a flow that joins two tables and keeps rows that meet a condition',
  ],
  'extract-addresses': [
    'find all email addresses in a message',
    'build a flow that extracts the email addresses from a text',
  ],
  'json-query': ['select values from JSON with a JMESPath expression', 'build a flow that queries JSON'],
  'sort-requests': [
    'send a message to one of several answers by the words in it',
    'build a flow that sorts requests by their words',
  ],
  'for-each-row': [
    'run components once for each row and collect the results',
    'build a flow that loops over rows and collects what they give',
  ],
  'find-in-files': [
    'count the lines of files that contain a word',
    'build a flow that counts how many lines in my files contain TODO',
  ],
  'webhook-to-file': [
    'when a webhook arrives, save the body to a file',
    'build a flow that appends the JSON of each webhook request to a file',
  ],
  'daily-report': [
    'on a schedule, read a CSV file and write a report with the date',
    'build a flow that writes a daily report of the sums in a CSV file',
  ],
  'watch-feed': [
    'watch a feed and add its new entries to a file',
    'build a flow that adds new entries of an RSS feed to a file on a schedule',
  ],
  'file-in-file-out': [
    'take a file that the run brings and give a Markdown file',
    'build a flow with a file in and a file out',
  ],
  'notify-and-listen': [
    'send a value to another part of the flow without a connection',
    'build a flow that notifies and listens',
  ],
  'web-page-to-markdown': [
    'read the article of a web page and write it as a Markdown file',
    'build a flow that saves a web page as Markdown',
  ],
  'feed-digest': ['read a feed and list its latest entries', 'build a flow that gives a digest of a feed'],
  'call-an-api': ['send a request to an HTTP API and select a part of the answer', 'build a flow that calls an API'],
};

async function send(message: string) {
  const { end, built } = await offlineTurn(registry, { message, canvas: memoryCanvas(), templates: TEMPLATES });
  const { outcome, left_out: leftOut, result: reply } = end;
  return { outcome, leftOut, reply, types: built.map(({ type }) => type) };
}

function typesOf(template: string): readonly string[] {
  const built = buildFromSpec(TEMPLATES.find(({ name }) => name === template)?.spec ?? '', registry);
  if ('error' in built) throw new Error(built.error);
  return built.flow.nodes.map(({ type }) => type);
}

const CASES = Object.entries(REQUESTS).flatMap(([name, requests]) =>
  requests.map((request) => [name, request] as const),
);

describe('a template', () => {
  it('has two requests here, each of them', () => {
    expect(Object.keys(REQUESTS).sort()).toEqual(TEMPLATES.map(({ name }) => name).sort());
  });

  it.each(CASES)('%s is built for: %s', async (name, request) => {
    const { outcome, leftOut, types } = await send(request);
    expect([types, outcome, leftOut]).toEqual([typesOf(name), 'done', []]);
  });

  it.each(CASES)(
    '%s does not count as the whole where a part cannot be done: %s, and explain it in French',
    async (name, request) => {
      const { outcome, leftOut, types, reply } = await send(`${request}, and explain it in French`);
      expect([types, outcome, leftOut]).toEqual([typesOf(name), 'partly_done', ['explain it in French']]);
      expect(reply).toContain('“explain it in French”');
    },
  );
});

it.each([
  ['daily-report', 'every morning at 8 write a report of a CSV file with a sum for each group', 'every morning at 8'],
  ['daily-report', 'every morning at 8 write a report', 'every morning at 8'],
  ['daily-report', 'every day at 18:00 read a csv file and write a report', 'every day at 18:00'],
  ['watch-feed', 'every hour read an RSS feed and add new entries to a file', 'every hour'],
])('a flow with a schedule is built from %s for: %s. The schedule is left out', async (name, request, schedule) => {
  const { types, leftOut, reply } = await send(request);
  expect([types, leftOut]).toEqual([typesOf(name), [schedule]]);
  expect(reply).toContain('sets a schedule');
});

it.each([
  ['when a webhook arrives, save the body to a file', 'adds a webhook'],
  ['on a schedule, read a CSV file and write a report with the date', 'adds its times'],
])('the reply says where to find what starts the flow: %s', async (request, where) => {
  expect((await send(request)).reply).toContain(where);
});

it.each([
  'receive webhooks and write their JSON to data.jsonl',
  'build a flow that receives webhooks and writes their JSON to data.jsonl',
  'when a webhook request arrives, store its JSON in data.jsonl',
])('a webhook that is written to a file is built, with that file, for: %s', async (request) => {
  const { end, built } = await offlineTurn(registry, {
    message: request,
    canvas: memoryCanvas(),
    templates: TEMPLATES,
  });
  expect([end.outcome, end.left_out, built.map(({ type }) => type)]).toEqual(['done', [], typesOf('webhook-to-file')]);
  expect(built.flatMap(({ values }) => Object.values(values))).toContain('data.jsonl');
});

it.each([
  ['use template sales-report', 'sales-report'],
  ['on a schedule, read a CSV file and write a report with the date', 'daily-report'],
  // The file is the user's: a sample in its place would be taken for it.
  ['every day read orders.csv and write a report', undefined],
  ['build a flow that counts how many lines in my files contain TODO', undefined],
])('names the template whose own files the flow reads: %s', async (message, template) => {
  const { events } = await offlineTurn(registry, { message, canvas: memoryCanvas(), templates: TEMPLATES });
  const update = events.findLast((each) => each.event === 'flow_update');
  expect(update).toMatchObject({ action: 'set_flow', auto_apply: false });
  expect(update?.action === 'set_flow' ? update.template : null).toBe(template);
});

it('the files and the address of a request take the place of those of a template, wherever it has them', async () => {
  const valuesFor = async (message: string) => {
    const { end, built } = await offlineTurn(registry, { message, canvas: memoryCanvas(), templates: TEMPLATES });
    return { leftOut: end.left_out, values: built.flatMap(({ values }) => Object.values(values)) };
  };
  const hook = await valuesFor('when a webhook arrives, append the body to orders.jsonl');
  expect([hook.leftOut, hook.values]).toEqual([[], expect.arrayContaining(['orders.jsonl'])]);
  const feed = await valuesFor('watch the feed https://news.example/rss and add its new entries to seen.csv');
  expect(feed.leftOut).toEqual([]);
  expect(feed.values).toEqual(expect.arrayContaining(['https://news.example/rss']));
  expect(feed.values.filter((value) => value === 'seen.csv')).toHaveLength(2);
  const report = await valuesFor('every day read sales.csv and write a report');
  expect(report.values).toEqual(expect.arrayContaining(['sales.csv', 'reports/{time.date}.md']));
});

it.each([
  'list my files',
  'summarise our chat',
  'open the file notes.md',
  'search components for splitting text',
  'which components split text',
  'translate a message into French',
  'show me the rows of a table',
  'write a poem about sheep',
])('no flow is built for a message that describes none: %s', async (message) => {
  expect((await send(message)).types).toEqual([]);
});
