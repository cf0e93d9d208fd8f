import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  callOn,
  initialize,
  makeStranger,
  openWire,
  PROGRAM,
  runCroft,
  type Surroundings,
  toolNames,
  toolsOn,
  useSurroundings,
} from '@croft/mcp/testing';
import { landlockAbi } from '@croft/workspace';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandHelp } from '../../../../tests/support/command-help.ts';
import { runCroftHere } from '../../../../tests/support/run-croft-here.ts';
import { UsageError } from '../usage-error.ts';
import { addMcpCommand } from './mcp.ts';

const FULL = toolNames('full');

let surroundings: Surroundings;

const wires = useSurroundings((made) => {
  surroundings = made;
});

async function serve(
  args: readonly string[],
  options: { env?: Record<string, string>; program?: string; cwd?: string; uid?: number } = {},
) {
  const { env, ...rest } = options;
  const wire = openWire(['mcp', ...args], { env: { ...surroundings.env, ...env }, ...rest });
  wires.push(wire);
  const opened = await initialize(wire);
  return {
    wire,
    instructions: String(opened.result?.instructions),
    call: (name: string, input: object) => callOn(wire, name, input),
  };
}

/** Where a command runs in this process. */
const here = () => ({ env: surroundings.env, cwd: surroundings.workspace });

function makeDir(...parts: string[]): string {
  const dir = join(surroundings.root, ...parts);
  mkdirSync(dir, { recursive: true });
  return dir;
}

describe('the whole disk, the home directory and the directories above it', () => {
  it.each([[[]], [['--http', '--port', '0', '--no-open']]])('are refused without --dir, with %j', async (flags) => {
    const refusals = {
      '/': 'whole disk',
      [surroundings.home]: 'is your home',
      [surroundings.root]: 'home directory is in',
    };
    for (const [dir, words] of Object.entries(refusals)) {
      const { code, stderr } = await runCroftHere(['mcp', dir, ...flags], here());
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
      expect(stderr).toContain(`Name the directory to serve, or pass --dir ${dir}\n`);
    }
    const inHome = await runCroftHere(['mcp', '.', ...flags], { ...here(), cwd: surroundings.home });
    expect(inHome.stderr).toContain('is your home directory');
  });

  it('are served where --dir names them, and the disk with a warning', async () => {
    const wire = openWire(['mcp', '--dir', '/'], { env: surroundings.env });
    await initialize(wire);
    wire.child.stdin?.end();
    await wire.ended;
    expect(wire.stderr().match(/^croft: warning: \/ is the whole disk: .*\n/gm)).toHaveLength(1);
    writeFileSync(join(surroundings.home, 'a.txt'), 'mine');
    const { call } = await serve([surroundings.workspace, '--dir', surroundings.home]);
    expect((await call('read_file', { path: 'home/a.txt' })).text).toContain('mine');
  });
});

describe('croft mcp', () => {
  const sets: readonly { args: string[]; tools: string[] }[] = [
    { args: [], tools: FULL },
    { args: ['--toolset', 'files'], tools: ['edit_file', 'glob_search', 'grep_search', 'read_file', 'write_file'] },
    { args: ['--toolset', 'basic'], tools: ['list_dir', 'read_file', 'write_file'] },
    { args: ['--toolset', 'explore'], tools: ['get-file-tree', 'list-files', 'read-file', 'search-files'] },
    { args: ['--read-only'], tools: toolNames('full', { readOnly: true }) },
    { args: ['--read-only', '--toolset', 'files'], tools: ['glob_search', 'grep_search', 'read_file'] },
    { args: ['--read-only', '--toolset', 'basic'], tools: ['list_dir', 'read_file'] },
  ];
  it.each(sets)('offers exactly the tools of the set: $args', async ({ args, tools }) => {
    const { wire, instructions, call } = await serve([surroundings.workspace, ...args]);
    expect((await toolsOn(wire)).sort()).toEqual(tools);
    expect(instructions.includes('read-only')).toBe(args.includes('--read-only'));
    for (const absent of FULL.filter((name) => !tools.includes(name))) {
      expect((await call(absent, { path: 'x', content: 'x' })).text).toContain('Unknown tool');
    }
    expect(readdirSync(surroundings.workspace)).toEqual([]);
  });

  it('leaves the names of --ignore out of lists, trees and searches', async () => {
    for (const name of ['keep.txt', 'drop.txt', 'deep/drop.txt', 'gone/x.txt']) {
      mkdirSync(join(surroundings.workspace, name, '..'), { recursive: true });
      writeFileSync(join(surroundings.workspace, name), 'needle');
    }
    const { call } = await serve([surroundings.workspace, '--ignore', 'drop.txt', '--ignore', 'gone']);
    for (const [name, input] of [
      ['list_dir', { path: '.' }],
      ['get_file_tree', { path: '.' }],
      ['glob_search', { pattern: '**/*' }],
      ['grep_search', { pattern: 'needle' }],
    ] as const) {
      const { text } = await call(name, input);
      expect(text, name).toContain('keep.txt');
      expect(text, name).not.toMatch(/drop\.txt|gone/);
    }
  });

  it('enforces its quota in bytes and in files', async () => {
    const { call } = await serve([surroundings.workspace, '--quota-bytes', '1K', '--quota-files', '2']);
    expect((await call('write_file', { path: 'a', content: 'x'.repeat(1_000) })).isError).toBe(false);
    const tooMuch = await call('write_file', { path: 'b', content: 'x'.repeat(100) });
    expect(tooMuch).toMatchObject({ isError: true, text: expect.stringMatching(/quota/i) as string });
    expect((await call('write_file', { path: 'b', content: '' })).isError).toBe(false);
    expect(await call('write_file', { path: 'c', content: '' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/quota/i) as string,
    });
    expect(readdirSync(surroundings.workspace).sort()).toEqual(['a', 'b']);
  });

  it('hides credential files unless --no-deny-list is given', async () => {
    writeFileSync(join(surroundings.workspace, '.env'), 'KEY=1');
    const { call } = await serve([surroundings.workspace]);
    expect((await call('read_file', { path: '.env' })).isError).toBe(true);
    const open = await serve([surroundings.workspace, '--no-deny-list']);
    expect((await open.call('read_file', { path: '.env' })).text).toContain('KEY=1');
  });

  it('hides the names of --deny, and no call can change that', async () => {
    mkdirSync(join(surroundings.workspace, 'private'));
    for (const name of ['.env.local', 'private/a.txt', 'open.txt'])
      writeFileSync(join(surroundings.workspace, name), 'needle');
    const { call } = await serve([surroundings.workspace, '--deny', '.env.*', '--deny', 'PRIVATE']);
    expect((await call('read_file', { path: '.env.local' })).text).toContain(
      "Access to '.env.local' is denied: a rule of this server denies this name",
    );
    expect((await call('write_file', { path: 'private/new.txt', content: 'x' })).isError).toBe(true);
    expect((await call('grep_search', { pattern: 'needle', deny: [] })).isError).toBe(true);
    expect((await call('grep_search', { pattern: 'needle' })).data).toMatchObject({ matches: ['open.txt'] });
    expect((await call('glob_search', { pattern: '**/*' })).data).toMatchObject({ matches: ['open.txt'] });
    expect((await call('list_dir', { path: '.' })).data).toMatchObject({ total: 1 });
  });

  it('finds its search worker when it is started through a link in a bin directory', async () => {
    writeFileSync(join(surroundings.workspace, 'a.txt'), 'needle');
    const program = join(makeDir('bin'), 'croft');
    symlinkSync(PROGRAM, program);
    const { call } = await serve([surroundings.workspace], { program });
    expect(await call('grep_search', { pattern: 'needle' })).toMatchObject({
      isError: false,
      data: { matches: ['a.txt'] },
    });
  });
});

describe('several directories', () => {
  it('are addressed by their names, with a number if names are equal', async () => {
    const dirs = [makeDir('x/app'), makeDir('y/app'), makeDir('y/docs'), makeDir('z/app')];
    for (const [i, dir] of dirs.entries()) writeFileSync(join(dir, 'which.txt'), `number ${i}`);
    const { call, instructions } = await serve(dirs);
    expect(instructions).toContain('app, app-2, docs, app-3');
    for (const [i, name] of ['app', 'app-2', 'docs', 'app-3'].entries()) {
      expect((await call('read_file', { path: `${name}/which.txt` })).text).toContain(`number ${i}`);
    }
    expect((await call('list_dir', { path: '.' })).data).toMatchObject({
      entries: [{ name: 'app' }, { name: 'app-2' }, { name: 'app-3' }, { name: 'docs' }],
    });
    expect((await call('grep_search', { pattern: 'number 1' })).data).toMatchObject({ matches: ['app-2/which.txt'] });
    for (const path of ['which.txt', '../x/app/which.txt', 'app/../app-2/../../home', 'other/which.txt']) {
      const refused = await call('read_file', { path });
      expect(refused.isError, path).toBe(true);
      expect(refused.text).not.toContain(surroundings.root);
    }
    expect((await call('move_path', { source: 'app/which.txt', destination: 'docs/moved.txt' })).isError).toBe(true);
  });

  it('have separate logs, also for calls with host paths, and separate undo', async () => {
    const [one, two] = [makeDir('one'), makeDir('two')];
    for (const dir of [one, two]) writeFileSync(join(dir, 'same.txt'), 'before');
    const { call, wire } = await serve([one, two]);
    expect((await call('write_file', { path: 'two/same.txt', content: 'by name' })).isError).toBe(false);
    expect((await call('write_file', { path: join(two, 'same.txt'), content: 'by host path' })).isError).toBe(false);
    await call('write_file', { path: 17 });
    expect(wire.stderr()).toBe('');
    const log = (dir: string) => runCroftHere(['log', '--dir', dir, '--json', '--changes'], here());
    expect((await log(one)).stdout).toBe('');
    expect((await log(two)).stdout.trim().split('\n')).toHaveLength(2);
    const undone = await runCroftHere(['undo', '2', '--dir', two, '--yes'], here());
    expect(undone.code, undone.stdout + undone.stderr).toBe(0);
    expect([one, two].map((dir) => readFileSync(join(dir, 'same.txt'), 'utf8'))).toEqual(['before', 'before']);
  });
});

describe('--user', () => {
  it('serves only that user, isolated below the base directory, inside the second sandbox', async () => {
    const bob = await serve(['--user', 'bob']);
    expect(await bob.call('write_file', { path: 'mine.txt', content: 'of bob' })).toMatchObject({ isError: false });
    expect((await bob.call('grep_search', { pattern: 'bob' })).data).toMatchObject({ matches: ['mine.txt'] });
    const alice = await serve(['--user', 'alice']);
    expect((await alice.call('list_dir', { path: '.' })).data).toMatchObject({ total: 0 });
    const users = readdirSync(join(surroundings.base, 'workspaces/users'));
    expect(users).toHaveLength(2);
    for (const user of users) {
      expect(user).toMatch(/^[0-9a-f]{32}$/);
      expect(bob.instructions).not.toContain(user);
      for (const path of [`../${user}/mine.txt`, join(surroundings.base, 'workspaces/users', user, 'mine.txt')]) {
        const { isError } = await alice.call('read_file', { path });
        expect(isError, path).toBe(true);
      }
    }
    expect(readdirSync(join(surroundings.base, 'workspaces')).sort()).toEqual(['.fs_pepper', 'users']);
    // The disk must not reveal the user's name.
    expect(JSON.stringify(readdirSync(surroundings.base, { recursive: true }))).not.toContain('bob');
  });

  it('serves the same files to the same user again', async () => {
    await (await serve(['--user', 'bob'])).call('write_file', { path: 'mine.txt', content: 'kept' });
    expect((await (await serve(['--user', ' bob '])).call('read_file', { path: 'mine.txt' })).text).toContain('kept');
  });
});

describe('a workspace around the base directory', () => {
  it('is served, and no tool can see the base directory', async () => {
    const home = surroundings.home;
    const base = join(home, '.croft');
    writeFileSync(join(home, 'notes.txt'), 'needle');
    mkdirSync(join(base, 'workspaces/shared'), { recursive: true });
    writeFileSync(join(base, 'mcp-token'), 'needle-token');
    writeFileSync(join(base, 'workspaces/shared/a.txt'), 'needle');
    symlinkSync(base, join(home, 'alias'));
    const { wire, call } = await serve(['--dir', home], { env: { CROFT_BASE_DIR: base } });
    const calls: [string, object][] = [
      ['list_dir', { path: '.' }],
      ['get_file_tree', { path: '.' }],
      ['glob_search', { pattern: '**/*', include_ignored: true }],
      ['glob_search', { pattern: '.croft/**' }],
      ['grep_search', { pattern: 'needle', include_ignored: true }],
    ];
    for (const [name, input] of calls) {
      const { text } = await call(name, input);
      expect(text, name).not.toMatch(/mcp-token|workspaces|activity|"name":"\.croft|"\.croft"/);
    }
    for (const path of [
      '.croft/mcp-token',
      '.croft',
      '.CROFT/../.croft/mcp-token',
      'alias/mcp-token',
      join(base, 'mcp-token'),
      '.croft/workspaces/shared/a.txt',
    ]) {
      for (const [name, input] of [
        ['read_file', { path }],
        ['read_many', { paths: [path] }],
        ['read_media', { path }],
        ['file_info', { path }],
        ['list_dir', { path }],
        ['get_file_tree', { path }],
        ['grep_search', { pattern: 'needle', path }],
        ['write_file', { path, content: 'x' }],
        ['append_file', { path, content: 'x' }],
        ['edit_file', { path, old_string: 'needle', new_string: 'x' }],
        ['create_dir', { path: `${path}/x` }],
        ['copy_path', { source: path, destination: 'stolen' }],
        ['move_path', { source: path, destination: 'stolen' }],
        ['delete_path', { path, recursive: true }],
      ] as const) {
        const { isError, text } = await call(name, input);
        expect(isError || name === 'read_many', `${name} ${path}: ${text}`).toBe(true);
        expect(text, `${name} ${path}`).not.toContain('needle-token');
      }
    }
    expect(readFileSync(join(base, 'mcp-token'), 'utf8')).toBe('needle-token');
    expect((await call('read_file', { path: 'notes.txt' })).text).toContain('needle');
    expect(await toolsOn(wire)).toHaveLength(FULL.length);
  });
});

describe('a base directory that cannot be written', () => {
  it('disables only log and undo, with one warning', async () => {
    writeFileSync(join(surroundings.root, 'no-dir'), '');
    const { wire, call, instructions } = await serve([surroundings.workspace], {
      env: { CROFT_BASE_DIR: join(surroundings.root, 'no-dir/base') },
    });
    for (let i = 0; i < 3; i++)
      expect((await call('write_file', { path: 'a.txt', content: `needle ${i}` })).isError).toBe(false);
    expect((await call('grep_search', { pattern: 'needle' })).data).toMatchObject({ matches: ['a.txt'] });
    expect((await call('delete_path', { path: 'a.txt' })).data).toMatchObject({ undoable: false });
    expect(instructions).toContain('Deletions and overwrites are final.');
    expect(wire.stderr().match(/activity log and undo are off/g)).toHaveLength(1);
    expect(wire.stderr().trim().split('\n')).toHaveLength(1);
  });

  it('disables them also if it was writable before', async () => {
    await (await serve([surroundings.workspace])).call('write_file', { path: 'a.txt', content: 'old' });
    const { wire, call } = await serve([surroundings.workspace], makeStranger(surroundings));
    for (let i = 0; i < 3; i++)
      expect((await call('write_file', { path: 'b.txt', content: `${i}` })).isError).toBe(false);
    expect(wire.stderr().match(/activity log and undo are off/g)).toHaveLength(1);
    expect(wire.stderr()).not.toContain('unexpectedly');
  });
});

describe('missing protection', () => {
  /** Starts a server, closes its input, and returns its standard error after the end. */
  const startAndEnd = (args: readonly string[], env: Record<string, string> = {}) =>
    runCroft(['mcp', surroundings.workspace, ...args], { env: { ...surroundings.env, ...env } });
  const hasLandlock = landlockAbi() > 1;

  it.each([
    ['koffi is not there', [], { CROFT_NO_NATIVE: '1' }, 'koffi is not installed'],
    ['io_uring is on', [], { UV_USE_IO_URING: '1' }, hasLandlock ? 'UV_USE_IO_URING is set' : ''],
    ['the operator switches it off', ['--no-second-wall'], {}, 'switched off'],
  ] as const)('is said in one line on standard error where %s', async (_, args, env, reason) => {
    const { code, stderr } = await startAndEnd(args, env);
    expect(code).toBe(0);
    expect(stderr.split('\n')).toHaveLength(2);
    expect(stderr).toMatch(/^croft: warning: Reduced protection: Landlock does not restrict the process \(.*\)\./);
    expect(stderr).toContain(reason);
  });

  it.each([[[]], [['--http', '--no-open', '--port', '0']]])(
    'refuses to start with --require-sandbox: %j',
    async (more) => {
      const { code, stdout, stderr } = await startAndEnd(['--require-sandbox', ...more], { CROFT_NO_NATIVE: '1' });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^croft: Reduced protection: .*Refused to start because of --require-sandbox.*\n$/);
    },
  );

  it.runIf(hasLandlock)('prints no warning if nothing is missing, also with --require-sandbox', async () => {
    const { wire, call } = await serve([surroundings.workspace, '--require-sandbox']);
    expect((await call('list_dir', { path: '.' })).isError).toBe(false);
    wire.child.stdin?.end();
    await wire.ended;
    expect(wire.stderr()).toBe('');
  });

  it('refuses --require-sandbox together with --no-second-wall', async () => {
    const args = ['mcp', surroundings.workspace, '--require-sandbox', '--no-second-wall'];
    const { code, stderr } = await runCroftHere(args, here());
    expect([code, stderr]).toEqual([2, expect.stringContaining('give one of them')]);
  });
});

describe('the command line of croft mcp', () => {
  it('says what the command does, and what each flag of its own means', () => {
    const { options, ...help } = commandHelp(addMcpCommand, 'mcp');
    expect(help).toEqual({
      usage: 'mcp [options] [dir...]',
      summary: 'serve directories to an MCP client over stdio, or over HTTP',
      description:
        'Serves one or more directories to an MCP client over standard input and output. With several directories, a path starts with the name of one of them. With --http it serves over Streamable HTTP at /mcp, with a page that shows the directories and how to connect; without a directory it serves the shared workspace below the base directory. With --flows it serves the flows of a Croft server.',
      arguments: ['directories to serve; the home directory, those above it and / only with --dir'],
    });
    expect(options.slice(-8)).toEqual([
      '--http: serve over HTTP instead, with a page that shows how to connect',
      '--host <address>: with --http: address to listen on (default 127.0.0.1)',
      '--port <n>: with --http: port to listen on, 0 for any (default 7860)',
      '--no-open: with --http: do not open the page in a browser',
      '--no-token: with --http: let every program on this machine use /mcp',
      '--flows: serve the flows of a Croft server instead of directories',
      '--server <url>: with --flows: address of the server (default: the one on this machine)',
      '--flow-tools <name>: with --flows: which tools to offer (core, all) = "core"',
    ]);
  });

  it.each([
    [['--flows', '/nowhere'], '--flows takes no directory'],
    [['--flows', '--http'], '--flows is for stdio. The server itself serves flows over HTTP at /mcp/flows'],
    [['--server', 'http://s'], '--server is for --flows'],
    [['--host', 'h'], '--host is for --http'],
    [['--port', '0'], '--port is for --http'],
    [['--port', '1'], '--port is for --http'],
    [['--no-open'], '--no-open is for --http'],
    [['--no-token'], '--no-token is for --http'],
  ])('refuses %j', async (args, problem) => {
    const fresh = new Command('croft');
    addMcpCommand(fresh);
    await expect(fresh.parseAsync(['mcp', ...args], { from: 'user' })).rejects.toThrow(new UsageError(problem));
  });
});
