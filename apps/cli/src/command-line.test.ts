import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSurroundings, openWire, runCroft, type Surroundings } from '@croft/mcp/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCroftHere } from '../../../tests/support/run-croft-here.ts';

let surroundings: Surroundings;
const runIn =
  (run: typeof runCroft | typeof runCroftHere) =>
  (...args: string[]) =>
    run(
      args.map((arg) => arg.replace('$WS', surroundings.workspace).replace('$BASE', surroundings.base)),
      { env: surroundings.env, cwd: surroundings.root },
    );
/** Starts the program. */
const start = runIn(runCroft);
/** Runs the command in this process. */
const run = runIn(runCroftHere);

beforeAll(() => {
  surroundings = makeSurroundings();
  mkdirSync(join(surroundings.base, 'workspaces/shared'), { recursive: true });
  writeFileSync(join(surroundings.root, 'file.txt'), '');
});

afterAll(() => surroundings.remove());

describe('a reader that closes the pipe early', () => {
  it.each([['--help'], ['guard', '--help'], ['flow', 'templates'], ['components'], ['--version']])(
    'does not make a command fail: croft %s %s',
    async (...args) => {
      const wire = openWire(args, { env: surroundings.env, cwd: surroundings.root });
      wire.child.stdout?.destroy();
      wire.child.stdin?.end();
      expect(await wire.ended).toEqual({ code: 0, signal: null });
      expect(wire.stderr()).toBe('');
    },
  );

  it('does not make a wrong command line end in another way', async () => {
    const wire = openWire(['fly'], { env: surroundings.env, cwd: surroundings.root });
    wire.child.stderr?.destroy();
    wire.child.stdin?.end();
    expect(await wire.ended).toEqual({ code: 2, signal: null });
  });
});

describe('wrong arguments', () => {
  // `starts`: in the program itself. Each command and each kind of refusal has one.
  const wrong: readonly { args: string[]; says: RegExp; starts?: true }[] = [
    { args: [], says: /Usage: croft/, starts: true },
    { args: ['fly'], says: /unknown command 'fly'/, starts: true },
    { args: ['xyzzy', '--help'], says: /unknown command 'xyzzy'\nRun croft --help/ },
    { args: ['flow', 'chekc', '-h'], says: /unknown command 'chekc'; did you mean check\?/ },
    { args: ['help', 'xyzzy'], says: /unknown command 'xyzzy'\nRun croft --help/ },
    { args: ['help', 'gaurd'], says: /unknown command 'gaurd'; did you mean guard\?/ },
    { args: ['help', 'guard', 'hok'], says: /unknown command 'hok'; did you mean hook\?/, starts: true },
    { args: ['flow', 'help', 'chekc'], says: /unknown command 'chekc'; did you mean check\?/, starts: true },
    { args: ['--fly'], says: /unknown option '--fly'/ },
    { args: ['mcp', '--dir', ''], says: /error: --dir <dir> is empty: give a value, or leave it out/ },
    { args: ['mcp', '--dir', '$WS', '--dir', ''], says: /--dir <dir> is empty/ },
    { args: ['mcp', ''], says: /error: <dir> is empty/ },
    { args: ['connect', 'http://127.0.0.1:1', 'token', '--dir='], says: /--dir <dir> is empty/, starts: true },
    { args: ['guard', 'hook', '--root', ''], says: /--root <dir> is empty/, starts: true },
    { args: ['mcp'], says: /Name the directory to serve/ },
    { args: ['mcp', 'nowhere'], says: /Not a directory: nowhere/, starts: true },
    { args: ['mcp', 'file.txt'], says: /Not a directory: file\.txt/ },
    { args: ['mcp', '$WS', '--toolset', 'all'], says: /Allowed choices are full, files, explore, basic/, starts: true },
    { args: ['mcp', '$WS', '--confirm', 'everything'], says: /Allowed choices are destructive/ },
    { args: ['mcp', '$WS', '--quota-bytes', 'much'], says: /Give a number of bytes/ },
    { args: ['mcp', '$WS', '--quota-files', '-1'], says: /whole number/ },
    { args: ['mcp', '$WS', '--port', 'x', '--http'], says: /whole number/ },
    { args: ['mcp', '$WS', '--port', '80'], says: /--port is for --http/, starts: true },
    { args: ['mcp', '$WS', '--port', '0'], says: /--port is for --http/ },
    { args: ['mcp', '$WS', '--no-token'], says: /--no-token is for --http/ },
    { args: ['mcp', '$WS', '--no-open'], says: /--no-open is for --http/ },
    { args: ['mcp', '$WS', '--ignore'], says: /argument missing/ },
    { args: ['mcp', '$WS', '--deny', 'a/b'], says: /Not a name to deny: 'a\/b'/ },
    { args: ['mcp', '$WS', '--deny', 'a', '--no-deny-list'], says: /give one of them/ },
    { args: ['mcp', '$WS', '--user', 'bob'], says: /takes no directory/ },
    { args: ['mcp', '--user', ' '], says: /needs the id of a user/ },
    { args: ['mcp', '--user', 'None'], says: /needs the id of a user/ },
    { args: ['mcp', '$BASE'], says: /Croft's own base directory/, starts: true },
    { args: ['mcp', '$BASE/workspaces'], says: /Croft's own base directory/ },
    { args: ['serve', 'extra'], says: /too many arguments/ },
    { args: ['mcp', '--http', 'nowhere', '--no-open'], says: /Not a directory: nowhere/ },
    { args: ['serve', '--port', '70000', '--no-open'], says: /port.*from 0 to 65535/i, starts: true },
    {
      args: ['mcp', '--http', '$WS', '--no-token', '--host', '0.0.0.0', '--no-open'],
      says: /--no-token on 0\.0\.0\.0 would open/,
      starts: true,
    },
    {
      args: ['mcp', '--http', '$WS', '--no-token', '--host', 'example.com', '--no-open'],
      says: /--no-token on example\.com would open/,
    },
    {
      args: ['mcp', '--http', '$WS', '--host', '203.0.113.7', '--no-open', '--port', '0'],
      says: /Cannot listen on 203\.0\.113\.7/,
      starts: true,
    },
    { args: ['log', '--dir', 'nowhere'], says: /Not a directory: nowhere/ },
    { args: ['log', '--limit', 'few'], says: /whole number/ },
    { args: ['log', 'extra'], says: /too many arguments/ },
    { args: ['undo', '0'], says: /Not a number of changes: 0/, starts: true },
    { args: ['undo', 'all'], says: /Not a number of changes: all/ },
    { args: ['undo', '1', '--since', '1h'], says: /not both/ },
    { args: ['undo', '1', '--only', '2'], says: /--only undoes one change/ },
    { args: ['undo', '--only', 'x'], says: /Not the number of a change: x/ },
    { args: ['log', '--dir', '.', '--user', 'bob'], says: /not both/ },
    { args: ['log', '--user', ' '], says: /needs the id of a user/, starts: true },
    { args: ['undo', '--since', 'yesterday-ish'], says: /Not a time: yesterday-ish/ },
    { args: ['undo', '--dir', '$BASE'], says: /Croft's own base directory/ },
  ];

  it.each(wrong)(
    'end with code 2, one sentence and no standard output: croft $args',
    async ({ args, says, starts }) => {
      const { code, stdout, stderr } = await (starts ? start : run)(...args);
      expect(stderr).toMatch(says);
      expect(stderr).not.toMatch(/\n\s+at /);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    },
  );
});

describe('right arguments', () => {
  it.each([
    [['help'], /^Usage: croft \[options\]/],
    [['help', 'guard', 'hook'], /^Usage: croft guard hook/],
    [['flow', 'help', 'check'], /^Usage: croft flow check/],
  ])('of help print the help of that command: croft %s', async (args, says) => {
    expect(await run(...args)).toMatchObject({ code: 0, stdout: expect.stringMatching(says), stderr: '' });
  });

  it('print the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
      version: string;
    };
    expect(await start('--version')).toEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    ['--help'],
    ['help'],
    ['mcp', '--help'],
    ['serve', '--help'],
    ['log', '--help'],
    ['undo', '--help'],
    ['setup', '--help'],
    ['doctor', '--help'],
  ])('show help on the output: croft %s %s', async (...args) => {
    const { code, stdout, stderr } = await run(...args.filter((arg) => arg !== undefined));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: croft/);
    expect(stdout).not.toContain('(default: [])');
  });

  it('write nothing to the home directory if the base directory is elsewhere', () => {
    expect(readdirSync(surroundings.home)).toEqual([]);
  });
});
