import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openWire, runCroft, type Surroundings, useSurroundings } from '@croft/mcp/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandHelp } from '../../../../tests/support/command-help.ts';
import { runCroftHere } from '../../../../tests/support/run-croft-here.ts';
import { ADMIN, makeKey, startTestServer, type TestServer } from '../../../server/src/testing.ts';
import { addChatCommand } from './chat.ts';

let surroundings: Surroundings;
let env: Record<string, string>;

useSurroundings((made) => {
  surroundings = made;
  // An empty address turns off the search for a local model.
  env = { ...made.env, OLLAMA_BASE_URL: '' };
  writeFileSync(join(made.workspace, 'notes.md'), 'one two three');
});

const inWorkspace = (name: string) => join(surroundings.workspace, name);
const chatIn =
  (run: typeof runCroft | typeof runCroftHere) =>
  (args: string[], input?: string, more: Record<string, string> = {}) =>
    run(['chat', ...args], {
      env: { ...env, ...more },
      cwd: surroundings.workspace,
      ...(input !== undefined && { input }),
    });
/** Runs the command in this process. */
const chat = chatIn(runCroftHere);
/** Starts the program. */
const startChat = chatIn(runCroft);
const say = (...messages: string[]) => messages.flatMap((message) => ['--message', message]);
const BUILD = 'build a flow that reads notes.md from my workspace and shows `notes.md has N words`, then run it';
const flowIn = (name = 'flow.json') => JSON.parse(readFileSync(inWorkspace(name), 'utf8'));

describe('croft chat', () => {
  it('builds, changes, runs, documents and undoes a flow in a file, without a key', async () => {
    const { code, stdout, stderr } = await startChat([
      '--yes',
      ...say(BUILD, 'change the text to `N words in notes.md`', 'run it', 'undo that', 'document this flow in FLOW.md'),
    ]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain('notes.md has 3 words');
    expect(stdout).toContain('3 words in notes.md');
    expect(stderr).toContain('checked without problems · run completed');
    expect(stderr).toContain('wrote FLOW.md');
    expect(readFileSync(inWorkspace('FLOW.md'), 'utf8')).toContain('Read file');
    // Undo took back the newest change of the flow, and no more.
    expect(flowIn().nodes).toHaveLength(4);
    expect(JSON.stringify(flowIn())).toContain('notes.md has {words} words');
    const ran = await runCroftHere(['run', 'flow.json'], { env, cwd: surroundings.workspace });
    expect(ran.stdout).toBe('notes.md has 3 words\n');
  });

  it('takes back the newest message with changes, files or canvas, one message at a time', async () => {
    const replace = 'replace `two` with `2` in notes.md';
    const notes = () => readFileSync(inWorkspace('notes.md'), 'utf8');
    const first = await chat(['--yes', ...say(BUILD, replace, 'undo that')]);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('Undone: changes of notes.md.') });
    expect(first.stderr).toContain('Took back changes of notes.md');
    expect([notes(), flowIn().nodes.length]).toEqual(['one two three', 4]);
    await chat(['--yes', 'again.json', ...say(BUILD, replace, 'undo that', 'undo that')]);
    expect([notes(), flowIn('again.json').nodes]).toEqual(['one two three', []]);
    const command = await chat(['--yes', 'command.json'], `${BUILD}\n${replace}\n/undo\n`);
    expect(command.stderr).toContain('Undone: changes of notes.md.');
    const log = await runCroftHere(['log', '--changes'], { env, cwd: surroundings.workspace });
    expect(log.stdout).toContain('by assistant');
    expect(log.stdout).not.toContain('MCP client');
    expect([notes(), flowIn('command.json').nodes.length]).toEqual(['one two three', 4]);
  });

  it('changes nothing that was only proposed without a person who accepts it', async () => {
    const { code, stderr } = await startChat(say('build a flow that summarises notes.md'));
    expect(code).toBe(1);
    expect(stderr).toContain('proposed');
    expect(stderr).toMatch(/Not changed: .*--yes/);
    expect(existsSync(inWorkspace('flow.json'))).toBe(false);
  });

  it('says why a flow cannot be read or written, in one sentence', async () => {
    mkdirSync(inWorkspace('dir'));
    expect(await chat(['dir', ...say('run it')])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^croft: .*dir: cannot be read: .*directory.*\n$/i),
    });
    // No room for the name of the partial file.
    const long = `${'x'.repeat(240)}.json`;
    const unwritable = await chat(['--yes', long, ...say(BUILD)]);
    expect(unwritable).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/x\.json.* cannot be (?:read|written): .*too long/i),
    });
  });

  it('ends with code 1 where the flow that was built does not run', async () => {
    const build = 'build a flow that reads absent.md from my workspace and shows `absent.md has N words`';
    const { code, stderr } = await chat(['--yes', ...say(build)]);
    expect(stderr).toContain('Built into the flow');
    expect(stderr).toContain('the run failed');
    expect(code).toBe(1);
  });

  it('ends with code 1 where a message was not carried out, or only in part, and says so', async () => {
    const unclear = await chat(say('dance a waltz'));
    expect(unclear).toMatchObject({ code: 1, stderr: expect.stringContaining('Not done. Nothing was changed') });
    const refused = await chat(say('build a flow that sends a fax'));
    expect((refused.stdout + refused.stderr).match(/I built nothing|\\u000a/g)).toEqual(['I built nothing']);
    const part = await chat(['--json', ...say('build a flow that reads notes.md and encrypts it')]);
    expect(part.code).toBe(1);
    const end = JSON.parse(part.stdout.trimEnd().split('\n').at(-1) ?? '');
    expect(end.data).toMatchObject({ outcome: 'partly_done', left_out: ['encrypts it'] });
  });

  it('carries out its commands, and says which it does not have', async () => {
    const { code, stdout, stderr } = await chat(
      ['--yes'],
      `${BUILD}\n/undo\n/undo\n/new\n/skip-all\n/nope\n/help\n/quit\nhelp\n`,
    );
    expect(stderr).toContain('The last change of flow.json is undone.');
    expect(stderr).toContain('There is nothing to undo in this chat.');
    expect(stderr).toContain('A new conversation.');
    expect(stderr).toContain('There is no command /nope. /help lists the commands.');
    expect(stderr).toMatch(/\/undo .*\n[\s\S]*Ctrl-C +stops a reply/);
    expect(flowIn().nodes).toEqual([]);
    // The chat ends at /quit, before the last line.
    expect([code, stdout]).toEqual([1, expect.not.stringContaining('rules, not a language model')]);
  });

  it('removes nothing without consent, and keeps the file of before where it may', async () => {
    await chat(['--yes', ...say(BUILD)]);
    const before = readFileSync(inWorkspace('flow.json'), 'utf8');
    const id = flowIn().nodes.at(-1).id as string;
    const refused = await chat(say(`remove_component ${id}`));
    expect(refused.stdout).toContain('did not allow');
    expect(readFileSync(inWorkspace('flow.json'), 'utf8')).toBe(before);
    await chat(['--yes', ...say(`remove_component ${id}`)]);
    expect(flowIn().nodes).toHaveLength(3);
    expect(readFileSync(inWorkspace('flow.json.before-chat'), 'utf8')).toBe(before);
  });

  it('keeps the flow from before each chat, and not only from before its last message', async () => {
    await chat(['--yes', ...say(BUILD)]);
    const [first, ...ids] = [
      readFileSync(inWorkspace('flow.json'), 'utf8'),
      ...flowIn().nodes.map(({ id }: any) => id),
    ];
    await chat(['--yes', ...say(`remove_component ${ids[3]}`, `remove_component ${ids[2]}`)]);
    const second = readFileSync(inWorkspace('flow.json'), 'utf8');
    await chat(['--yes', ...say(`remove_component ${ids[1]}`)]);
    expect(flowIn().nodes).toHaveLength(1);
    expect(readFileSync(inWorkspace('flow.json.before-chat'), 'utf8')).toBe(first);
    expect(readFileSync(inWorkspace('flow.json.before-chat-2'), 'utf8')).toBe(second);
  });

  it('keeps a flow in its text form', async () => {
    const text = 'name: Echo\nnodes:\n  In: ChatInput\n  Out: ChatOutput\nedges:\n  In.message -> Out.input_value\n';
    writeFileSync(inWorkspace('echo.flow'), text);
    await chat(['echo.flow', ...say('configure_component component_id: In params: {"input_value": "hello"}')]);
    await chat(['echo.flow', ...say('add_component CombineText')]);
    const after = readFileSync(inWorkspace('echo.flow'), 'utf8');
    expect(after).toContain('nodes:');
    expect(after).toContain('CombineText');
  });

  it('prints every event as JSON, and reads messages from standard input', async () => {
    const { code, stdout } = await startChat(['--yes', '--json'], `${BUILD}\nrun it\n`);
    expect(code).toBe(0);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.filter(({ event }) => event === 'complete')).toHaveLength(2);
    expect(events.filter(({ event }) => event === 'run_finished')).toMatchObject([
      { status: 'completed', text: 'notes.md has 3 words' },
      { status: 'completed', text: 'notes.md has 3 words' },
    ]);
  });

  it('stops a reply at Ctrl-C and keeps what was changed', async () => {
    const silent: Server = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
    const wire = openWire(['chat', '--model', 'OpenAI/gpt-4o', '--json', ...say('hello')], {
      env: { ...env, OPENAI_API_KEY: 'test', OPENAI_BASE_URL: url },
      cwd: surroundings.workspace,
    });
    await expect.poll(() => wire.stdout()).toContain('"event":"turn"');
    wire.child.kill('SIGINT');
    expect((await wire.ended).code).toBe(130);
    expect(wire.stdout()).toContain('"event":"cancelled"');
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });
});

describe('croft chat --server', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
    await server.running.ready;
  });

  afterAll(() => server.stop());

  it('talks about a flow of a server, whose pages follow', async () => {
    const page = await server.signIn(ADMIN.login, ADMIN.password);
    const key = await makeKey(page);
    const made = await page.json<any>('/api/v1/flows', { method: 'POST', json: { name: 'of the chat' } });
    const { id } = made.body.flow;
    const on = ['--server', server.url, '--flow', id];
    const built = await startChat(
      [...on, '--yes', ...say('build a flow that shows the text of a chat message')],
      undefined,
      {
        CROFT_API_KEY: key,
      },
    );
    expect({ code: built.code, stderr: built.stderr }).toMatchObject({ code: 0 });
    expect((await page.json<any>(`/api/v1/flows/${id}`)).body.flow.document.nodes.length).toBeGreaterThan(1);
    const none = await chat([...on, ...say('hi')]);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('CROFT_API_KEY') });
    const wrong = await chat(['--server', server.url, '--flow', 'none', ...say('hi')], undefined, {
      CROFT_API_KEY: key,
    });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('not found') });
  });

  it('says which flow of a server it made, and deletes it where it stays empty', async () => {
    const page = await server.signIn(ADMIN.login, ADMIN.password);
    const CROFT_API_KEY = await makeKey(page);
    const ids = async () =>
      (await page.json<any>('/api/v1/flows')).body.flows.map(({ id }: { id: string }) => id) as string[];
    const before = await ids();
    const build = say('build a flow that shows the text of a chat message');
    const refused = await chat(['--server', server.url, ...build], undefined, { CROFT_API_KEY });
    expect(refused.stderr).toMatch(/New flow (\S+): \S+\/flows\/\1/);
    expect(refused.stderr).toMatch(/Deleted the new flow \S+: it is empty\./);
    expect(await ids()).toEqual(before);
    const built = await chat(['--server', server.url, '--yes', ...build], undefined, { CROFT_API_KEY });
    const [made] = (await ids()).filter((id) => !before.includes(id));
    expect(built.stderr).toContain(`New flow ${made}: ${server.url}/flows/${made}`);
    expect(built.stderr).not.toContain('Deleted');
    const listed = await page.json<any>(`/api/v1/flows/${made}`);
    expect(listed.body.flow.document.nodes.length).toBeGreaterThan(1);
    const empty = await page.json<any>('/api/v1/flows', { method: 'POST', json: { name: 'mine' } });
    const { id } = empty.body.flow;
    const kept = await chat(['--server', server.url, '--flow', id, ...say('hi')], undefined, { CROFT_API_KEY });
    expect(await ids()).toContain(id);
    expect(kept.stderr).not.toMatch(/New flow|Deleted/);
  });
});

it('says what croft chat does, and what each flag means', () => {
  expect(commandHelp(addChatCommand, 'chat')).toEqual({
    usage: 'chat [options] [flow]',
    summary: 'build, change and run a flow in conversation',
    description:
      'Builds, changes and runs a flow by messages. The flow is a file, which the first change creates, or a flow of a server. Without the key of a model provider, croft/offline answers by rules. Asks before it removes something; Ctrl-C stops a reply, and ends the chat at the prompt; /help lists the commands there. Messages come from --message, else from standard input, one a line. Ends with code 0, 1 when the last message was not carried out or only in part, or the run of its flow failed, 2 for a wrong flag, 130 when it was stopped.',
    arguments: ['the file of the flow = "flow.json"'],
    options: [
      '--message <text>: send this message and end; may be repeated = []',
      '--dir <dir>: the directory for files and runs (default: that of the flow)',
      '--model <provider/name>: the model (default: the first with a key in the environment, else croft/offline)',
      '--yes: accept everything that is proposed, also changes that remove something',
      '--server <url>: talk about a flow of this server, with the key in CROFT_API_KEY',
      '--flow <id>: with --server: the flow (default: a new one)',
      '--allow-host <host>: a private host that runs may send requests to; may be repeated = []',
      '--credential <name=host>: a variable that HTTP requests of runs may send to a host; may be repeated = []',
      '--allow-command <command>: a command that runs may start as an MCP server; may be repeated = []',
      '--json: print every event as one JSON object per line',
    ],
  });
});
