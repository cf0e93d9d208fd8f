import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { TEMPLATES } from '@croft/components';
import { runCroft } from '@croft/mcp/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCroftHere } from '../../../../tests/support/run-croft-here.ts';
import { fileDir } from '../../../../tests/support/temp-dir.ts';

const KEYS = /_API_KEY$|_BASE_URL$/;
const dir = fileDir();
let server: Server;

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    if (url === '/feed.xml')
      response.end('<rss><channel><item><title>First</title><link>https://e.org/1</link></item></channel></rss>');
    else if (url === '/items') response.setHeader('content-type', 'application/json').end('{"items":["Wool"]}');
    else
      response
        .setHeader('content-type', 'text/html')
        .end('<title>Page</title><h1>Stone walls</h1><p>They <b>hold</b>.</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => server.close());

const runIn =
  (runOne: typeof runCroft | typeof runCroftHere) =>
  async (cwd: string, ...args: string[]) => {
    const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !KEYS.test(name)));
    const env = { ...(kept as Record<string, string>), OLLAMA_BASE_URL: '', CROFT_BASE_DIR: join(dir, 'base') };
    const { code, stdout, stderr } = await runOne(args, { cwd, env });
    return { code, out: stdout, err: stderr };
  };
/** Runs a command in this process. */
const run = runIn(runCroftHere);
/** Starts the program. */
const start = runIn(runCroft);

/** The result of each template with its own example. */
const RESULTS: Readonly<Record<string, string>> = {
  chat: 'good morning',
  'agent-with-calculator': '42\n',
  'agent-with-files': 'The wall is made of granite.',
  'agent-with-flow': 'Words: 3, lines: 1',
  'flow-in-a-flow': 'The other flow says: Words: 3, lines: 1.',
  'text-to-record': 'Ada is 36',
  'answer-each-row': 'Say hello: hello\nSay goodbye: goodbye',
  'route-by-topic': 'To billing: category: Billing',
  'guarded-chat': 'Not sent. The message contains: prompt injection.',
  'summarise-file': 'The wall holds.',
  'ask-documents': 'Invoices are due within thirty days of delivery.',
  'remember-messages': 'User: Hello',
  'word-count': 'Words: 3, lines: 1',
  'sales-report': 'North: 160\nSouth: 80',
  'write-report': "to 'report.md'",
  'webhook-to-file': "to 'requests.jsonl'",
  'daily-report': "to 'reports/20",
  'watch-feed': '- First (https://e.org/1)',
  'file-in-file-out': 'minutes.md',
  'join-tables': 'Ada: 30 hours',
  'extract-addresses': 'ada@example.com\nbob@example.org',
  'json-query': 'Wool costs 12',
  'sort-requests': 'Billing: My invoice is wrong',
  'for-each-row': 'Dear Ada\nDear Bob',
  'notify-and-listen': 'Dear Ada',
  'find-in-files': 'a.md: 2\nb.md: 1',
  'web-page-to-markdown': "to 'page.md'",
  'feed-digest': 'First (https://e.org/1)',
  'call-an-api': 'Wool',
};

/** Templates that the program itself runs: between them they use files, an agent, rows, HTTP and a search. */
const STARTED = ['agent-with-files', 'ask-documents', 'sales-report', 'call-an-api', 'find-in-files'];

describe('a template', () => {
  it.each(TEMPLATES.map((template) => [template.name, template] as const))(
    '%s runs to its result, without a key',
    async (name, { spec, input, files = {}, needsNetwork }) => {
      const cwd = join(dir, name);
      mkdirSync(cwd);
      for (const [path, content] of Object.entries(files)) writeFileSync(join(cwd, path), content);
      const { port } = server.address() as AddressInfo;
      const local = (text: string) => text.replace('https://example.com', `http://127.0.0.1:${port}`);
      writeFileSync(join(cwd, 'a.flow'), local(spec));
      const network = needsNetwork === true ? ['--allow-host', `127.0.0.1:${port}`] : [];
      const { out, err, code } = await (STARTED.includes(name) ? start : run)(
        cwd,
        'run',
        'a.flow',
        ...(input === undefined ? [] : ['--input', local(input)]),
        ...network,
      );
      expect([code, err.includes('failed')], err).toEqual([0, false]);
      expect(out).toContain(RESULTS[name]);
    },
  );

  it('has a result in this list, and 12 need no network', () => {
    expect(Object.keys(RESULTS).sort()).toEqual(TEMPLATES.map(({ name }) => name).sort());
    expect(TEMPLATES.filter(({ needsNetwork }) => needsNetwork !== true).length).toBeGreaterThanOrEqual(12);
  });

  it('that starts by itself adds to its file with each run, and a feed only what is new', async () => {
    const runAgain = async (name: string) => {
      const { port } = server.address() as AddressInfo;
      return (await run(join(dir, name), 'run', 'a.flow', '--allow-host', `127.0.0.1:${port}`)).out;
    };
    const written = (name: string, file: string) => readFileSync(join(dir, name, file), 'utf8');
    await runAgain('webhook-to-file');
    const line = '{"order":7,"customer":"Ada","amount":120}\n';
    expect(written('webhook-to-file', 'requests.jsonl')).toBe(line + line);
    expect(await runAgain('watch-feed')).toContain('Nothing new.');
    expect(written('watch-feed', 'news.csv')).toBe('title,link,published\r\nFirst,https://e.org/1,\r\n');
    const date = new Date().toISOString().slice(0, 10);
    expect(written('daily-report', `reports/${date}.md`)).toMatch(
      new RegExp(`^# Report of \\w+day, ${date}\n\n- North: 160\n- South: 80\n$`),
    );
  });

  it('is written as JSON where the file ends with .json, and never over a file', async () => {
    expect((await start(dir, 'flow', 'new', 'word-count', '--out', 'count.json')).code).toBe(0);
    expect(JSON.parse(readFileSync(join(dir, 'count.json'), 'utf8'))).toMatchObject({ name: 'Word count' });
    expect((await run(dir, 'run', 'count.json', '--input', 'a b')).out).toBe('Words: 2, lines: 1\n');
    expect(await run(dir, 'flow', 'new', 'chat', '--out', 'count.json')).toMatchObject({
      code: 2,
      err: expect.stringContaining('the file exists') as string,
    });
  });

  it.each([
    ['ask-documents', 'The documents say nothing about this.\n'],
    ['find-in-files', 'No file has this word.\n'],
  ])('says so where nothing is found: %s', async (name, said) => {
    const cwd = join(dir, `nothing-${name}`);
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'a.flow'), TEMPLATES.find((each) => each.name === name)?.spec ?? '');
    expect((await run(cwd, 'run', 'a.flow', ...(name === 'ask-documents' ? ['--input', 'Who?'] : []))).out).toBe(said);
  });

  it('names the files that its example reads', async () => {
    const { err } = await run(dir, 'flow', 'new', 'sales-report', '--out', 'sales.flow');
    expect(err).toContain('such as orders.csv');
  });

  it('comes with its files on request, and overwrites none', async () => {
    const cwd = join(dir, 'with-files');
    mkdirSync(cwd);
    const made = await run(cwd, 'flow', 'new', 'sales-report', '--out', 'sales.flow', '--with-files');
    expect(made).toMatchObject({ code: 0, err: expect.stringMatching(/created {2}orders\.csv\nRun it: /) });
    expect((await run(cwd, 'run', 'sales.flow')).out).toContain(RESULTS['sales-report']);
    writeFileSync(join(cwd, 'orders.csv'), 'mine');
    const again = await run(cwd, 'flow', 'new', 'sales-report', '--out', 'again.flow', '--with-files');
    expect([again.code, readFileSync(join(cwd, 'orders.csv'), 'utf8')]).toEqual([0, 'mine']);
  });

  it('is listed, and an unknown one is refused with the next step', async () => {
    const { out } = await run(dir, 'flow', 'templates');
    const width = 'agent-with-calculator'.length;
    const online = new Set(['watch-feed', 'web-page-to-markdown', 'feed-digest', 'call-an-api']);
    const lines = TEMPLATES.map(
      ({ name, description }) =>
        `${name.padEnd(width)}  ${description}${online.has(name) ? ' Needs the network.' : ''}\n`,
    );
    expect(out).toBe(`${lines.join('')}${TEMPLATES.length} templates\n`);
    expect((await run(dir, 'flow', 'new', 'word-cuont')).err).toContain(
      "there is no template 'word-cuont'; did you mean word-count?; croft flow templates lists them",
    );
    const empty = join(dir, 'empty');
    mkdirSync(empty);
    expect((await run(empty, 'run', 'word-count')).err).toContain('croft flow new word-count --out word-count.flow');
  });
});
