import { linkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Policy } from '../../packages/guard/src/policy/policy.ts';
import { inProject } from './judging.ts';

/** The decision about a call: `block` or `allow`, and the rule. */
function fate(name: string, args: unknown, overrides: Partial<Policy> = {}): string {
  let found = '';
  inProject([], (judge) => {
    const { decision, rule } = judge(name, args, overrides);
    found = `${decision} ${rule}`;
  });
  return found;
}

describe('a text whose first line is a path', () => {
  it('blocks a variable in the first line of a text that a writing tool gets', () => {
    expect(fate('Write', { input: '$HOME/x\nhello' })).toBe('block unresolvable-path');
  });

  it('blocks a first line with blanks that begins on the disk', () => {
    expect(fate('Write', { input: '/etc/my file\nhello' })).toBe('block outside-path');
  });

  it('finds no path in prose', () => {
    expect(fate('Write', { input: 'just prose\nmore' }, { strict: true })).toBe('block no-path-found');
  });
});

describe('the output path of an unknown tool', () => {
  it('is blocked outside in default mode', () => {
    expect(fate('frob', { save_to: '/no-such-top/x' })).toBe('block outside-path');
  });

  it('is blocked if it is only likely and its first component exists', () => {
    expect(fate('frob', { to: '/etc/x' })).toBe('block outside-path');
    expect(fate('frob', { target: '../x' })).toBe('block outside-path');
  });

  it('is not a page or a person', () => {
    expect(fate('frob', { to: '/no-such-top/x' })).toBe('allow unknown-tool');
  });
});

describe('the shell of a command', () => {
  it('reads a command in the shell an argument names', () => {
    expect(fate('run_command', { command: 'echo hi> ..\\x', shell: 'pwsh' })).toBe('block outside-path');
    expect(fate('run_command', { command: 'echo hi> ..\\x', shell: 'cmd.exe' })).toBe('block outside-path');
  });

  it('reads a command in every shell if the named one is unknown', () => {
    expect(fate('run_command', { command: 'echo hi> ..\\x', shell: 'mystery' })).toBe('block outside-path');
  });

  it('also reads it as a POSIX shell would', () => {
    expect(fate('run_command', { command: 'X=/etc; cp a $X/x', shell: 'powershell' })).toBe('block outside-path');
  });

  it('reports undecidable parts in a tool that is named for bash', () => {
    const call = { command: 'x() { y; }; $Z', shell: 'cmd' };
    expect(fate('bash', call, { strict: true })).toBe('block undecidable-command');
  });
});

describe('a hint of the configuration about an argument', () => {
  it('reads a command as one although a hint calls it a path', () => {
    const overrides = { pathParameterNames: ['command'] };
    expect(fate('frob', { command: 'cd .. && touch x' }, overrides)).toBe('block outside-path');
  });

  it('also reads a body as a path if a hint calls it one', () => {
    const overrides = { pathParameterNames: ['content'] };
    expect(fate('write_file', { path: 'a', content: '/etc/x' }, overrides)).toBe('block outside-path');
    expect(fate('write_file', { path: 'a', content: 'b\n/etc/x' }, overrides)).toBe('allow allowed');
  });
});

describe('the file the policy was read from', () => {
  const fates = (entries: readonly string[], calls: readonly (readonly [string, unknown])[]): string[] => {
    let found: string[] = [];
    inProject(entries, (judge, { workspace }) => {
      const overrides = { protect: [], policyFiles: [join(workspace, 'rules/guard.yaml')] };
      symlinkSync('guard.yaml', join(workspace, 'rules/link.yaml'));
      found = calls.map(([name, args]) => {
        const { decision, rule } = judge(name, args, overrides);
        return `${decision} ${rule}`;
      });
    });
    return found;
  };

  it('is never written, moved or deleted, by any name and with its directory', () => {
    const calls = [
      ['write_file', { path: 'rules/guard.yaml', content: '' }],
      ['write_file', { path: 'rules/link.yaml', content: '' }],
      ['write_file', { path: 'RULES/./Guard.yaml', content: '' }],
      ['delete_file', { path: 'rules' }],
      ['run_command', { command: 'mv rules old' }],
      ['run_command', { command: 'rm rules/*' }],
      ['run_command', { command: 'echo > rules/guard.yaml' }],
    ] as const;
    expect(fates(['rules/guard.yaml'], calls)).toEqual(calls.map(() => 'block protected-path'));
  });

  it('leaves files of that name elsewhere alone', () => {
    const calls = [
      ['write_file', { path: 'guard.yaml', content: '' }],
      ['write_file', { path: 'other/rules/guard.yaml', content: '' }],
      ['write_file', { path: 'rules/new.yaml', content: '' }],
    ] as const;
    expect(fates(['rules/guard.yaml'], calls)).toEqual(calls.map(() => 'allow allowed'));
  });

  it('is recognised by file identity, and not only by name', () => {
    inProject(['rules/guard.yaml'], (judge, { workspace }) => {
      linkSync(join(workspace, 'rules/guard.yaml'), join(workspace, 'same.yaml'));
      const overrides = { protect: [], policyFiles: [join(workspace, 'rules/guard.yaml')] };
      const { decision, rule } = judge('delete_file', { path: 'same.yaml' }, overrides);
      expect(`${decision} ${rule}`).toBe('block protected-path');
    });
  });
});
