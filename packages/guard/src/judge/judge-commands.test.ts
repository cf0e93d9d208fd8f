import { afterAll, describe, expect, it } from 'vitest';
import { collectPaths } from './extract/paths.ts';
import { judgeShell, shellPart } from './judge-commands.ts';
import { outcomeOf, scratchContext } from './testing.ts';

const { context, scratch, remove } = scratchContext(['src/a', '.env'], { denyRead: ['.env'] });
afterAll(remove);

const parts = (tool: string, args: unknown) => judgeShell(context, collectPaths(args), context.nameOf(tool), args);
const judged = (tool: string, args: unknown) => parts(tool, args).map(outcomeOf);
const UNDECIDED = 'undecided undecidable-command';

describe('the command lines of a call', () => {
  it('are judged by what they write, read and leave unknown', () => {
    const reasons = (command: string) => parts('Bash', { command }).map((part) => [outcomeOf(part), part.reason]);
    expect(reasons('touch src/b')).toEqual([['allow', 'Every path is inside the project directory']]);
    expect(reasons('ls')).toEqual([['allow', 'The command writes nothing outside the project directory']]);
    expect(reasons('touch ../x')).toEqual([['block outside-path', "Path '../x' is outside the project directory"]]);
    expect(reasons('touch ../x; cat .env')[0]?.[0]).toBe('block outside-path');
    expect(reasons('cat .env')).toEqual([['block denied-read', "Path '.env' may not be read (.env)"]]);
    expect(reasons('eval "$X"')).toEqual([
      [UNDECIDED, expect.stringMatching(/^It is not known what the command writes: ./) as string],
    ]);
    expect(reasons(`true # ${'a'.repeat(300_000)}`)).toEqual([
      ['block too-large', expect.stringMatching(/^The command is too long to be judged: it is longer than/) as string],
    ]);
  });

  it('show the written paths even if they are undecided or too long', () => {
    const paths = (command: string) => parts('Bash', { command }).map((part) => part.paths.map((one) => one.written));
    expect(paths('touch a; eval "$X"')).toEqual([['a']]);
    expect(paths(`touch a; ${'true;'.repeat(1_100)}`)).toEqual([['a']]);
  });

  it('do not exist in a tool that runs none', () => {
    expect(judged('Write', { file_path: '../x', content: 'rm ../y' })).toEqual([]);
    expect(judged('Write', { file_path: 'a', command: 'touch ../y' })).toEqual(['block outside-path']);
  });

  it('are undecided in a program given as text', () => {
    expect(parts('python', { code: 'x' })).toMatchObject([
      {
        outcome: 'undecided',
        rule: 'undecidable-command',
        reason: 'It is not known what a program given as text writes',
      },
    ]);
  });

  it('are not the operations of an editor', () => {
    expect(judged('editor', { command: 'view', path: 'src/a' })).toEqual([]);
    expect(judged('editor', { command: 'create', path: 'src/a', cmd: 'touch ../x' })).toEqual(['block outside-path']);
    expect(judged('Bash', { command: 'view' })).toEqual(['allow']);
    expect(judged('Write', { file_path: 'a', command: 'shutdown' })).toEqual(['allow']);
    expect(judged('editor', { command: 'create', path: 'src/a', cmd: 'shutdown' })).toEqual([]);
  });

  it('are the texts that a shell runs or types', () => {
    expect(judged('Bash', { script: 'touch ../x' })).toEqual(['block outside-path']);
    expect(judged('Bash', { command: 'ls', input: 'touch ../x' })).toEqual(['block outside-path']);
  });

  it('are those of the program that the tool is named for', () => {
    expect(judged('git_clone', { args: ['https://x/y', '../z'] })).toContain('block outside-path');
    expect(judged('frobnicate', { args: ['https://x/y', '../z'] })).toEqual([]);
  });
});

describe('the directory of a command', () => {
  it('is the one that the call names', () => {
    const written = (args: object) => parts('Bash', args).flatMap((part) => part.paths.map((one) => one.read_as));
    expect(written({ command: 'touch b', cwd: 'src' })).toEqual(['src/b']);
    expect(written({ command: 'touch b', cwd: '.' })).toEqual(['b']);
    expect(written({ command: 'touch b' })).toEqual(['b']);
    expect(written({ command: 'touch b', cwd: 'src', root: 'lib' }).toSorted()).toEqual(['lib/b', 'src/b']);
  });

  it('is refused outside, and undecided if the guard does not know the argument', () => {
    expect(judged('Bash', { command: 'ls', cwd: '..' })).toEqual(['block outside-path']);
    expect(judged('Bash', { command: 'touch b', place: '..' })).toEqual(['allow', UNDECIDED]);
    expect(judged('Bash', { command: 'ls', place: '..' })).toEqual(['allow']);
    expect(judged('git_add', { args: ['b'], place: '..' })).toEqual(['allow']);
    expect(parts('Bash', { command: 'touch b', place: scratch.outside })[1]?.reason).toBe(
      `The command may run in '${scratch.outside}', which is outside the project directory`,
    );
  });
});

it('does not know what a command does with variables that change programs', () => {
  expect(parts('Bash', { command: 'ls', env: { LD_PRELOAD: 'x' } })).toMatchObject([
    { outcome: 'allow' },
    { rule: 'undecidable-command', reason: 'The variable LD_PRELOAD changes what the command does' },
  ]);
  expect(judged('Bash', { command: 'ls', env: { LANG: 'C' } })).toEqual(['allow']);
});

it('does not know which program reads typed input, unless it only answers a question', () => {
  expect(parts('write_stdin', { chars: 'ls' })).toMatchObject([
    { outcome: 'allow' },
    { rule: 'undecidable-command', reason: 'It is not known which program reads this input' },
  ]);
  expect(judged('write_stdin', { chars: 'yes' })).toEqual(['allow']);
  expect(judged('write_stdin', { chars: 'yes', text: 'ls' })).toEqual(['allow', UNDECIDED]);
});

describe('a command that several shells may read', () => {
  const judgedIn = (command: string, meant: readonly ('posix' | 'cmd' | 'powershell')[], orPosix: boolean) =>
    outcomeOf(shellPart(context, [command], [''], { meant, orPosix }));

  it('is judged by the worst of them', () => {
    expect(judgedIn('echo a > ..\\x', ['posix', 'cmd'], false)).toBe('block outside-path');
    expect(judgedIn('echo a > ..\\x', ['posix'], false)).toBe('allow');
    expect(judgedIn('ls', ['posix', 'cmd'], false)).toBe('allow');
  });

  it('is also blocked for what a POSIX shell would write outside', () => {
    expect(judgedIn('touch ../x', ['cmd'], true)).toBe('block outside-path');
    expect(judgedIn('ls', ['cmd'], true)).toBe('allow');
    // Undecidable only in the shell that is not meant.
    expect(judgedIn('echo `$x`', ['cmd'], true)).toBe('allow');
  });
});
