import { describe, expect, it } from 'vitest';
import {
  MAX_COMMAND_LENGTH,
  readCommand,
  type ShellContext,
} from '../../packages/guard/src/judge/extract/shell/read-command.ts';
import { inProject } from './judging.ts';

const read = (command: string | readonly string[], context: Partial<ShellContext> = {}) =>
  readCommand(command, { cwd: '', ...context });
const writes = (command: string | readonly string[], context: Partial<ShellContext> = {}) =>
  read(command, context).writes.map((write) => write.path);
const isOpen = (command: string | readonly string[]) => read(command).undecidable.length > 0;

describe('what a command writes', () => {
  it('is the target of a redirection of a command', () => {
    for (const command of ['echo a > /etc/x', 'echo a >> /etc/x', 'echo a >| /etc/x', 'a &> /etc/x', '> /etc/x'])
      expect(writes(command), command).toContain('/etc/x');
  });

  it('is the target of a redirection without a command', () => {
    expect(writes('> /etc/x')).toContain('/etc/x');
  });

  it('is the target of a redirection behind a group', () => {
    expect(writes('{ echo a; echo b; } > /etc/x')).toContain('/etc/x');
  });

  it('is what a program that writes names', () => {
    for (const command of ['touch /etc/x', 'tee /etc/x', 'cp a /etc/x', 'rm /etc/x', 'mkdir /etc/x'])
      expect(writes(command), command).toContain('/etc/x');
  });

  it('is what an option for an output names', () => {
    expect(writes('some-tool --output /etc/x')).toContain('/etc/x');
  });

  it('is no null device and no terminal', () => {
    expect(writes('a > /dev/null 2> /dev/stderr; tee /dev/tty')).toEqual([]);
  });

  it('is no descriptor that is open already', () => {
    expect(writes('a 2>&1; b >&2; c 3>&-')).toEqual([]);
  });

  it('lies below the directory that was gone to', () => {
    expect(writes('cd /etc && touch x')).toContain('/etc/x');
  });

  it('lies below the directory a subshell went to, and no further', () => {
    expect(writes('(cd /etc && touch x); touch y')).toEqual(['/etc/x', 'y']);
  });

  it('lies below the directory a call starts in', () => {
    expect(writes('touch x', { cwd: '/etc' })).toEqual(['/etc/x']);
  });

  it('lies where a cd that failed leaves the shell', () => {
    expect(writes('cd d; touch ../x')).toContain('../x');
  });

  it('stands in a substitution of a command', () => {
    expect(writes('echo "$(touch /etc/x)"')).toContain('/etc/x');
  });

  it('stands in a substitution of a process', () => {
    expect(writes('cat <(touch /etc/x)')).toContain('/etc/x');
  });

  it('stands in arithmetic', () => {
    expect(writes('echo $((1 + $(touch /etc/x; echo 1)))')).toContain('/etc/x');
  });

  it('stands in the value of a variable', () => {
    expect(writes('f=/etc/x; touch "$f"')).toContain('/etc/x');
  });

  it('stands in each turn of a loop', () => {
    expect(writes('for f in a /etc/x; do touch $f; done')).toEqual(['a', '/etc/x']);
  });

  it('stands in each branch', () => {
    expect(writes('if a; then touch b; else touch /etc/x; fi')).toContain('/etc/x');
    expect(writes('false && touch /etc/x')).toContain('/etc/x');
  });

  it('stands in a function that is called', () => {
    expect(writes('f() { touch "$1"; }; f /etc/x')).toContain('/etc/x');
  });

  it('stands in an alias', () => {
    expect(writes("alias t='touch /etc/x'\nt")).toContain('/etc/x');
  });

  it('stands in braces', () => {
    expect(writes('touch {a,/etc/x}')).toContain('/etc/x');
  });

  it('stands behind a pipe', () => {
    expect(writes('echo a | tee /etc/x')).toContain('/etc/x');
  });

  it('stands behind wrappers', () => {
    for (const wrapper of ['sudo', 'nohup', 'timeout 5', 'nice -n 3', 'command', 'exec', 'time'])
      expect(writes(`${wrapper} touch /etc/x`), wrapper).toContain('/etc/x');
  });

  it('stands behind env', () => {
    expect(writes('env A=1 touch /etc/x')).toContain('/etc/x');
  });

  it('lies where env goes to', () => {
    expect(writes('env -C /etc touch x')).toContain('/etc/x');
  });

  it('stands in the text of sh -c', () => {
    expect(writes("sh -c 'touch /etc/x'")).toContain('/etc/x');
    expect(writes(['bash', '-lc', 'touch /etc/x'])).toContain('/etc/x');
  });

  it('stands in the text of eval', () => {
    expect(writes("eval 'touch /etc/x'")).toContain('/etc/x');
  });

  it('stands in a document for an interpreter', () => {
    expect(writes('bash <<EOF\ntouch /etc/x\nEOF')).toContain('/etc/x');
  });

  it('stands in what is piped into a shell', () => {
    expect(writes("echo 'touch /etc/x' | sh")).toContain('/etc/x');
  });

  it('stands in a script the line wrote before it ran it', () => {
    expect(writes("echo 'touch /etc/x' > a.sh; bash a.sh")).toContain('/etc/x');
    expect(writes("echo 'touch /etc/x' > a.sh; ./a.sh")).toContain('/etc/x');
  });

  it('stands in a list of words whose operators a shell would read', () => {
    expect(writes(['echo', 'a', '>', '/etc/x'])).toContain('/etc/x');
  });

  it('stands in a home directory', () => {
    expect(writes('touch ~/x')).toEqual(['~/x']);
    expect(writes('touch "$HOME/x"')).toEqual(['~/x']);
  });

  it('stands in the words of PowerShell', () => {
    expect(writes('Set-Content -Path C:\\x -Value a')).toContain('C:\\x');
  });

  it('stands in the words of cmd', () => {
    expect(writes('copy a "C:\\b c"')).toContain('C:\\b c');
  });
});

describe('what a command writes, by other words', () => {
  it('is what an option cut short names', () => {
    expect(writes('sed --in -e s/a/b/ /etc/x')).toContain('/etc/x');
    expect(writes('gzip -k --suf .z /etc/x')).toContain('/etc/x');
  });

  it('is what an option of a subcommand of git names', () => {
    expect(writes('git stash show --output=/etc/x')).toContain('/etc/x');
    expect(writes('git bugreport -o /etc')).toContain('/etc');
  });

  it('is a repository elsewhere', () => {
    expect(writes('git -C /etc branch -D x')).toContain('/etc');
    expect(writes('git -C /etc branch -a')).toEqual([]);
  });

  it('is what zip runs to test an archive', () => {
    expect(writes("zip -TT 'touch /etc/x' a.zip b")).toContain('/etc/x');
  });

  it('is what ar makes', () => {
    expect(writes('ar -rcs /etc/x.a b.o')).toContain('/etc/x.a');
  });

  it('is written by a tool under its name of GNU', () => {
    expect(writes('grm /etc/x')).toContain('/etc/x');
  });

  it('is what an option of an interpreter names', () => {
    expect(writes('node --report-dir=/etc a.js')).toContain('/etc');
  });

  it('is the last of the operands, whatever stands behind it', () => {
    expect(writes('rsync -a src /etc/ --unheard-of stats')).toContain('/etc/');
  });

  it('is the file a client of a cloud is given', () => {
    expect(writes('aws s3api get-object --bucket b --key k /etc/x')).toContain('/etc/x');
    expect(writes('kubectl cp pod:/x /etc/x --retries 3')).toContain('/etc/x');
  });

  it('is a file by the name in its address', () => {
    expect(writes('curl -O https://x/.envrc')).toContain('.envrc');
    expect(writes('wget https://x/.envrc')).toContain('.envrc');
  });

  it('is all that an archive holds', () => {
    const uses = (command: string) => read(command).writes.flatMap((write) => write.uses ?? []);
    expect(uses('tar xf a.tgz')).toEqual(['fills']);
    expect(uses('unzip a.zip')).toEqual(['fills']);
  });

  it('is a file in a directory, by the name it had, in PowerShell', () => {
    expect(writes('Copy-Item x\\a.json b\\', { dialect: 'powershell' })).toContain('b/a.json');
  });

  it('is a file in a directory, by the name it had, in cmd', () => {
    expect(writes('copy x\\a.json b\\', { dialect: 'cmd' })).toContain('b/a.json');
  });

  it('is what a switch of PowerShell that is cut short stands before', () => {
    expect(writes('Remove-Item -Rec /etc/x', { dialect: 'powershell' })).toContain('/etc/x');
  });
});

describe('it cannot be told what a command writes', () => {
  it('where a program reads its code from a file that is fed to it', () => {
    expect(read('node < /etc/x').given.map((one) => one.path)).toEqual(['/etc/x']);
    expect(read('sh < /etc/x').given.map((one) => one.path)).toEqual(['/etc/x']);
  });

  it('where a package comes from no registry', () => {
    expect(isOpen('npx github:u/r')).toBe(true);
    expect(isOpen('npx cowsay')).toBe(false);
  });

  it('where a program comes from an address', () => {
    expect(isOpen('deno run https://x/y.ts')).toBe(true);
  });

  it('where the head of a loop has a subscript that runs a command', () => {
    expect(isOpen("x='b[$(a)]'; for ((i=x;;)); do c; done")).toBe(true);
  });

  it('where an assignment has a subscript that runs a command', () => {
    expect(isOpen("x='b[$(a)]'; c[x]=1")).toBe(true);
    expect(isOpen("x='b[$(a)]'; c=([x]=1)")).toBe(true);
  });

  it('where names are made of what a tool lists', () => {
    expect(isOpen("git ls-files --format='/etc/%(path)' | xargs touch")).toBe(true);
    expect(isOpen('grep -l --label=/etc/x a | xargs touch')).toBe(true);
    expect(isOpen('git ls-files src | xargs touch')).toBe(false);
  });

  it('where find follows links', () => {
    expect(isOpen('find -L . -name x -exec touch {} +')).toBe(true);
  });

  it('where ssh is told to run something here', () => {
    expect(isOpen('ssh -o ProxyCommand=x h ls')).toBe(true);
    expect(isOpen('ssh h ls')).toBe(false);
  });

  it('where ssh leads back here', () => {
    expect(isOpen('ssh localhost touch x')).toBe(true);
  });

  it('where a pager is given commands', () => {
    expect(isOpen("less '+!touch x' a")).toBe(true);
  });

  it('where git is given a program for the other side', () => {
    expect(isOpen("git ls-remote --upload-pack='touch x' o")).toBe(true);
  });

  it('where the path is not known', () => {
    expect(isOpen('touch "$UNKNOWN"')).toBe(true);
    expect(isOpen('touch "a/$UNKNOWN"')).toBe(true);
  });

  it('where the command is not known', () => {
    expect(isOpen('"$UNKNOWN" a')).toBe(true);
  });

  it('where a shell runs a text that is not known', () => {
    expect(isOpen('sh -c "$UNKNOWN"')).toBe(true);
    // The text may contain a `;` followed by any command.
    expect(isOpen('sh -c "ls $UNKNOWN"')).toBe(true);
    expect(isOpen('curl https://x | sh')).toBe(true);
  });

  it('where a shell runs what another command made', () => {
    expect(isOpen('bash <(curl https://x)')).toBe(true);
  });

  it('where a variable changes what runs', () => {
    expect(isOpen('LD_PRELOAD=./a.so ls')).toBe(true);
    expect(isOpen('env LD_PRELOAD=./a.so ls')).toBe(true);
  });

  it('where it is no command of any shell', () => {
    expect(isOpen('echo "')).toBe(true);
  });

  it('where it holds control characters', () => {
    expect(isOpen('echo a\u0007')).toBe(true);
  });

  it('where it is too long', () => {
    expect(isOpen('a'.repeat(MAX_COMMAND_LENGTH + 1))).toBe(true);
  });

  it('where it never ends', () => {
    expect(isOpen('f() { f; f; }; f')).toBe(true);
  });

  it('and what was found before counts all the same', () => {
    expect(writes('touch /etc/x; f() { f; f; }; f')).toContain('/etc/x');
  });

  it('and not where a program of the project runs', () => {
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

  it('writes nothing outside beside what is undecidable', () => {
    expect(ruleOf('eval "$X"; echo a > ../x')).toBe('outside-path');
  });

  it('writes nothing protected', () => {
    expect(ruleOf('echo a > .git/hooks/x')).toBe('protected-path');
  });

  it('starts in no directory outside', () => {
    expect(ruleOf('ls', [], { cwd: '/etc' })).toBe('outside-path');
  });

  it('starts where it is told to', () => {
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

  it('does not find and delete all of the root', () => {
    for (const command of ['find . -delete', 'find . -type f -delete', 'find -depth -delete'])
      expect(ruleOf(command, ['a']), command).toBe('whole-root');
    for (const command of ["find . -name '*.pyc' -delete", 'find dist -delete', 'find . -xtype l -delete'])
      expect(ruleOf(command, ['a', 'dist/x']), command).toBe('allowed');
  });

  it('does not remove all that is in the root', () => {
    expect(ruleOf('rm -rf *', ['a'])).toBe('whole-root');
    expect(ruleOf('rm -rf d/*', ['d/a'])).toBe('allowed');
  });

  it('leads outside by no link that a wildcard finds', () => {
    expect(ruleOf('touch o*/x', ['out => $OUT'])).toBe('outside-path');
  });

  it('goes up behind no wildcard', () => {
    expect(ruleOf('touch a*/../../x', ['ab/'])).toBe('unresolvable-path');
  });

  it('gives a program nobody knows no path outside, when it is strict', () => {
    inProject(['a'], (judge) => {
      const ruleFor = (command: string) => judge('Bash', { command }, { strict: true }).rule;
      for (const path of ['/mnt/x', '~/other', '--x=/home/other/x', '../x', '-C/tmp/x'])
        expect(ruleFor(`frobnicate ${path}`), path).toBe('undecidable-command');
      expect(ruleFor('frobnicate ./a --out=b/c https://x/y')).toBe('allowed');
    });
  });

  it('changes what is protected by no wildcard, and what is not there is not meant', () => {
    inProject(['a.json'], (judge) => {
      expect(judge('Bash', { command: 'rm *.json' }, { protect: ['**/opencode.json'] }).rule).toBe('allowed');
    });
    inProject(['opencode.json'], (judge) => {
      expect(judge('Bash', { command: 'rm *.json' }, { protect: ['**/opencode.json'] }).rule).toBe('protected-path');
    });
  });

  it('is put together with its arguments', () => {
    expect(ruleOf('touch', [], { args: ['/etc/x'] })).toBe('outside-path');
  });

  it('is one of several', () => {
    expect(ruleOf('ls', [], { commands: ['ls', 'touch /etc/x'] })).toBe('outside-path');
  });

  it('is what is typed into it', () => {
    expect(ruleOf('ls', [], { input: 'touch /etc/x' })).toBe('outside-path');
  });
});
