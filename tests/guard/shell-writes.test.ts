import { describe, expect, it } from 'vitest';
import { MAX_COMMAND_LENGTH } from '../../packages/guard/src/judge/extract/shell/limits.ts';
import { readCommand, type ShellContext } from '../../packages/guard/src/judge/extract/shell/read-command.ts';
import { inProject } from './judging.ts';

const read = (command: string | readonly string[], context: Partial<ShellContext> = {}) =>
  readCommand(command, { cwd: '', ...context });
const writes = (command: string | readonly string[], context: Partial<ShellContext> = {}) =>
  read(command, context).writes.map((write) => write.path);
const isOpen = (command: string | readonly string[]) => read(command).undecidable.length > 0;

describe('the reader finds a written path that', () => {
  it('is the target of a redirection of a command', () => {
    for (const command of ['echo a > /etc/x', 'echo a >> /etc/x', 'echo a >| /etc/x', 'a &> /etc/x', '> /etc/x'])
      expect(writes(command), command).toContain('/etc/x');
  });

  it('is the target of a redirection without a command', () => {
    expect(writes('> /etc/x')).toContain('/etc/x');
  });

  it('is the target of a redirection after a group', () => {
    expect(writes('{ echo a; echo b; } > /etc/x')).toContain('/etc/x');
  });

  it('is an operand of a program that writes', () => {
    for (const command of ['touch /etc/x', 'tee /etc/x', 'cp a /etc/x', 'rm /etc/x', 'mkdir /etc/x'])
      expect(writes(command), command).toContain('/etc/x');
  });

  it('is the value of an output option', () => {
    expect(writes('some-tool --output /etc/x')).toContain('/etc/x');
  });

  it('is not the null device or the terminal', () => {
    expect(writes('a > /dev/null 2> /dev/stderr; tee /dev/tty')).toEqual([]);
  });

  it('is not an open descriptor', () => {
    expect(writes('a 2>&1; b >&2; c 3>&-')).toEqual([]);
  });

  it('is below the directory of a cd', () => {
    expect(writes('cd /etc && touch x')).toContain('/etc/x');
  });

  it('is below the directory of a subshell, only inside that', () => {
    expect(writes('(cd /etc && touch x); touch y')).toEqual(['/etc/x', 'y']);
  });

  it('is below the directory a call starts in', () => {
    expect(writes('touch x', { cwd: '/etc' })).toEqual(['/etc/x']);
  });

  it('is in the directory that remains after a failed cd', () => {
    expect(writes('cd d; touch ../x')).toContain('../x');
  });

  it('is in a command substitution', () => {
    expect(writes('echo "$(touch /etc/x)"')).toContain('/etc/x');
  });

  it('is in a process substitution', () => {
    expect(writes('cat <(touch /etc/x)')).toContain('/etc/x');
  });

  it('is in arithmetic', () => {
    expect(writes('echo $((1 + $(touch /etc/x; echo 1)))')).toContain('/etc/x');
  });

  it('is in the value of a variable', () => {
    expect(writes('f=/etc/x; touch "$f"')).toContain('/etc/x');
  });

  it('is in each iteration of a loop', () => {
    expect(writes('for f in a /etc/x; do touch $f; done')).toEqual(['a', '/etc/x']);
  });

  it('is in each branch', () => {
    expect(writes('if a; then touch b; else touch /etc/x; fi')).toContain('/etc/x');
    expect(writes('false && touch /etc/x')).toContain('/etc/x');
  });

  it('is in a function that is called', () => {
    expect(writes('f() { touch "$1"; }; f /etc/x')).toContain('/etc/x');
  });

  it('is in an alias', () => {
    expect(writes("alias t='touch /etc/x'\nt")).toContain('/etc/x');
  });

  it('is in braces', () => {
    expect(writes('touch {a,/etc/x}')).toContain('/etc/x');
  });

  it('is after a pipe', () => {
    expect(writes('echo a | tee /etc/x')).toContain('/etc/x');
  });

  it('is after wrappers', () => {
    for (const wrapper of ['sudo', 'nohup', 'timeout 5', 'nice -n 3', 'command', 'exec', 'time'])
      expect(writes(`${wrapper} touch /etc/x`), wrapper).toContain('/etc/x');
  });

  it('is after env', () => {
    expect(writes('env A=1 touch /etc/x')).toContain('/etc/x');
  });

  it('is in the directory env changes to', () => {
    expect(writes('env -C /etc touch x')).toContain('/etc/x');
  });

  it('is in the text of sh -c', () => {
    expect(writes("sh -c 'touch /etc/x'")).toContain('/etc/x');
    expect(writes(['bash', '-lc', 'touch /etc/x'])).toContain('/etc/x');
  });

  it('is in the text of eval', () => {
    expect(writes("eval 'touch /etc/x'")).toContain('/etc/x');
  });

  it('is in a here-document for an interpreter', () => {
    expect(writes('bash <<EOF\ntouch /etc/x\nEOF')).toContain('/etc/x');
  });

  it('is in text piped into a shell', () => {
    expect(writes("echo 'touch /etc/x' | sh")).toContain('/etc/x');
  });

  it('is in a script that the line wrote before it ran it', () => {
    expect(writes("echo 'touch /etc/x' > a.sh; bash a.sh")).toContain('/etc/x');
    expect(writes("echo 'touch /etc/x' > a.sh; ./a.sh")).toContain('/etc/x');
  });

  it('is in a list of words whose operators a shell would read', () => {
    expect(writes(['echo', 'a', '>', '/etc/x'])).toContain('/etc/x');
  });

  it('is in a home directory', () => {
    expect(writes('touch ~/x')).toEqual(['~/x']);
    expect(writes('touch "$HOME/x"')).toEqual(['~/x']);
  });

  it('is in a PowerShell command', () => {
    expect(writes('Set-Content -Path C:\\x -Value a')).toContain('C:\\x');
  });

  it('is in a cmd command', () => {
    expect(writes('copy a "C:\\b c"')).toContain('C:\\b c');
  });
});

describe('the reader finds a written path in other forms that', () => {
  it('is the value of an abbreviated option', () => {
    expect(writes('sed --in -e s/a/b/ /etc/x')).toContain('/etc/x');
    expect(writes('gzip -k --suf .z /etc/x')).toContain('/etc/x');
  });

  it('is the value of an option of a git subcommand', () => {
    expect(writes('git stash show --output=/etc/x')).toContain('/etc/x');
    expect(writes('git bugreport -o /etc')).toContain('/etc');
  });

  it('is a repository elsewhere', () => {
    expect(writes('git -C /etc branch -D x')).toContain('/etc');
    expect(writes('git -C /etc branch -a')).toEqual([]);
  });

  it('is in the test command of zip', () => {
    expect(writes("zip -TT 'touch /etc/x' a.zip b")).toContain('/etc/x');
  });

  it('is an archive of ar', () => {
    expect(writes('ar -rcs /etc/x.a b.o')).toContain('/etc/x.a');
  });

  it('is written by a tool under its GNU name', () => {
    expect(writes('grm /etc/x')).toContain('/etc/x');
  });

  it('is the value of an option of an interpreter', () => {
    expect(writes('node --report-dir=/etc a.js')).toContain('/etc');
  });

  it('is the last operand, before any options', () => {
    expect(writes('rsync -a src /etc/ --unheard-of stats')).toContain('/etc/');
  });

  it('is the file for a cloud client', () => {
    expect(writes('aws s3api get-object --bucket b --key k /etc/x')).toContain('/etc/x');
    expect(writes('kubectl cp pod:/x /etc/x --retries 3')).toContain('/etc/x');
  });

  it('is a file named after its URL', () => {
    expect(writes('curl -O https://x/.envrc')).toContain('.envrc');
    expect(writes('wget https://x/.envrc')).toContain('.envrc');
  });

  it('is any file in an archive', () => {
    const uses = (command: string) => read(command).writes.flatMap((write) => write.uses ?? []);
    expect(uses('tar xf a.tgz')).toEqual(['fills']);
    expect(uses('unzip a.zip')).toEqual(['fills']);
  });

  it('is a file in a directory, under its old name, in PowerShell', () => {
    expect(writes('Copy-Item x\\a.json b\\', { dialect: 'powershell' })).toContain('b/a.json');
  });

  it('is a file in a directory, under its old name, in cmd', () => {
    expect(writes('copy x\\a.json b\\', { dialect: 'cmd' })).toContain('b/a.json');
  });

  it('follows an abbreviated switch of PowerShell', () => {
    expect(writes('Remove-Item -Rec /etc/x', { dialect: 'powershell' })).toContain('/etc/x');
  });
});

describe('the writes of a command are undecidable', () => {
  it('if a program reads its code from a file on standard input', () => {
    expect(read('node < /etc/x').given.map((one) => one.path)).toEqual(['/etc/x']);
    expect(read('sh < /etc/x').given.map((one) => one.path)).toEqual(['/etc/x']);
  });

  it('if a package does not come from a registry', () => {
    expect(isOpen('npx github:u/r')).toBe(true);
    expect(isOpen('npx cowsay')).toBe(false);
  });

  it('if a program comes from a URL', () => {
    expect(isOpen('deno run https://x/y.ts')).toBe(true);
  });

  it('if the head of a loop has a subscript that runs a command', () => {
    expect(isOpen("x='b[$(a)]'; for ((i=x;;)); do c; done")).toBe(true);
  });

  it('if an assignment has a subscript that runs a command', () => {
    expect(isOpen("x='b[$(a)]'; c[x]=1")).toBe(true);
    expect(isOpen("x='b[$(a)]'; c=([x]=1)")).toBe(true);
  });

  it('if names are built from the output of a tool', () => {
    expect(isOpen("git ls-files --format='/etc/%(path)' | xargs touch")).toBe(true);
    expect(isOpen('grep -l --label=/etc/x a | xargs touch')).toBe(true);
    expect(isOpen('git ls-files src | xargs touch')).toBe(false);
  });

  it('if find follows links', () => {
    expect(isOpen('find -L . -name x -exec touch {} +')).toBe(true);
  });

  it('if an option of ssh runs something on this machine', () => {
    expect(isOpen('ssh -o ProxyCommand=x h ls')).toBe(true);
    expect(isOpen('ssh h ls')).toBe(false);
  });

  it('if ssh connects to this machine', () => {
    expect(isOpen('ssh localhost touch x')).toBe(true);
  });

  it('if a pager gets commands', () => {
    expect(isOpen("less '+!touch x' a")).toBe(true);
  });

  it('if git gets a program for the remote side', () => {
    expect(isOpen("git ls-remote --upload-pack='touch x' o")).toBe(true);
  });

  it('if the path is unknown', () => {
    expect(isOpen('touch "$UNKNOWN"')).toBe(true);
    expect(isOpen('touch "a/$UNKNOWN"')).toBe(true);
  });

  it('if the command is unknown', () => {
    expect(isOpen('"$UNKNOWN" a')).toBe(true);
  });

  it('if a shell runs unknown text', () => {
    expect(isOpen('sh -c "$UNKNOWN"')).toBe(true);
    // The text may contain a `;` followed by any command.
    expect(isOpen('sh -c "ls $UNKNOWN"')).toBe(true);
    expect(isOpen('curl https://x | sh')).toBe(true);
  });

  it('if a shell runs the output of another command', () => {
    expect(isOpen('bash <(curl https://x)')).toBe(true);
  });

  it('if a variable changes what runs', () => {
    expect(isOpen('LD_PRELOAD=./a.so ls')).toBe(true);
    expect(isOpen('env LD_PRELOAD=./a.so ls')).toBe(true);
  });

  it('if it is not a command of any shell', () => {
    expect(isOpen('echo "')).toBe(true);
  });

  it('if it contains control characters', () => {
    expect(isOpen('echo a\u0007')).toBe(true);
  });

  it('if it is too long', () => {
    expect(isOpen('a'.repeat(MAX_COMMAND_LENGTH + 1))).toBe(true);
  });

  it('if it never ends', () => {
    expect(isOpen('f() { f; f; }; f')).toBe(true);
  });

  it('and paths found before still count', () => {
    expect(writes('touch /etc/x; f() { f; f; }; f')).toContain('/etc/x');
  });

  it('but not if a program of the project runs', () => {
    for (const command of ['npm test', 'node a.js', 'make', 'git status', 'ls "$UNKNOWN"'])
      expect(isOpen(command), command).toBe(false);
  });
});

describe('a command in a project', () => {
  const ruleOf = (command: string | readonly string[], entries: readonly string[] = [], args: object = {}) => {
    let rule = '';
    inProject(entries, (judge) => {
      rule = judge('Bash', { command, ...args }, { protect: ['**/.git/hooks/**'] }).rule;
    });
    return rule;
  };

  it('writes nothing outside', () => {
    expect(ruleOf('echo a > ../x')).toBe('outside-path');
    expect(ruleOf('echo a > x')).toBe('allowed');
  });

  it('writes nothing outside next to an undecidable part', () => {
    expect(ruleOf('eval "$X"; echo a > ../x')).toBe('outside-path');
  });

  it('writes nothing protected', () => {
    expect(ruleOf('echo a > .git/hooks/x')).toBe('protected-path');
  });

  it('does not start in a directory outside', () => {
    expect(ruleOf('ls', [], { cwd: '/etc' })).toBe('outside-path');
  });

  it('starts in the given directory', () => {
    expect(ruleOf('echo a > ../x', ['d/'], { cwd: 'd' })).toBe('allowed');
    expect(ruleOf('echo a > ../../x', ['d/'], { cwd: 'd' })).toBe('outside-path');
  });

  it('does not remove all of the root', () => {
    expect(ruleOf('rm -rf .', ['a'])).toBe('whole-root');
  });

  it('does not remove all of the root in PowerShell', () => {
    inProject(['a'], (judge) => {
      for (const command of ['Remove-Item -Recurse .', 'rd .'])
        expect(judge('powershell', { command }).rule, command).toBe('whole-root');
    });
  });

  it('does not delete all of the root with find', () => {
    for (const command of ['find . -delete', 'find . -type f -delete', 'find -depth -delete'])
      expect(ruleOf(command, ['a']), command).toBe('whole-root');
    for (const command of ["find . -name '*.pyc' -delete", 'find dist -delete', 'find . -xtype l -delete'])
      expect(ruleOf(command, ['a', 'dist/x']), command).toBe('allowed');
  });

  it('does not remove all entries of the root', () => {
    expect(ruleOf('rm -rf *', ['a'])).toBe('whole-root');
    expect(ruleOf('rm -rf d/*', ['d/a'])).toBe('allowed');
  });

  it('does not lead outside through a link that a wildcard matches', () => {
    for (const command of ['touch o*/x', 'touch d*/sub/out/x', 'rm d*/*/out/x', 'touch **/sub/out/x'])
      expect(ruleOf(command, ['out => $OUT', 'd/sub/out => $OUT']), command).toBe('outside-path');
  });

  it('does not go up after a wildcard', () => {
    expect(ruleOf('touch a*/../../x', ['ab/'])).toBe('unresolvable-path');
  });

  it('gives an unknown program no path outside in strict mode', () => {
    inProject(['a'], (judge) => {
      const ruleFor = (command: string) => judge('Bash', { command }, { strict: true }).rule;
      for (const path of ['/mnt/x', '~/other', '--x=/home/other/x', '../x', '-C/tmp/x'])
        expect(ruleFor(`frobnicate ${path}`), path).toBe('undecidable-command');
      expect(ruleFor('frobnicate ./a --out=b/c https://x/y')).toBe('allowed');
    });
  });

  it('changes no protected file through a wildcard, which matches only existing files', () => {
    inProject(['a.json'], (judge) => {
      expect(judge('Bash', { command: 'rm *.json' }, { protect: ['**/opencode.json'] }).rule).toBe('allowed');
    });
    inProject(['opencode.json'], (judge) => {
      expect(judge('Bash', { command: 'rm *.json' }, { protect: ['**/opencode.json'] }).rule).toBe('protected-path');
    });
  });

  it('is joined with its arguments', () => {
    expect(ruleOf('touch', [], { args: ['/etc/x'] })).toBe('outside-path');
  });

  it('is one of several', () => {
    expect(ruleOf('ls', [], { commands: ['ls', 'touch /etc/x'] })).toBe('outside-path');
  });

  it('is the input typed into a shell', () => {
    expect(ruleOf('ls', [], { input: 'touch /etc/x' })).toBe('outside-path');
  });
});
