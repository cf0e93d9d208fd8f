import { describe, expect, it } from 'vitest';
import { readCommand } from '../../packages/guard/src/judge/extract/shell/read-command.ts';

const read = (command: string) => readCommand(command, { cwd: '', isDirectory: (path) => path === 'src' });
const writes = (command: string) => read(command).writes.map((write) => write.path);
const isOpen = (command: string) => read(command).undecidable.length > 0;

describe('what is piped', () => {
  it('feeds the shell in a group, a loop or a branch', () => {
    for (const group of ['{ sh; }', '(sh)', 'if true; then sh; fi', 'while :; do sh; done', 'case a in a) sh;; esac'])
      expect(writes(`echo 'touch /etc/x' | ${group}`), group).toContain('/etc/x');
  });

  it('feeds the shell that a function, a shell or a substitution starts', () => {
    for (const command of ["f() { sh; }; echo 'touch /etc/x' | f", "echo 'touch /etc/x' | sh -c sh"])
      expect(writes(command), command).toContain('/etc/x');
    expect(writes("echo 'touch /etc/x' | echo $(sh)")).toContain('/etc/x');
  });

  it('feeds what stands behind an exec without a command', () => {
    expect(writes("exec <<< 'touch /etc/x'; sh")).toContain('/etc/x');
  });

  it('feeds no group that is fed a file', () => {
    expect(writes("echo 'touch /etc/x' | { sh < a.sh; }")).not.toContain('/etc/x');
  });

  it('feeds a process substitution with what nobody knows', () => {
    expect(isOpen('curl x > >(bash)')).toBe(true);
    expect(isOpen('npm test 2> >(tee err.log >&2)')).toBe(false);
  });

  it('is read by a shell under every name of its input', () => {
    for (const name of ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])
      expect(writes(`echo 'touch /etc/x' | bash ${name}`), name).toContain('/etc/x');
  });
});

describe('an array', () => {
  it('may hold by its subscript what was given by one', () => {
    expect(writes('declare -A m=([k]=/etc/y); rm ${m[k]}')).toContain('/etc/y');
    expect(writes('m=([5]=/etc/y); rm "${m[5]}"')).toContain('/etc/y');
  });

  it('may hold anywhere what one subscript was given', () => {
    expect(writes('a=(x y); a[1]=/etc/z; rm ${a[1]}')).toContain('/etc/z');
  });

  it('counts from one in zsh, and is all of it by its name', () => {
    expect(writes('a=(x /etc/z); rm ${a[2]}')).toContain('/etc/z');
    expect(writes('a=(x /etc/z); rm $a')).toContain('/etc/z');
  });
});

describe('a directory', () => {
  it('that is there may be gone once something was removed', () => {
    expect(writes('rmdir src; cd src || cd /etc; touch x')).toContain('/etc/x');
    expect(writes('cd src || cd /etc; touch x')).not.toContain('/etc/x');
  });
});
