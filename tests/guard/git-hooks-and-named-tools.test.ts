import { describe, expect, it } from 'vitest';
import { inProject, ruleFor } from './judging.ts';
import { isOpen, writes } from '../../packages/guard/src/judge/extract/shell/testing.ts';

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

  it('is recognised with a version after its name', () => {
    for (const command of ['npx husky@9 init', 'uvx pre-commit==3.5 install'])
      expect(writes(command), command).toContain('.git/hooks');
  });

  it('is recognised as a git subcommand', () => {
    expect(writes('git -C . lfs install')).toContain('.git/hooks');
  });

  it('is recognised as a Python module', () => {
    expect(writes('python -m pre_commit install')).toContain('.git/hooks');
  });

  it('is recognised by the directory of its files', () => {
    expect(writes('node node_modules/husky/bin.js')).toContain('.git/hooks');
  });

  it('is recognised after a program that starts it', () => {
    for (const command of ['go run example.org/lefthook@latest install', 'dotnet husky install', 'bun husky'])
      expect(writes(command), command).toContain('.git/hooks');
    expect(writes('bun add husky')).not.toContain('.git/hooks');
  });

  it('is recognised after a tool runner and a package manager launcher', () => {
    expect(writes('uv tool run pre-commit install')).toContain('.git/hooks');
    expect(writes('corepack pnpm dlx husky init')).toContain('.git/hooks');
    expect(writes('pipx run pre-commit install')).toContain('.git/hooks');
  });
});

describe('a tool named for a program', () => {
  it('gets its command line as words', () => {
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

  it('gets its command line as a text', () => {
    expect(ruleOf('npm', 'install --prefix ../x', true)).toBe('outside-path');
  });

  it('is recognised by its namespace, and with a verb in its name', () => {
    expect(ruleOf('mcp__git__exec', { args: ['clone', 'https://example.com/x', '../z'] })).toBe('outside-path');
    expect(ruleOf('git_clone', { args: ['https://example.com/x', '../z'] })).toBe('outside-path');
  });

  it('runs the package in its arguments', () => {
    expect(ruleOf('npx', { package: 'husky', args: ['init'] })).toBe('protected-path');
  });

  it('has arguments that are not part of the command line', () => {
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

  it('is not this machine under another name', () => {
    for (const host of ['localhost', 'root@127.0.0.1', '[::1]', '$H', '$(hostname)'])
      expect(isOpen(`scp a ${host}:/etc/x`), host).toBe(true);
  });
});

describe('the output of ls', () => {
  it('contains the names that its wildcards match', () => {
    expect(isOpen('ls -t build/*.js | tail -n +5 | xargs rm')).toBe(false);
    expect(writes('ls ../x/*.js | xargs rm')[0]).toMatch(/^\.\.\//);
  });

  it('is unknown for directories', () => {
    expect(isOpen('ls src | xargs rm')).toBe(true);
    expect(isOpen('ls src/* | xargs rm')).toBe(true);
  });
});

describe('the version of a tool', () => {
  it('is pinned in a file of the project', () => {
    expect(writes('mise use node@20')).toContain('mise.toml');
    expect(writes('volta pin node@20')).toEqual(['package.json']);
    expect(isOpen('volta pin node@20')).toBe(false);
    expect(isOpen('mise use -g node@20')).toBe(true);
  });
});

describe('a file from an archive or a URL', () => {
  it('appears in the current directory of the program', () => {
    for (const command of ['unrar x a.rar', 'aunpack a.tgz', 'jar xf a.jar', 'npx degit a/b .', '7zz x a.7z'])
      expect(ruleOf('Bash', { command }), command).toBe('undecidable-command');
    for (const command of ['jar tf a.jar', 'jar xf a.jar META-INF/x', 'npx degit a/b vendor/b', 'unar -o out a.rar'])
      expect(ruleOf('Bash', { command }), command).toBe('allowed');
  });

  it('appears in the current directory of a Python module', () => {
    for (const command of ['python -m tarfile -e a.tar', 'python -m zipfile -e a.zip .'])
      expect(ruleOf('Bash', { command }), command).toBe('undecidable-command');
  });

  it('has an unknown name if it is fetched into directories of its URL', () => {
    expect(ruleOf('Bash', { command: 'wget -x https://example.com/.vscode/tasks.json' })).toBe('undecidable-command');
  });
});

describe('an agent', () => {
  it('needs a person to change its settings', () => {
    for (const command of ['claude mcp add x -- node y', 'codex mcp add x', 'gemini extensions install x'])
      expect(isOpen(command), command).toBe(true);
    for (const command of ['claude mcp list', 'codex --help', 'croft doctor'])
      expect(isOpen(command), command).toBe(false);
  });

  it('cannot remove the guard', () => {
    expect(ruleOf('Bash', { command: 'croft setup guard --remove' })).toBe('outside-path');
  });

  it('must not start another agent that works without asking', () => {
    for (const command of ["claude -p 'x'", 'codex exec x', 'aider --yes-always --message x'])
      expect(isOpen(command), command).toBe(true);
  });
});

describe('code', () => {
  it('in an unknown language is recognised by the option before it', () => {
    for (const command of ['frob -e \'open("/etc/x")\'', "python manage.py shell -c 'open(1)'"])
      expect(isOpen(command), command).toBe(true);
    for (const command of ['frob -e prod', 'frob -e \'{"a": "(b)"}\'', "ansible-playbook x.yml -e 'a=(b)'"])
      expect(isOpen(command), command).toBe(false);
  });

  it('is recognised by the words before it', () => {
    for (const command of ["rails runner 'x'", "swipl -g 'x'", "mongosh --eval 'x'"])
      expect(isOpen(command), command).toBe(true);
  });

  it('from standard input is judged by what it may do', () => {
    expect(isOpen("dc <<< '2 3 + p'")).toBe(false);
    expect(isOpen("dc <<< '!touch /etc/x'")).toBe(true);
  });

  it('from standard input of awk or deno is read', () => {
    expect(writes('awk -f - <<< \'BEGIN{print > "/etc/x"}\'')).toContain('/etc/x');
    expect(isOpen("deno run - <<< 'Deno.remove(x)'")).toBe(true);
  });

  it('renames files', () => {
    expect(isOpen("rename 's/a/..\\/b/' a")).toBe(true);
    expect(isOpen("rename 's/a$/b/' a")).toBe(false);
  });

  it('is run before a measurement', () => {
    expect(writes("hyperfine --prepare 'touch /etc/x' ls")).toContain('/etc/x');
  });
});

describe('the home directory', () => {
  it('gets new keys', () => {
    expect(writes('ssh-keygen -t ed25519')).toContain('~/.ssh');
    expect(writes('ssh-keygen -t ed25519 -f key')).toEqual(['key']);
    expect(isOpen('gpg --import key.asc')).toBe(true);
    expect(isOpen('gpg --verify a.sig a')).toBe(false);
  });

  it('gets programs installed for every project', () => {
    for (const command of ['opam install x', 'dotnet tool install -g x', 'pyenv global 3.12'])
      expect(isOpen(command), command).toBe(true);
    for (const command of ['opam list', 'dotnet tool restore', 'cpanm -L local x'])
      expect(isOpen(command), command).toBe(false);
  });
});

describe('git and similar programs', () => {
  it('move and remove as the programs of that name do', () => {
    expect(ruleOf('Bash', { command: 'git mv x .vscode/tasks.json' })).toBe('protected-path');
    expect(ruleOf('Bash', { command: 'git mv .vscode vs' })).toBe('protected-path');
    expect(ruleOf('Bash', { command: 'git rm -r --cached .' })).toBe('allowed');
  });

  it('open their settings in an editor', () => {
    expect(ruleOf('Bash', { command: 'git config --edit' })).toBe('protected-path');
  });

  it('take settings that name programs', () => {
    for (const command of ['hg --config hooks.x=y status', 'jj config set --repo ui.editor x', 'scalar register'])
      expect(isOpen(command), command).toBe(true);
    expect(isOpen('hg status')).toBe(false);
  });
});

describe('shells of Windows', () => {
  it('run programs that are named like a cmdlet', () => {
    expect(ruleOf('powershell', { command: 'pre-commit install' })).toBe('protected-path');
  });

  it('start programs with their own options', () => {
    expect(ruleOf('cmd', { command: 'start /b cmd /c "echo x > ..\\y"' })).toBe('outside-path');
  });
});

describe('the list of protected files', () => {
  it.each([
    '.hg/hgrc',
    '.jj/repo/config.toml',
    'mise.local.toml',
    '.mise/config.toml',
    '.config/mise/config.toml',
    '.devcontainer.json',
    '.idea/watcherTasks.xml',
    '.continue/mcpServers/x.yaml',
    '.claude/skills/x/SKILL.md',
    '.pdbrc',
    '.Rprofile',
    '.pnpmfile.mjs',
    '.bash_logout',
  ])('has %s', (path) => {
    expect(ruleFor(path)).toBe('protected-path');
  });
});

describe('a removed directory', () => {
  it('is recognised in a function, a variable or another command', () => {
    for (const command of ['env rm -rf .', 'f() { rm -rf .; }; f', 'x=rm; $x -rf .'])
      expect(ruleOf('Bash', { command }), command).toBe('whole-root');
    for (const command of ['env rm -r .vscode', 'xargs rm -r <<< .vscode', 'git rm -r .vscode'])
      expect(ruleOf('Bash', { command }), command).toBe('protected-path');
    expect(ruleOf('Bash', { command: 'env rm -rf dist' })).toBe('allowed');
  });

  it('may be written by the same line as well', () => {
    const command = 'git init --bare b && rm b/config; cp x b/config';
    expect(ruleOf('Bash', { command })).toBe('protected-path');
    expect(ruleOf('Bash', { command: 'git init --bare b && rm b/config' })).toBe('allowed');
  });
});
