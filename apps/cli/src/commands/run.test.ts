import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCroft } from '@croft/mcp/testing';
import { startScriptedProvider } from '@croft/models/testing';
import { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandHelp, refusalOf } from '../../../../tests/support/command-help.ts';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { runCroftHere } from '../../../../tests/support/run-croft-here.ts';
import { interruptAt } from '../../../../tests/support/interrupt-at.ts';
import { addRunCommand } from './run.ts';

const croft = fileURLToPath(new URL('../../dist/croft.cjs', import.meta.url));
const dir = fileDir();

beforeAll(() => {
  writeFileSync(join(dir, 'notes.md'), 'one two three');
  writeFileSync(
    join(dir, 'count.flow'),
    'nodes:\n  I: ChatInput\n  S: TextStatistics\n  P: ParserComponent\n  O: ChatOutput\nedges:\n  I.message -> S.text_input\n  S.data -> P.input_data\n  P.parsed_text -> O.input_value\nconfig:\n  P.pattern: "{words} words"',
  );
  writeFileSync(join(dir, 'wrong.flow'), 'nodes:\n  F: File\n  O: ChatOutput\nedges:\n  F.message -> O.input_value');
});

const environment = () => ({ ...process.env, CROFT_BASE_DIR: join(dir, 'base') });

/** Starts the program. */
function start(...args: string[]) {
  const done = spawnSync(process.execPath, [croft, ...args], { cwd: dir, encoding: 'utf8', env: environment() });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

async function run(...args: string[]) {
  const { code, stdout, stderr } = await runCroftHere(args, { cwd: dir, env: environment() });
  return { code, out: stdout, err: stderr };
}

describe('croft run', () => {
  it('prints only the result on standard output', () => {
    expect(start('run', 'count.flow', '--input', 'one two')).toMatchObject({ code: 0, out: '2 words\n' });
  });

  it('sets any field, and refuses an input if the flow has no input component', async () => {
    const wrong = await run('run', 'wrong.flow', '--input', 'hello');
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toContain('--input NODE.FIELD=VALUE');
    expect(await run('run', 'wrong.flow', '--input', 'F.path=notes.md')).toMatchObject({
      code: 0,
      out: 'one two three\n',
    });
  });

  it('stops after the component that --until names by its id in the file, and prints its output', async () => {
    const ran = await run('run', 'count.flow', '--input', 'a b', '--until', 'P');
    expect(ran.code).toBe(0);
    expect(ran.out).not.toContain('(no output)');
    expect(ran.out).toContain('2');
    expect((await run('run', 'count.flow', '--input', 'a b', '--until', 'X')).code).toBe(2);
  });

  it('names component, field and fix if a value is missing', () => {
    const { code, err } = start('run', 'wrong.flow');
    expect(code).toBe(2);
    expect(err).toContain("F needs a value for 'File'. Set 'path' or connect it.");
  });

  it('prints every event as JSON, and ends with code 1 if the flow fails', async () => {
    writeFileSync(
      join(dir, 'fails.flow'),
      'nodes:\n  F: File\n  O: ChatOutput\nedges:\n  F.message -> O.input_value\nconfig:\n  F.path: ../outside',
    );
    const { code, out } = await run('run', 'fails.flow', '--json');
    expect(code).toBe(1);
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; status?: string });
    expect(events.at(-1)).toMatchObject({ kind: 'run_finished', status: 'failed' });
    expect(out).not.toContain(dir);
  });

  it("does not read Croft's base directory inside the flow's directory", async () => {
    mkdirSync(join(dir, 'base'), { recursive: true });
    writeFileSync(join(dir, 'base/mcp-token.txt'), 'SECRET');
    const spec = 'nodes:\n  F: File\n  O: ChatOutput\nedges:\n  F.message -> O.input_value\nconfig:\n  F.path: ';
    writeFileSync(join(dir, 'base.flow'), `${spec}base/mcp-token.txt`);
    const { code, out, err } = await run('run', 'base.flow');
    expect(code).toBe(1);
    expect(out + err).not.toContain('SECRET');
    writeFileSync(join(dir, 'metadata.flow'), 'nodes:\n  F: FileSystemTool\nconfig:\n  F.root_path: base');
    const metadata = await run('run', 'metadata.flow', '--json');
    expect(metadata.out).toContain('resolution_error');
    expect(metadata.out).toContain('"effective_root":null');
  });

  it('reads the JSON document, and says what is wrong with a broken one', async () => {
    writeFileSync(join(dir, 'newer.json'), '{"version": 99}');
    writeFileSync(join(dir, 'broken.json'), '{"version": 1,');
    expect((await run('run', 'newer.json')).err).toContain('newer.json: This flow has document version 99');
    expect((await run('run', 'broken.json')).err).toContain('the JSON is broken');
    expect((await run('run', 'missing.json')).err).toContain('there is no such file');
  });

  it('stops on Ctrl-C with code 130', async () => {
    const rows = JSON.stringify(Array.from({ length: 100_000 }, (_, n) => ({ n })));
    writeFileSync(
      join(dir, 'long.flow'),
      `nodes:\n  T: TextInput\n  C: TypeConverterComponent\n  L: LoopComponent\n  P: ParserComponent\nedges:\n  T.text -> C.input_data\n  C.dataframe_output -> L.data\n  L.item -> P.input_data\n  P.parsed_text -> L.item\nconfig:\n  P.pattern: "{n}"\n  T.input_value: ${JSON.stringify(rows)}`,
    );
    const child = spawn(process.execPath, [croft, 'run', 'long.flow', '--json'], {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, CROFT_BASE_DIR: join(dir, 'base') },
    });
    expect(await interruptAt(child, '"path":"L')).toBe(130);
  });
});

describe('croft run with the network', () => {
  const flow = (url: string) =>
    `nodes:\n  R: APIRequest\n  P: ParserComponent\n  O: ChatOutput\nedges:\n  R.data -> P.input_data\n  P.parsed_text -> O.input_value\nconfig:\n  R.url_input: ${url}\n  R.credential: API_TOKEN\n  P.pattern: "{result}"`;

  it('reaches a private host only with --allow-host, and hides a credential', async () => {
    const received: (string | undefined)[] = [];
    const server = createServer(({ headers }, response) => {
      received.push(headers.authorization);
      response.end(headers.authorization);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    writeFileSync(join(dir, 'fetch.flow'), flow(`http://127.0.0.1:${port}/`));
    const args = ['run', 'fetch.flow', '--credential', `API_TOKEN=http://127.0.0.1:${port}`];
    const env = { ...environment(), API_TOKEN: 'canary-4711' };
    const send = (...more: string[]) => runCroftHere([...args, ...more], { cwd: dir, env });
    const refused = await send();
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--allow-host') as string]);
    // The program loads Node's HTTP modules with the first request.
    const program = await runCroft([...args, '--allow-host', `127.0.0.1:${port}`], { cwd: dir, env });
    expect(program).toMatchObject({ code: 0, stdout: 'Bearer ***\n' });
    expect(received).toEqual(['Bearer canary-4711']);
    const { stdout } = await send('--allow-host', `127.0.0.1:${port}`, '--json');
    expect(stdout).toContain('"result"');
    expect(stdout).not.toContain('canary-4711');
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    [['--allow-host', 'a b'], '--allow-host'],
    [['--credential', 'NO_SUCH_VARIABLE=api.example.com'], 'is not set'],
    [['--credential', 'API_TOKEN'], 'NAME=HOST'],
    [['--credential', 'API_TOKEN=api.example.com/path'], 'NAME=HOST'],
    [['--credential', 'API_TOKEN=ftp://api.example.com'], 'NAME=HOST'],
  ])('refuses %j', async (flags, message) => {
    const { code, err } = await run('run', 'count.flow', '--input', 'x', ...flags);
    expect([code, err]).toEqual([2, expect.stringContaining(message) as string]);
  });
});

describe('croft run with a language model', () => {
  const KEYS = /_API_KEY$|_BASE_URL$/;
  const withoutKeys = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !KEYS.test(name)));

  async function runWith(
    variables: Readonly<Record<string, string>>,
    args: readonly string[],
    runIn: typeof runCroftHere | typeof runCroft = runCroftHere,
  ) {
    writeFileSync(
      join(dir, 'ask.flow'),
      'nodes:\n  I: ChatInput\n  A: Agent\n  O: ChatOutput\nedges:\n  I.message -> A.input_value\n  A.response -> O.input_value',
    );
    const env = { ...withoutKeys(), OLLAMA_BASE_URL: '', CROFT_BASE_DIR: join(dir, 'base'), ...variables };
    const { code, stdout, stderr } = await runIn(['run', 'ask.flow', ...args], { cwd: dir, env });
    return { out: stdout, err: stderr, code };
  }

  it('uses croft/offline without a key, which calls tools', async () => {
    const ran = await runWith({}, ['--input', 'What is 6 * 7?']);
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('42') as string });
    expect(ran.err).not.toContain('tokens');
  });

  it('uses the key of the environment, and prints tokens but never the key', async () => {
    const provider = await startScriptedProvider([{ text: 'From the provider.' }]);
    const { ANTHROPIC_API_KEY = '', ANTHROPIC_BASE_URL = '' } = provider.variables;
    const ran = await runWith(
      { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL },
      ['--input', `My key is ${ANTHROPIC_API_KEY}`],
      runCroft,
    );
    await provider.close();
    expect(ran).toMatchObject({ code: 0, out: 'From the provider.\n' });
    expect(ran.err).toContain('used 15 tokens (10 in / 5 out)');
    expect(provider.requests[0]?.headers['x-api-key']).toBe(ANTHROPIC_API_KEY);
  });

  it('shows no key in the events of a run', async () => {
    const provider = await startScriptedProvider([{ status: 401, body: '{}' }]);
    const { OPENAI_API_KEY = '', OPENAI_BASE_URL = '' } = provider.variables;
    const ran = await runWith({ OPENAI_API_KEY, OPENAI_BASE_URL }, [
      '--json',
      '--input',
      `My key is ${OPENAI_API_KEY}`,
    ]);
    await provider.close();
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('OPENAI_API_KEY');
    expect(ran.out + ran.err).not.toContain(OPENAI_API_KEY);
  });

  it('asks the model of --model for a component that names one without a key', async () => {
    const config = 'config:\n  A.model: OpenAI/gpt-4o\n';
    const start = 'nodes:\n  I: ChatInput\n  A: Agent\n  O: ChatOutput\n';
    const edges = 'edges:\n  I.message -> A.input_value\n  A.response -> O.input_value\n';
    writeFileSync(join(dir, 'named.flow'), start + edges + config);
    const ask = async (...args: string[]) => {
      const env = { ...withoutKeys(), OLLAMA_BASE_URL: '', CROFT_BASE_DIR: join(dir, 'base') };
      const argv = ['run', 'named.flow', '--input', 'What is 6 * 7?', ...args];
      const { code, stdout, stderr } = await runCroftHere(argv, { cwd: dir, env });
      return { code, out: stdout, err: stderr };
    };
    expect(await ask()).toMatchObject({ code: 1, err: expect.stringContaining('OPENAI_API_KEY') as string });
    expect(await ask('--model', 'croft/offline')).toMatchObject({
      code: 0,
      out: expect.stringContaining('42') as string,
    });
  });

  it('explains a model that does not exist', async () => {
    expect(await runWith({}, ['--model', 'nobody/x', '--input', 'Hi'])).toMatchObject({
      code: 2,
      err: expect.stringContaining("There is no model 'nobody/x'") as string,
    });
  });
});

describe('croft flow', () => {
  it('prints a flow as text that runs the same', async () => {
    const { out } = await run('flow', 'spec', 'count.flow');
    writeFileSync(join(dir, 'again.flow'), out);
    expect((await run('run', 'again.flow', '--input', 'a b c')).out).toBe('3 words\n');
  });

  it('lists findings with a fix, and ends with code 1 if the flow cannot run', async () => {
    expect(start('flow', 'check', 'wrong.flow')).toMatchObject({
      code: 1,
      out: expect.stringContaining("Set 'path' or connect it.") as string,
    });
    expect(await run('flow', 'check', 'count.flow')).toMatchObject({ code: 0, out: 'ok  The flow can run.\n' });
    expect(JSON.parse((await run('flow', 'check', 'wrong.flow', '--json')).out)).toMatchObject([
      { code: 'missing_value', field: 'path' },
    ]);
  });

  it('imports an export of Langflow into a new file, lists what is missing, and runs the export itself', async () => {
    const node = (id: string, type: string) => ({ id, position: { x: 0, y: 0 }, data: { id, type, node: {} } });
    const edge = (source: string, name: string, target: string, fieldName: string) => ({
      source,
      target,
      data: { sourceHandle: { name }, targetHandle: { fieldName } },
    });
    const nodes = [node('ChatInput-a', 'ChatInput'), node('ChatOutput-b', 'ChatOutput')];
    const edges = [edge('ChatInput-a', 'message', 'ChatOutput-b', 'input_value')];
    writeFileSync(join(dir, 'export.json'), JSON.stringify({ name: 'Echo', data: { nodes, edges } }));
    const unknown = { name: 'Odd', data: { nodes: [...nodes, node('Odd-c', 'OddThing')], edges } };
    writeFileSync(join(dir, 'odd.json'), JSON.stringify(unknown));

    expect(await run('run', 'export.json', '--input', 'hello')).toMatchObject({ code: 0, out: 'hello\n' });
    expect(start('flow', 'import', 'export.json', '--out', 'echo.json').err).toContain(
      '2 components and 1 connections',
    );
    expect(await run('run', 'echo.json', '--input', 'hello')).toMatchObject({ code: 0, out: 'hello\n' });
    expect(await run('flow', 'import', 'export.json', '--out', 'echo.json')).toMatchObject({ code: 2, out: '' });
    const odd = await run('flow', 'import', 'odd.json');
    expect(odd.err).toContain("Odd-c has the type 'OddThing', which this Croft does not have.");
    expect(JSON.parse(odd.out)).toMatchObject({ name: 'Odd', version: 1 });
  });

  it('draws components with their connections, and the tools that an agent offers without a connection', async () => {
    expect((await run('flow', 'draw', 'count.flow')).out).toContain('message -> TextStatistics.text_input');
    writeFileSync(
      join(dir, 'agent.flow'),
      'nodes:\n  I: ChatInput\n  A: Agent\nedges:\n  I.message -> A.input_value\nconfig:\n  A.add_current_date_tool: false',
    );
    expect((await run('flow', 'draw', 'agent.flow')).out).toMatch(/\[Agent\] offers its model: calculator$/m);
  });
});

describe('croft components', () => {
  it('lists all components with their count, and the fields of one', async () => {
    expect(start('components').out).toMatch(/\n\d+ components\n$/);
    expect((await run('components', 'File')).out).toContain('path');
    expect(await run('components', 'Nope')).toMatchObject({
      code: 2,
      err: expect.stringContaining('croft components lists them') as string,
    });
  });

  it('prints the source of a component, or why it cannot be edited', async () => {
    expect(start('components', 'show', 'IfElse', '--source').out).toMatch(
      /^import .*\n\n.*\nexport class ConditionalRouter/,
    );
    expect(await run('components', 'show', 'File', '--source')).toMatchObject({
      code: 2,
      err: expect.stringContaining('File cannot be edited: It uses files') as string,
    });
  });
});

describe('croft components with components of a user', () => {
  const source = `export class Shout extends Component {
  description = 'Makes a text loud.';
  inputs = [{ name: 'words', kind: 'text', required: true }];
  outputs = [{ name: 'loud', types: ['Message'], method: 'shout' }];
  words!: string;

  shout(): string {
    return this.words.toUpperCase();
  }
}
`;

  it('lists them, and shows the fields and the source of one', async () => {
    const own = join(dir, 'own');
    mkdirSync(join(own, '.components'), { recursive: true });
    writeFileSync(join(own, '.components/Shout.ts'), source);
    expect((await run('components', '--dir', own)).out).toMatch(/Shout +Makes a text loud\./);
    expect((await run('components', 'show', 'Shout', '--dir', own)).out).toContain('words · text · Message · required');
    expect((await run('components', 'show', 'Shout', '--dir', own, '--source')).out).toBe(source);
    expect((await run('components', 'show', 'Shout')).code).toBe(2);
    writeFileSync(join(dir, 'loud.flow'), 'nodes:\n  S: Shout\nconfig:\n  S.words: hello\n');
    expect((await run('flow', 'check', 'loud.flow')).code).toBe(2);
    expect(await run('flow', 'check', 'loud.flow', '--dir', own)).toMatchObject({ code: 0 });
    expect((await run('flow', 'draw', 'loud.flow', '--dir', own)).out).toContain('Shout');
    expect((await run('flow', 'spec', 'loud.flow', '--dir', own)).out).toContain('S: Shout');
  });

  it('a flow whose text leaves code out says so', async () => {
    const node = { id: 'S', type: 'Shout', position: { x: 0, y: 0 }, values: {}, code: source };
    const viewport = { x: 0, y: 0, zoom: 1 };
    const document = {
      version: 1,
      name: 'Loud',
      description: '',
      nodes: [node],
      edges: [],
      notes: [],
      groups: [],
      viewport,
    };
    writeFileSync(join(dir, 'loud.json'), JSON.stringify(document));
    const { out, err } = await run('flow', 'spec', 'loud.json');
    expect(out).toContain('S: Shout');
    expect(err).toContain('left out  the code of S');
  });
});

describe('the changes of a flow', () => {
  const spec = (file: string, extra = '') =>
    `name: Write\nnodes:\n  I: ChatInput\n  W: SaveToFile\nedges:\n  I.message -> W.input\nconfig:\n  W.file_name: ${file}\n  W.local_format: txt\n${extra}`;

  it('are in the log, and croft undo takes them back', async () => {
    const place = join(dir, 'undone');
    mkdirSync(place);
    writeFileSync(join(place, 'a.txt'), 'before');
    writeFileSync(join(dir, 'write.flow'), spec('a.txt'));
    expect((await run('run', 'write.flow', '--dir', place, '--input', 'after')).code).toBe(0);
    expect(readFileSync(join(place, 'a.txt'), 'utf8')).toContain('after');
    expect((await run('log', '--dir', place)).out).toMatch(
      / 1 {2}.*flow +ok {2}.*a\.txt.* by flow "Write", started by person/,
    );
    expect((await run('undo', '--yes', '--dir', place)).code).toBe(0);
    expect(readFileSync(join(place, 'a.txt'), 'utf8')).toBe('before');
  });

  it('through a Sub-path are in the log by their paths in the directory, and croft undo takes them back', async () => {
    const place = join(dir, 'parts');
    mkdirSync(place);
    writeFileSync(
      join(dir, 'part.flow'),
      'name: Part\nnodes:\n  I: ChatInput\n  F: FileSystemTool\n  A: Agent\n  O: ChatOutput\nedges:\n  I.message -> A.input_value\n  F.component_as_tool -> A.tools\n  A.response -> O.input_value\nconfig:\n  A.model: croft/offline\n  F.root_path: docs\n',
    );
    const ran = await run('run', 'part.flow', '--dir', place, '--input', 'Write the text "hello" to the file new.md');
    expect(ran).toMatchObject({ code: 0 });
    expect(readFileSync(join(place, 'docs/new.md'), 'utf8')).toContain('hello');
    expect((await run('log', '--dir', place)).out).toMatch(/ 1 {2}.*flow +ok {2}.*docs\/new\.md.* by flow "Part"/);
    expect((await run('undo', '2', '--yes', '--dir', place)).code).toBe(0);
    expect(existsSync(join(place, 'docs'))).toBe(false);
  });

  it('are made without a log where none can be written, and a line says so', async () => {
    const place = join(dir, 'unlogged');
    mkdirSync(place);
    writeFileSync(join(dir, 'not-a-directory'), '');
    const done = await runCroftHere(['run', 'write.flow', '--dir', place, '--input', 'after'], {
      cwd: dir,
      env: { ...environment(), CROFT_BASE_DIR: join(dir, 'not-a-directory') },
    });
    expect(done.stderr).toContain('activity log and undo are off');
    expect([done.code, readFileSync(join(place, 'a.txt'), 'utf8')]).toEqual([0, 'after']);
  });
});

it('keeps flows out of the bundle of every other command', () => {
  const main = readFileSync(join(croft, '../croft-main.cjs'), 'utf8');
  expect(main).not.toContain('LoopComponent');
});

describe('croft run with the server package', () => {
  it('calls a tool of an MCP server whose command is allowed, and of no other', async () => {
    const line = `${process.execPath} ${croft} mcp ${join(dir, 'mcp')} --no-second-wall`;
    mkdirSync(join(dir, 'mcp'));
    mkdirSync(join(dir, 'work'));
    writeFileSync(join(dir, 'mcp/wall.md'), 'granite');
    writeFileSync(
      join(dir, 'mcp.flow'),
      `nodes:\n  M: MCPTools\n  O: ChatOutput\nedges:\n  M.message -> O.input_value\nconfig:\n  M.transport: Command\n  M.command: ${JSON.stringify(line)}\n  M.tool: read_file\n  M.tool_arguments: {"path": "wall.md"}`,
    );
    const refused = await run('run', 'mcp.flow', '--dir', 'work');
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toContain("--allow-command 'COMMAND'");
    expect(refused.err.match(/is not allowed/g)).toHaveLength(1);
    const ran = start('run', 'mcp.flow', '--dir', 'work', '--allow-command', line);
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('granite') as string });
  });

  it('writes a Word document and reads it back', () => {
    writeFileSync(
      join(dir, 'word.flow'),
      'nodes:\n  I: ChatInput\n  W: WriteDocument\n  D: DocumentText\n  O: ChatOutput\nedges:\n  I.message -> W.text\n  W.file -> D.file\n  D.text -> O.input_value\nconfig:\n  W.file_name: report',
    );
    expect(start('run', 'word.flow', '--input', '# Sales\n\n- North')).toMatchObject({
      code: 0,
      out: '# Sales\n\n- North\n',
    });
  });
});

it('says what croft run does, and what each flag means', () => {
  expect(commandHelp(addRunCommand, 'run')).toEqual({
    usage: 'run [options] <flow>',
    summary: 'run a flow from a file',
    description:
      'Runs a flow and prints its result. The flow is a JSON document, or text as `croft flow spec` prints it. The flow reads and writes files only in --dir. Ends with code 0 when the flow completed, 1 when it failed or timed out, 2 when the flow or a flag is wrong, 130 when it was cancelled with Ctrl-C.',
    arguments: [''],
    options: [
      '--input <value>: the message for the chat input; NODE.FIELD=VALUE sets any field, and may be repeated = []',
      '--dir <dir>: the directory that the flow works in (default: the current one)',
      '--until <node>: run the nodes before this node and the node itself, and nothing after it',
      '--model <provider/name>: the model of all components (default: the one that a component names, else the first with a key in the environment, else croft/offline)',
      '--allow-host <host>: a private host that the flow may send requests to, as HOST:PORT or 10.0.0.0/8; may be repeated = []',
      '--credential <name=host>: a variable of the environment that HTTP requests may send to this host; may be repeated = []',
      '--allow-command <command>: a command that the flow may start as an MCP server, with the same arguments; may be repeated = []',
      '--no-second-wall: do not restrict the process with Landlock',
      '--require-sandbox: refuse to run without a race-free path resolver and Landlock with a passed self-test',
      '--timeout <seconds>: stop after this time = 120',
      '--json: print every event as one JSON object per line',
    ],
  });
});

it.each(['0', '-1', '1.5', 'x', '2147484', ''])('refuses to stop after %j seconds', async (seconds) => {
  expect(await refusalOf(addRunCommand, ['run', 'a.flow', `--timeout=${seconds}`])).toBe(
    `error: option '--timeout <seconds>' argument '${seconds}' is invalid. Give a whole number from 1 to 2147483.`,
  );
});

it('takes a time of up to 2,147,483 seconds', () => {
  const program = new Command('croft');
  addRunCommand(program);
  const option = program.commands[0]?.options.find(({ long }) => long === '--timeout');
  expect(['1', '2147483'].map((text) => option?.parseArg?.(text, undefined))).toEqual([1, 2_147_483]);
});
