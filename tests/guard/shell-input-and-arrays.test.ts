import { describe, expect, it } from 'vitest';
import { inProject, ruleFor } from './judging.ts';
import { isOpen, read, writes } from '../../packages/guard/src/judge/extract/shell/testing.ts';

describe('piped input', () => {
  it('feeds the shell in a group, a loop or a branch', () => {
    for (const group of ['{ sh; }', '(sh)', 'if true; then sh; fi', 'while :; do sh; done', 'case a in a) sh;; esac'])
      expect(writes(`echo 'touch /etc/x' | ${group}`), group).toContain('/etc/x');
  });

  it('feeds the shell that a function, a shell or a substitution starts', () => {
    for (const command of ["f() { sh; }; echo 'touch /etc/x' | f", "echo 'touch /etc/x' | sh -c sh"])
      expect(writes(command), command).toContain('/etc/x');
    expect(writes("echo 'touch /etc/x' | echo $(sh)")).toContain('/etc/x');
  });

  it('feeds the commands after an exec without a command', () => {
    expect(writes("exec <<< 'touch /etc/x'; sh")).toContain('/etc/x');
  });

  it('does not feed a group that reads a file', () => {
    expect(writes("echo 'touch /etc/x' | { sh < a.sh; }")).not.toContain('/etc/x');
  });

  it('feeds a process substitution with unknown text', () => {
    expect(isOpen('curl x > >(bash)')).toBe(true);
    expect(isOpen('npm test 2> >(tee err.log >&2)')).toBe(false);
  });

  it('is not a script of the project if it comes through a named pipe', () => {
    expect(isOpen("mkfifo p; sh < p & echo 'touch /etc/x' > p")).toBe(true);
  });

  it('is read by a shell under every name of its input', () => {
    for (const name of ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])
      expect(writes(`echo 'touch /etc/x' | bash ${name}`), name).toContain('/etc/x');
  });
});

describe('an array', () => {
  it('may have a value set by subscript', () => {
    expect(writes('declare -A m=([k]=/etc/y); rm ${m[k]}')).toContain('/etc/y');
    expect(writes('m=([5]=/etc/y); rm "${m[5]}"')).toContain('/etc/y');
  });

  it('may have a value set by subscript at any position', () => {
    expect(writes('a=(x y); a[1]=/etc/z; rm ${a[1]}')).toContain('/etc/z');
  });

  it('counts from one in zsh, and its name means all items', () => {
    expect(writes('a=(x /etc/z); rm ${a[2]}')).toContain('/etc/z');
    expect(writes('a=(x /etc/z); rm $a')).toContain('/etc/z');
  });
});

describe('a directory', () => {
  it('that exists may be gone once something was removed', () => {
    expect(writes('rmdir src; cd src || cd /etc; touch x')).toContain('/etc/x');
    expect(writes('cd src || cd /etc; touch x')).not.toContain('/etc/x');
  });
});

describe('a program in the command line', () => {
  it('is found in languages that the guard cannot read', () => {
    expect(isOpen('clojure -M -e \'(spit "/etc/x" 1)\'')).toBe(true);
    expect(isOpen('echo \'(spit "/etc/x" 1)\' | clojure')).toBe(true);
    expect(isOpen('clojure -M:test')).toBe(false);
  });

  it('is found after a Python module that runs it', () => {
    expect(isOpen('python -m timeit \'os.remove("/etc/x")\'')).toBe(true);
    expect(isOpen("python -m timeit 'sum(range(10))'")).toBe(false);
  });

  it('is found if a module directly follows its option', () => {
    expect(writes('python -mpip install --target=.. x')).toContain('..');
  });

  it('is found in a variable of make', () => {
    expect(isOpen("make 'X=$(shell touch /etc/x)'")).toBe(true);
    expect(writes("make CC='touch /etc/x'")).toContain('/etc/x');
    expect(isOpen("make CC='ccache gcc' -j4")).toBe(false);
  });

  it('is found in the import of a database', () => {
    expect(writes('sqlite3 a.db ".import \'|touch /etc/x\' t"')).toContain('/etc/x');
  });

  it('is found in the words that entr passes to a shell', () => {
    expect(writes("ls | entr -s 'rm /etc/x'")).toContain('/etc/x');
  });
});

describe('an output', () => {
  it('may be the target of an upload', () => {
    expect(writes('curl -T x file:///etc/x')).toContain('/etc/x');
  });

  it('may be the backups of an edited file', () => {
    expect(writes('sed --in-place=/etc/* s/a/b/ a')).toContain('/etc/x');
    expect(writes('sed -i/etc/* s/a/b/ a')).toContain('/etc/x');
  });

  it('may be in the working directory that an option sets', () => {
    for (const command of ['bun --cwd .. install', 'poetry -C .. install'])
      expect(writes(command), command).toContain('..');
  });

  it('may be next to the manifest', () => {
    expect(writes('cargo build --manifest-path ../x/Cargo.toml')).toContain('../x/target');
  });

  it('may be written by a subcommand', () => {
    for (const command of ['poetry new ../x', 'deno fmt ../x', 'go mod edit ../x'])
      expect(
        read(command).given.map((one) => one.path),
        command,
      ).toContain('../x');
  });

  it('may be the map file of a linker', () => {
    expect(writes('gcc -Wl,-Map=../x a.c')).toContain('../x');
  });

  it('may be in the directory cmake changes to', () => {
    expect(writes('cmake -E chdir .. touch x')).toContain('../x');
  });

  it('may be a parent directory after an equals sign', () => {
    expect(read('frob --dir=..').given.map((one) => one.path)).toContain('..');
  });

  it('may be in places that a file names', () => {
    expect(isOpen('find -files0-from list -delete')).toBe(true);
  });
});

describe('wildcards in quotes', () => {
  it('are expanded by the program itself', () => {
    expect(read('prettier --write "src/**/*.ts"').writes).toEqual([expect.objectContaining({ isPattern: true })]);
    expect(read('prettier --write "!src/**/*.ts"').writes).toEqual([]);
    expect(writes('prettier --write "../src/**/*.ts"')[0]).toMatch(/^\.\.\//);
  });
});

describe('another repository in place of this one', () => {
  it('must not be named by a file .git', () => {
    expect(ruleFor('sub/.git')).toBe('protected-path');
    expect(ruleFor('.GIT')).toBe('protected-path');
    expect(ruleFor('sub/.git', [], { protect: [] })).toBe('allowed');
  });

  it('must not be named by a file in .git', () => {
    for (const path of ['.git/commondir', '.git/worktrees/a/commondir', '.git/worktrees/a/config.worktree'])
      expect(ruleFor(path), path).toBe('protected-path');
  });

  it('must not run commands of a waiting rebase', () => {
    expect(ruleFor('.git/rebase-merge/git-rebase-todo')).toBe('protected-path');
  });

  it('must not get another name', () => {
    expect(isOpen('git init --separate-git-dir=evil')).toBe(true);
    expect(isOpen('git clone --separate-git-dir evil x y')).toBe(true);
  });
});

describe('a dispatcher', () => {
  const ruleOf = (args: unknown): string => {
    let rule = '';
    inProject([], (judge) => {
      rule = judge('invoke', args, { strict: true }).rule;
    });
    return rule;
  };

  it('passes a text or words to a shell', () => {
    expect(ruleOf({ name: 'shell', input: 'touch /etc/x' })).toBe('outside-path');
    expect(ruleOf({ tool: 'Bash', params: ['touch', '/etc/x'] })).toBe('outside-path');
    expect(ruleOf({ name: 'search', input: 'touch /etc/x' })).toBe('allowed');
  });

  it('runs the steps of a workflow', () => {
    expect(ruleOf({ steps: [{ run: 'touch /etc/x' }] })).toBe('outside-path');
  });
});
