import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toolNames } from '@croft/mcp/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { parse } from 'yaml';
import { palette } from '../render/colours.ts';
import { UsageError } from '../usage-error.ts';
import { CLIENT_IDS, type ClientId, clientPlace, type Machine } from './clients.ts';
import { runSetup, type SetupRequest, type SetupSurroundings } from './run-setup.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const built = fileURLToPath(new URL('../../dist/croft.cjs', import.meta.url));

/** An MCP server with as many tools as directories. */
const FIXTURE = `
  const dirs = process.argv.slice(2).filter((word) => word.startsWith('/'));
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = method === 'initialize' ? { serverInfo: { name: 'croft' } } : { tools: dirs.map(() => ({})) };
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  });`;

/** A configuration without servers. */
const BLANK = { json: '{}', toml: 'model = "o4"\n', yaml: '# mine\nGOOSE_MODEL: x\n' } as const;

let home: string;
let machine: Machine;
let script: string;
let kept: string;
let output: string;
let asked: string[];
let answer: boolean;

beforeEach(() => {
  home = testDir();
  machine = { platform: 'linux', home, env: { PATH: process.env.PATH }, cwd: join(home, 'project') };
  mkdirSync(machine.cwd);
  script = join(home, 'croft.cjs');
  kept = join(home, '.croft/programs/9.9.9/croft.cjs');
  const others = ['main', 'guard', 'flow', 'proxy', 're2'].map((name) => `croft-${name}.cjs`);
  for (const name of [
    ...others,
    'search-worker.cjs',
    'sandbox-worker.cjs',
    'quickjs.wasm.br',
    'component-sources.json.br',
  ])
    writeFileSync(join(home, name), '');
  writeFileSync(script, FIXTURE);
  output = '';
  asked = [];
  answer = true;
});

const asks: SetupRequest = {
  dirs: [],
  wideDirs: [],
  servingFlags: [],
  forUser: false,
  clients: [],
  project: false,
  remove: false,
  yes: true,
  dryRun: false,
  json: false,
  name: 'croft',
};

function setup(request: Partial<SetupRequest> = {}, more: Partial<SetupSurroundings> = {}): Promise<boolean> {
  output = '';
  return runSetup(
    { ...asks, ...request },
    {
      machine,
      program: { node: process.execPath, script, version: '9.9.9', platform: machine.platform },
      isTerminal: true,
      paint: palette({}),
      now: new Date('2026-01-31T09:00:00Z'),
      write: (text) => {
        output += text;
      },
      ask: (question) => {
        asked.push(question);
        return Promise.resolve(answer);
      },
      ...more,
    },
  );
}

const fileOf = (id: ClientId, project = false) => clientPlace(id, machine, project)?.file as string;
const read = (id: ClientId, project = false) => readFileSync(fileOf(id, project), 'utf8');
const servers = (id: ClientId): Record<string, unknown> => Object.values(JSON.parse(read(id)) as object)[0];

function put(id: ClientId, text: string): string {
  const file = fileOf(id);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Every file below a directory with its bytes, for comparison. */
function snapshot(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')]),
  );
}

describe('croft setup', () => {
  for (const platform of ['linux', 'darwin'] as const) {
    it(`adds Croft to every installed client, on ${platform}`, async () => {
      machine = { ...machine, platform };
      for (const id of CLIENT_IDS) put(id, BLANK[clientPlace(id, machine)?.format ?? 'json']);
      expect(await setup({ servingFlags: ['--read-only'] })).toBe(true);
      const args = [kept, 'mcp', '--read-only', machine.cwd];
      const entry = { type: 'stdio', command: process.execPath, args };
      expect(JSON.parse(read('claude-code'))).toEqual({ mcpServers: { croft: entry } });
      expect(JSON.parse(read('claude-desktop'))).toEqual({
        mcpServers: { croft: { command: process.execPath, args } },
      });
      expect(JSON.parse(read('cursor'))).toEqual({ mcpServers: { croft: entry } });
      expect(JSON.parse(read('vscode'))).toEqual({ servers: { croft: entry } });
      const plain = { command: process.execPath, args };
      for (const id of ['gemini-cli', 'windsurf', 'cline', 'continue', 'lm-studio', 'jetbrains'] as const)
        expect([id, JSON.parse(read(id))]).toEqual([id, { mcpServers: { croft: plain } }]);
      expect(JSON.parse(read('zed'))).toEqual({ context_servers: { croft: { source: 'custom', ...plain, env: {} } } });
      expect(JSON.parse(read('opencode'))).toEqual({
        mcp: { croft: { type: 'local', command: [process.execPath, ...args], enabled: true } },
      });
      expect(read('codex')).toBe(
        `model = "o4"\n\n[mcp_servers.croft]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${args.map((one) => JSON.stringify(one)).join(', ')}]\n`,
      );
      expect(parse(read('goose'))).toEqual({
        GOOSE_MODEL: 'x',
        extensions: {
          croft: { name: 'croft', type: 'stdio', enabled: true, cmd: process.execPath, args, envs: {}, timeout: 300 },
        },
      });
      expect(output).toContain('connected: 1 tool\n');
    });
  }

  it('shows the change before it writes it, asks, and writes nothing on a no', async () => {
    put('cursor', '{\n  "mcpServers": {}\n}\n');
    const before = snapshot(home);
    answer = false;
    await setup({ yes: false });
    expect(asked).toEqual([`Write this to ${fileOf('cursor')}? [y/N] `]);
    expect(output).toContain('-  "mcpServers": {}\n+  "mcpServers": {\n+    "croft": {');
    expect(output).toContain('Not changed.');
    expect(output).not.toContain('connected');
    expect(snapshot(home)).toEqual(before);
  });

  it('writes nothing with --dry-run', async () => {
    put('cursor', '{}');
    const before = snapshot(home);
    expect(await setup({ dryRun: true, yes: false }, { isTerminal: false })).toBe(true);
    expect(output).toContain('+  "mcpServers"');
    expect(output).toMatch(/^Preview of the configuration files that croft setup would change\./);
    expect(output).toMatch(/Nothing was written\. Run the same command without --dry-run to make these changes/);
    expect(snapshot(home)).toEqual(before);
  });

  it.each(['codex', 'goose'] as const)(
    'leaves a second run nothing to do, and removes all it added: %s',
    async (id) => {
      const blank = BLANK[id === 'codex' ? 'toml' : 'yaml'];
      put(id, blank);
      await setup();
      const added = read(id);
      expect(await setup()).toBe(true);
      expect([read(id), output]).toEqual([added, expect.stringContaining('nothing to change')]);
      await setup({ remove: true });
      expect(read(id)).toBe(blank);
    },
  );

  it('changes only the named client', async () => {
    put('cursor', '{}');
    put('claude-code', '{}');
    await setup({ clients: ['cursor'] });
    expect(read('claude-code')).toBe('{}');
    expect(servers('cursor')).toHaveProperty('croft');
  });

  it('creates the configuration of a named client that was never started, readable by its owner only', async () => {
    await setup({ clients: ['vscode'] });
    expect(servers('vscode')).toHaveProperty('croft');
    expect(statSync(fileOf('vscode')).mode & 0o777).toBe(0o600);
  });

  it('writes the file of the project with --project', async () => {
    put('claude-code', '{}');
    await setup({ project: true });
    expect(JSON.parse(read('claude-code', true))).toHaveProperty(['mcpServers', 'croft']);
    expect(read('claude-code')).toBe('{}');
    await expect(setup({ project: true, clients: ['claude-desktop'] })).rejects.toThrow('leave --project out');
  });

  it('writes the base directory of the environment into the entry', async () => {
    machine = { ...machine, env: { ...machine.env, CROFT_BASE_DIR: join(home, 'base') } };
    put('cursor', '{}');
    await setup();
    expect(servers('cursor').croft).toMatchObject({ env: { CROFT_BASE_DIR: join(home, 'base') } });
  });

  it('prints one JSON document with --json', async () => {
    put('cursor', '{}');
    await setup({ json: true });
    const result = JSON.parse(output) as { clients: object[]; connection: object };
    expect(result.clients).toMatchObject([
      { client: 'cursor', state: 'written', diff: expect.stringContaining('+  "mcpServers"') as string },
    ]);
    expect(result.connection).toEqual({ ok: true, tools: 1, server: 'croft' });
  });

  it('shows an entry to paste and the searched files if there is no client', async () => {
    expect(await setup({ dryRun: true })).toBe(true);
    expect(output).toContain('Nothing was written.\nThe same command without --dry-run also copies the program');
    expect(output).not.toContain('Run croft setup first');
    expect(existsSync(kept)).toBe(false);
    expect(await setup()).toBe(false);
    expect(output).not.toContain('Nothing was written');
    for (const id of CLIENT_IDS) expect(output).toContain(fileOf(id));
    expect(JSON.parse(output.slice(output.indexOf('\n{')))).toHaveProperty(['mcpServers', 'croft', 'args']);
    expect(output).toContain(kept);
    // Unknown files may name the path from now on, so the copy is made and stays.
    expect(existsSync(kept)).toBe(true);
    expect(await setup({ remove: true })).toBe(true);
    put('cursor', '{}');
    await setup({ clients: ['cursor'] });
    await setup({ clients: ['cursor'], remove: true });
    expect(existsSync(kept)).toBe(true);
  });
});

describe('the content of a configuration', () => {
  const jsonc =
    '\uFEFF// keys\r\n{\r\n\t"inputs": [ ], // none\r\n\t"servers": {\r\n\t\t"git": { "command": "uvx" }, // mine\r\n\t},\r\n}\r\n';

  it('keeps comments, byte order mark, CRLF and indentation of VS Code, and restores every byte', async () => {
    const file = put('vscode', jsonc);
    await setup();
    const now = readFileSync(file, 'utf8');
    const lines = now.split('\r\n');
    expect(now.replaceAll('\r\n', '')).not.toContain('\n');
    expect(lines.slice(0, 5)).toEqual(jsonc.split('\r\n').slice(0, 5));
    expect(lines.slice(-3)).toEqual(jsonc.split('\r\n').slice(-3));
    expect(lines[5]).toBe('\t\t"croft": {');
    await setup({ remove: true });
    expect(readFileSync(file, 'utf8')).toBe(jsonc);
  });

  it('keeps a backup with the same bytes and mode, and the mode of the file', async () => {
    const file = put('claude-code', '{"secret": "s3"}');
    chmodSync(file, 0o640);
    await setup();
    const backup = `${file}.croft-backup-20260131T090000Z`;
    expect(readFileSync(backup, 'utf8')).toBe('{"secret": "s3"}');
    expect([file, backup].map((path) => statSync(path).mode & 0o777)).toEqual([0o640, 0o640]);
    await setup({ remove: true });
    expect(readFileSync(`${backup}-2`, 'utf8')).toContain('croft.cjs');
    expect(read('claude-code')).toBe('{"secret": "s3"}');
    expect(readdirSync(home).filter((name) => name.startsWith('.claude.json'))).toHaveLength(3);
  });

  it('writes the target of a linked configuration and keeps the link', async () => {
    const real = join(home, 'dotfiles.json');
    writeFileSync(real, '{}');
    mkdirSync(dirname(fileOf('cursor')));
    symlinkSync(real, fileOf('cursor'));
    await setup();
    expect(output).toContain(`(a link to ${real})`);
    expect(realpathSync(fileOf('cursor'))).toBe(real);
    expect(readFileSync(real, 'utf8')).toContain('croft.cjs');
    expect(existsSync(`${real}.croft-backup-20260131T090000Z`)).toBe(true);
  });

  for (const [what, text] of [
    ['an empty object', '{}'],
    ['other servers', '{ "mcpServers": { "a": {} }, "x": [1, 2] }'],
    ['an empty container', '{"mcpServers": {}}'],
  ] as const) {
    it(`is restored by --remove: ${what}`, async () => {
      const file = put('cursor', text);
      await setup();
      expect(readFileSync(file, 'utf8')).not.toBe(text);
      await setup({ remove: true });
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(text));
    });
  }

  it('does not change the second time, for adding and for removing', async () => {
    put('cursor', '{"mcpServers": {"a": {}}}');
    for (const remove of [false, true]) {
      await setup({ remove });
      const after = snapshot(home);
      expect(await setup({ remove, yes: false }, { isTerminal: false })).toBe(true);
      expect(output).toContain('nothing to change');
      expect(snapshot(home)).toEqual(after);
    }
  });

  it('is updated in place for a new directory', async () => {
    put('cursor', '{}');
    await setup();
    await setup({ dirs: [join(home, '.cursor')] });
    expect(servers('cursor').croft).toMatchObject({ args: [kept, 'mcp', join(home, '.cursor')] });
  });

  it('serves the home directory only where --dir names it', async () => {
    put('cursor', '{}');
    await expect(setup({ dirs: [home] })).rejects.toThrow(/This is your home directory\. .* pass --dir /);
    machine = { ...machine, cwd: home };
    await expect(setup()).rejects.toThrow('This is your home directory');
    await setup({ wideDirs: ['.'] });
    expect(servers('cursor').croft).toMatchObject({ args: [kept, 'mcp', '--dir', home] });
  });
});

describe('a refused change', () => {
  const untouched = async (problem: string) => {
    const before = snapshot(home);
    expect(await setup()).toBe(false);
    expect(output).toContain(problem);
    expect(snapshot(home)).toEqual(before);
  };

  it('skips a file that does not parse, and continues with the others', async () => {
    const file = put('claude-code', '{"mcpServers": {,}');
    put('cursor', '{}');
    expect(await setup()).toBe(false);
    expect(output).toContain(`left alone, ${file} does not parse: `);
    expect(read('claude-code')).toBe('{"mcpServers": {,}');
    expect(readdirSync(home)).not.toContain('.claude.json.croft-backup-20260131T090000Z');
    expect(servers('cursor')).toHaveProperty('croft');
  });

  it('skips text that is not UTF-8', async () => {
    writeFileSync(fileOf('claude-code'), Buffer.from('{"a": "\u00e9"}', 'latin1'));
    await untouched('is not UTF-8 text');
  });

  it('skips a dangling link', async () => {
    symlinkSync(join(home, 'gone'), fileOf('claude-code'));
    mkdirSync(join(home, '.claude'));
    await untouched('is a link to a file that does not exist');
  });

  it('skips a server with the same name', async () => {
    put('cursor', '{"mcpServers": {"croft": {"url": "http://127.0.0.1:7860/mcp"}}}');
    await untouched('choose another name with --name');
    expect(await setup({ name: 'croft-docs' })).toBe(true);
  });

  it('does not overwrite a file that changed while the user was asked', async () => {
    const file = put('cursor', '{}');
    expect(await setup({ yes: false }, { ask: async () => (writeFileSync(file, '{"a": 1}'), true) })).toBe(false);
    expect(output).toContain('was changed meanwhile');
    expect(readFileSync(file, 'utf8')).toBe('{"a": 1}');
  });

  it('reports that the written command does not answer, and how to remove it', async () => {
    put('cursor', '{}');
    writeFileSync(script, 'process.exit(3)');
    expect(await setup()).toBe(false);
    expect(output).toContain('not connected: the written command ended before it answered (exit code 3)');
    expect(output).toContain('croft setup --remove');
  });

  it('asks for --yes without a terminal, before it prints anything', async () => {
    put('cursor', '{}');
    const before = snapshot(home);
    await expect(setup({ yes: false }, { isTerminal: false })).rejects.toThrow(UsageError);
    await expect(setup({ yes: false, json: true })).rejects.toThrow('Add --yes');
    expect(output).toBe('');
    expect(snapshot(home)).toEqual(before);
  });

  const usage: [string, Partial<SetupRequest>, string][] = [
    ['a directory that is not there', { dirs: ['nowhere'] }, 'Not a directory: nowhere'],
    ['a name that is none', { name: '__proto__' }, 'Not a name for a server'],
    ['a directory beside --user', { forUser: true, dirs: ['.'] }, 'takes no directory'],
    ['an argument clients would replace', { servingFlags: ['--ignore', '${HOME}'] }, 'replace ${…} by a variable'],
  ];
  for (const [what, request, problem] of usage) {
    it(`refuses ${what}`, () => expect(setup(request)).rejects.toThrow(problem));
  }

  it('escapes control characters of a configuration', async () => {
    put('cursor', '{\n  // \u001b]0;x\u0007\u202e\n  "b": 1\n}');
    await setup({ dryRun: true });
    expect(output).toContain('\\u001b]0;x\\u0007\\u202e');
    expect(output).not.toContain('\u001b');
  });
});

describe.skipIf(!existsSync(built))('the installed program', () => {
  const croft = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const env = { PATH: process.env.PATH, HOME: home };
      const child = execFile(
        process.execPath,
        [built, 'setup', ...args],
        { cwd: machine.cwd, env },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
      child.stdin?.end();
    });

  it('writes a command that a client can start, and calls it', async () => {
    put('cursor', '{}');
    const all = await croft('--yes');
    expect(all).toMatchObject({ code: 0, stderr: '' });
    expect(all.stdout).toContain(`connected: ${toolNames('full').length} tools`);
    const flags = ['--read-only', '--toolset', 'files', '--ignore', 'dist', '--ignore', 'tmp', '--no-deny-list'];
    const fewer = await croft('--yes', ...flags);
    expect(fewer.stdout).toContain('connected: 3 tools');
    const args = [join(home, '.croft/programs', version, 'croft.cjs'), 'mcp', ...flags, machine.cwd];
    expect(servers('cursor').croft).toEqual({ type: 'stdio', command: process.execPath, args });
  });

  it('ends with exit code 2, one sentence and no standard output if it cannot ask', async () => {
    put('cursor', '{}');
    const { code, stdout, stderr } = await croft();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^croft: Add --yes .*\n$/);
    expect((await croft('--client', 'emacs')).code).toBe(2);
    expect(read('cursor')).toBe('{}');
  });
});
