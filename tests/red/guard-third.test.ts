import { describe, expect, it } from 'vitest';
import { readCommand } from '../../packages/guard/src/judge/extract/shell/read-command.ts';
import { inProject } from './guard-judging.ts';

const read = (command: string) => readCommand(command, { cwd: '', isDirectory: (path) => path === 'src' });
const writes = (command: string) => read(command).writes.map((write) => write.path);
const isOpen = (command: string) => read(command).undecidable.length > 0;

function ruleOf(name: string, args: unknown, isText = false): string {
  let rule = '';
  inProject([], (judge) => {
    rule = judge(name, args, { strict: true }, { isText }).rule;
  });
  return rule;
}

describe('an installer of hooks', () => {
  it('writes the hooks of the repository', () => {
    for (const command of ['pre-commit install', 'husky', 'lefthook install', 'git lfs install --local', 'dvc install'])
      expect(writes(command), command).toContain('.git/hooks');
    for (const command of ['pre-commit run -a', 'husky --version', 'lefthook run x', 'git lfs pull', 'npm run prepare'])
      expect(writes(command), command).not.toContain('.git/hooks');
  });

  it('is known with a version behind its name', () => {
    for (const command of ['npx husky@9 init', 'uvx pre-commit==3.5 install'])
      expect(writes(command), command).toContain('.git/hooks');
  });

  it('is known behind what git calls it', () => {
    expect(writes('git -C . lfs install')).toContain('.git/hooks');
  });

  it('is known as a module of Python', () => {
    expect(writes('python -m pre_commit install')).toContain('.git/hooks');
  });

  it('is known by the files it lies in', () => {
    expect(writes('node node_modules/husky/bin.js')).toContain('.git/hooks');
  });

  it('is known behind those who start it', () => {
    for (const command of ['go run example.org/lefthook@latest install', 'dotnet husky install', 'bun husky'])
      expect(writes(command), command).toContain('.git/hooks');
    expect(writes('bun add husky')).not.toContain('.git/hooks');
  });

  it('is known behind a runner of tools and a chooser of package managers', () => {
    expect(writes('uv tool run pre-commit install')).toContain('.git/hooks');
    expect(writes('corepack pnpm dlx husky init')).toContain('.git/hooks');
    expect(writes('pipx run pre-commit install')).toContain('.git/hooks');
  });
});

describe('a tool named for a program', () => {
  it('is given the words of its command line', () => {
    for (const args of [
      { args: 'install --prefix ../x' },
      { cmd: ['install', '--prefix', '../x'] },
      { subcommand: 'install', options: { prefix: '../x' } },
      { anything: ['install', '--prefix', '../x'] },
      ['install', '--prefix', '../x'],
    ])
      expect(ruleOf('npm', args), JSON.stringify(args)).toBe('outside-path');
    expect(ruleOf('npm', { args: 'install' })).toBe('allowed');
  });

  it('is given them as a text', () => {
    expect(ruleOf('npm', 'install --prefix ../x', true)).toBe('outside-path');
  });

  it('is one by its namespace, and with a verb in its name', () => {
    expect(ruleOf('mcp__git__exec', { args: ['clone', 'https://example.com/x', '../z'] })).toBe('outside-path');
    expect(ruleOf('git_clone', { args: ['https://example.com/x', '../z'] })).toBe('outside-path');
  });

  it('runs the package it is told', () => {
    expect(ruleOf('npx', { package: 'husky', args: ['init'] })).toBe('protected-path');
  });

  it('is told other things than words as well', () => {
    expect(ruleOf('git', { operation: 'commit', message: 'see /etc/x -- and ../y' })).toBe('allowed');
    expect(ruleOf('curl', { url: 'https://example.com', data: '{"a": "b > ../c"}' })).toBe('allowed');
  });

  it('commits without a path', () => {
    expect(ruleOf('git_commit', { message: 'x' })).toBe('allowed');
  });
});

describe('another machine', () => {
  it('may be written', () => {
    expect(isOpen('scp a deploy@example.com:/srv/')).toBe(false);
    expect(isOpen('rsync -a dist/ example.com:/srv/')).toBe(false);
  });

  it('is not this one by another name', () => {
    for (const host of ['localhost', 'root@127.0.0.1', '[::1]', '$H', '$(hostname)'])
      expect(isOpen(`scp a ${host}:/etc/x`), host).toBe(true);
  });
});

describe('a list', () => {
  it('that ls makes of wildcards holds what they stand for', () => {
    expect(isOpen('ls -t build/*.js | tail -n +5 | xargs rm')).toBe(false);
    expect(writes('ls ../x/*.js | xargs rm')[0]).toMatch(/^\.\.\//);
  });

  it('that ls makes of directories is not known', () => {
    expect(isOpen('ls src | xargs rm')).toBe(true);
    expect(isOpen('ls src/* | xargs rm')).toBe(true);
  });
});

describe('the version of a tool', () => {
  it('stands in a file of the project', () => {
    expect(writes('mise use node@20')).toContain('mise.toml');
    expect(writes('volta pin node@20')).toEqual(['package.json']);
    expect(isOpen('volta pin node@20')).toBe(false);
    expect(isOpen('mise use -g node@20')).toBe(true);
  });
});
