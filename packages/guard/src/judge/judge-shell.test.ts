import { afterAll, describe, expect, it } from 'vitest';
import { judgeCommands, loadedVariables } from './judge-shell.ts';
import { pathRules } from './protect.ts';
import { scratchContext } from './testing.ts';

const { context, remove } = scratchContext(
  ['src/a', 'conf/x.lock', 'one', 'two == $ROOT/one', 'bare/HEAD', 'bare/objects/', 'bare/refs/'],
  {
    protect: ['conf/**'],
  },
);
afterAll(remove);

function judge(command: string | readonly string[], cwds = [''], dialect?: 'posix' | 'powershell' | 'cmd') {
  return judgeCommands([command], cwds, context.place, context.protect, dialect);
}
const rules = (command: string | readonly string[], cwds?: string[]) =>
  judge(command, cwds).writes.map(({ problem, path }) => problem?.rule ?? path);

describe('the command lines of a call', () => {
  it('are judged in each directory they may start in', () => {
    expect(rules('touch a', ['src', '/etc'])).toEqual(['src/a', 'outside-path']);
    expect(
      judgeCommands(['touch a', 'touch b'], [''], context.place, context.protect).writes.map((one) => one.path),
    ).toEqual(['a', 'b']);
  });

  it('are read in the given shell', () => {
    expect(judge('echo a > ..\\x', [''], 'cmd').writes[0]?.problem?.rule).toBe('outside-path');
    expect(judge('echo a > ..\\x', [''], 'posix').writes).toMatchObject([{ path: '..x' }]);
  });

  it('report what they read, what is undecidable, and that they are too long', () => {
    expect(judge('cat src/a; touch b')).toMatchObject({ reads: ['src/a'], undecidable: [], cut: undefined });
    expect(judge('eval "$X"').undecidable).not.toEqual([]);
    expect(judge('true;'.repeat(1_100)).cut).toMatch(/commands/);
  });

  it('use the directories on the disk and the directory for temporary files', () => {
    expect(judge('cd src; touch ../a').writes.map((one) => one.path)).toEqual(['a']);
    expect(judge('touch "$TMPDIR/a"').writes.map((one) => one.verdict.read_as)).toEqual([
      `${context.place.temporary ?? '/tmp'}/a`,
    ]);
  });

  it('may not give a path outside to a program that is not known', () => {
    expect(judge('frobnicate ../x').undecidable).toEqual(["It is not known what 'frobnicate' does with '../x'."]);
    expect(judge('frobnicate conf/x.lock').undecidable).toHaveLength(1);
    expect(judge('frobnicate src/a').undecidable).toEqual([]);
  });
});

describe('a command that removes', () => {
  it.each(['rm -rf .', 'sudo rm -rf .', 'bash -c "rm -rf ."', 'ls && rmdir "."', 'rm -rf src/..'])(
    'may not remove the whole root: %s',
    (command) => {
      expect(rules(command)).toContain('whole-root');
    },
  );

  it('may remove a file with another name, and not write it', () => {
    expect(rules('rm one')).toEqual(['one']);
    expect(rules('rm one; echo x > one')).toContain('outside-path');
  });

  it('may not remove the directory of a protected file', () => {
    expect(rules('rm -r conf')).toEqual(['protected-path']);
    expect(rules('mv conf old')).toContain('protected-path');
    expect(rules(['rm', '-r', 'conf'])).toEqual(['protected-path']);
    expect(rules('chmod +x conf')).not.toContain('whole-root');
    expect(rules('touch .')).toEqual(['.']);
  });
});

describe('a command that fills a directory', () => {
  it('may not bring unknown files where some names are protected', () => {
    expect(judge('unzip x.zip').undecidable).toContain(
      'It is not known which files appear in the project directory, and some names are protected.',
    );
    expect(rules('unzip x.zip -d conf')).toEqual(['protected-path']);
    expect(judge('unzip x.zip -d src').undecidable).toEqual([]);
    expect(rules('unzip x.zip -d src')).toEqual(['src']);
    expect(rules('unzip x.zip -d bare')).toEqual(['protected-path']);
  });

  it('may not make a repository where settings are', () => {
    expect(rules('git init --bare src')).toEqual(['src']);
    expect(rules('touch lib/config; git init --bare lib')).toEqual(['lib/config', 'protected-path']);
  });
});

describe('the directory in which a shell stays', () => {
  it.each([
    ['cd ..', "Later commands may run in '..', outside the project directory."],
    ['cd conf', "Later commands may run in 'conf', which is protected."],
    ['cd bare', 'where the names of protected files do not show that they are protected.'],
    ['cd "$(git rev-parse --show-toplevel)"', 'Later commands may run at the top of the repository'],
  ])('is refused after %s', (command, reason) => {
    expect(judge(command).undecidable.join()).toContain(reason);
  });

  it('may be the project, or a directory in it', () => {
    const { writes: _, ...none } = judgeCommands(['cd src'], [''], context.place, pathRules([]));
    expect(none.undecidable).toEqual([]);
    for (const command of ['cd .', '(cd ..)', 'cd .. && cd -', 'true'])
      expect(judge(command).undecidable, command).toEqual([]);
    expect(judge('true', ['/etc']).undecidable).toEqual([]);
  });
});

describe('the variables of a call', () => {
  it.each([
    [{ env: { PATH: 'x' } }, 'PATH'],
    [{ environment: ['A=1', 'GIT_DIR=x'] }, 'GIT_DIR'],
    [{ ENV_VARS: [{ name: 'node_options' }] }, 'node_options'],
    [{ env: { OK: '1', BASH_ENV: 'x' } }, 'BASH_ENV'],
  ])('change what the command does: %j', (args, name) => {
    expect(loadedVariables(args)).toBe(`The variable ${name} changes what the command does`);
  });

  it.each([
    { env: { LANG: 'C' } },
    { env: null },
    { env: [null, 'PATHS=1'] },
    { other: { PATH: 'x' } },
    null,
    'PATH',
    {},
  ])('change nothing: %j', (args) => {
    expect(loadedVariables(args)).toBeUndefined();
  });
});
