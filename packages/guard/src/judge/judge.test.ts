import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeScratch, type Scratch } from '../../../workspace/src/testing.ts';
import type { Decision } from '../decision.ts';
import { createJudge, judgeToolCall } from './judge.ts';
import { openPlace } from './place.ts';
import type { Policy } from '../policy/policy.ts';
import { testPolicy } from '../testing.ts';

let scratch: Scratch;

beforeEach(() => {
  scratch = makeScratch(['src/a.ts', 'out => $OUT', 'link.env => .env', '.env = SECRET', 'package.json']);
});

afterEach(() => scratch.remove());

function judge(name: string, args: unknown, overrides: Partial<Policy> = {}): Decision {
  return judgeToolCall({ name, arguments: args }, testPolicy(overrides), scratch.workspace);
}

describe('a judge', () => {
  it('reports the path as written, its reading, the reason and what it would accept', () => {
    expect(judge('write_file', { path: '%2e%2e/x', content: '' })).toEqual({
      decision: 'block',
      rule: 'outside-path',
      reason: "Path '../x' is outside the project directory",
      paths: [{ written: '%2e%2e/x', read_as: '../x', inside: false }],
      accepted: `Use a path inside ${scratch.workspace}, such as src/x.ts, or a relative one.`,
    });
    expect(judge('write_file', { path: join(scratch.workspace, 'src/a.ts'), content: '' })).toMatchObject({
      decision: 'allow',
      rule: 'allowed',
      paths: [{ read_as: 'src/a.ts', inside: true }],
    });
  });

  it('reports that a writing call writes inside, and that others write nothing', () => {
    expect(judge('Bash', { command: 'cp src/a.ts src/b.ts' })).toMatchObject({
      decision: 'allow',
      reason: 'Every path is inside the project directory',
      paths: [{ read_as: 'src/b.ts' }],
    });
    expect(judge('Bash', { command: 'ls' }).reason).toBe('The command writes nothing outside the project directory');
    expect(judge('Read', { file_path: 'src/a.ts' }).reason).toBe('The tool writes no files');
  });

  it('reveals nothing about the host that the call did not name itself', () => {
    const told = JSON.stringify(judge('write_file', { path: '~/.ssh/x', content: '' }));
    expect(told).not.toContain(process.env['HOME']);
    expect(JSON.stringify(judge('write_file', { path: 'out/x', content: '' }))).not.toContain(scratch.outside);
  });

  it('blocks every call without a root, and if the root was deleted', () => {
    expect(judgeToolCall({ name: 'read_file', arguments: { path: 'x' } }, testPolicy(), undefined)).toMatchObject({
      decision: 'block',
      rule: 'no-project-root',
    });
    expect(
      judgeToolCall({ name: 'read_file', arguments: {} }, testPolicy(), join(scratch.base, 'nothing')),
    ).toMatchObject({ decision: 'block', rule: 'no-project-root' });
  });

  it('blocks when it fails itself', () => {
    const policy = testPolicy();
    const place = openPlace(policy, scratch.workspace);
    const broken = {
      ...place,
      locate: () => {
        throw new Error('/a/host/path');
      },
    };
    const decision = createJudge(policy, broken).judge({ name: 'write_file', arguments: { path: 'x', content: '' } });
    expect(decision).toMatchObject({ decision: 'block', rule: 'failure' });
    expect(decision.reason).not.toContain('/a/host/path');
    place.close();
    expect(createJudge(policy, place).judge({ name: 'Write', arguments: { file_path: 'x' } }).decision).toBe('block');
  });

  it('does not throw on hostile objects', () => {
    const getter = Object.defineProperty({}, 'path', {
      enumerable: true,
      get() {
        throw new Error('no');
      },
    });
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const args of [getter, circle, 7, true, Symbol.iterator, () => 1, 12n, new Map([['path', '/etc/x']])])
      expect(['block', 'allow']).toContain(judge('write_file', args).decision);
    expect(judge('write_file', getter)).toMatchObject({ decision: 'block', rule: 'failure' });
    expect(judge('write_file', circle)).toMatchObject({ decision: 'block', rule: 'too-large' });
  });

  it('lets excluded tools pass before anything else, and nothing inside other tools', () => {
    const overrides = { excludedTools: [/^safe_/i] };
    expect(judge('safe_write_file', { path: '/etc/x' }, overrides).decision).toBe('allow');
    expect(judge('unsafe_write_file', { path: '/etc/x' }, overrides).decision).toBe('block');
    expect(judge('Safe_x', '{', overrides).decision).toBe('allow');
  });

  it('uses the configured tool patterns and path names', () => {
    const args = { wo: '/etc/x' };
    expect(judge('speichern', args).decision).toBe('allow');
    expect(judge('speichern', args, { customToolPatterns: [/^speichern$/i] }).decision).toBe('block');
    expect(judge('write_file', { code: '/etc/x', path: 'a' }, { pathParameterNames: ['code'] }).decision).toBe('block');
    expect(judge('write_file', { path: '/etc/x' }, { pathParameterNames: [] }).decision).toBe('block');
  });

  it('gives whole decisions', () => {
    const decision = (more: Partial<Decision>): Decision =>
      ({ decision: 'allow', rule: 'allowed', paths: [], accepted: '', ...more }) as Decision;
    expect(judge('safe', {}, { excludedTools: [/safe/g] })).toEqual(
      decision({ reason: 'This tool is excluded from the guard by its configuration' }),
    );
    expect(judge('safe', {}, { enabled: false })).toEqual(decision({ reason: 'The guard is switched off' }));
    const call = (text: string, name: string) =>
      judgeToolCall({ name, arguments: text, isText: true }, testPolicy(), scratch.workspace);
    expect(call('x', 'python')).toEqual(
      decision({
        rule: 'undecidable-command',
        reason: 'It is not known what a program given as text writes',
        undecidable: true,
      }),
    );
    expect(call(' '.repeat(16 * 1024 * 1024 + 1), 'Bash')).toEqual(
      decision({
        decision: 'block',
        rule: 'too-large',
        reason: 'The input is too long to be judged',
        accepted: 'Split the call into smaller ones.',
      }),
    );
    expect(judgeToolCall({ name: 'x', arguments: {} }, testPolicy(), undefined)).toEqual(
      decision({
        decision: 'block',
        rule: 'no-project-root',
        reason: 'No project directory is known, so no tool call passes',
        accepted:
          'A person can make the directory a project, for example with git init (not in a home directory), or name one with --root.',
      }),
    );
    expect(judgeToolCall({ name: 'x', arguments: {} }, testPolicy(), join(scratch.base, 'nothing'))).toEqual(
      decision({
        decision: 'block',
        rule: 'no-project-root',
        reason: 'The project directory is missing or cannot be opened, so no tool call passes',
      }),
    );
  });

  it('judges a text as a command, a patch, JSON or a path, by the tool', () => {
    const rule = (text: string, name: string) =>
      judgeToolCall({ name, arguments: text, isText: true }, testPolicy(), scratch.workspace).rule;
    const patch = '*** Begin Patch\n*** Add File: /etc/x\n+a\n*** End Patch';
    for (const [text, name, expected] of [
      ['touch /etc/x', 'Bash', 'outside-path'],
      ['touch src/x', 'Bash', 'allowed'],
      [patch, 'apply_patch', 'outside-path'],
      [patch, 'other', 'outside-path'],
      [patch.replace('/etc/x', 'src/x'), 'other', 'allowed'],
      ['{"path":"/etc/x"}', 'write_file', 'outside-path'],
      ['{"path":"src/x"}', 'write_file', 'allowed'],
      ['{"path":"/etc/x"', 'write_file', 'allowed'],
      ['{"a":1,"a":2}', 'write_file', 'ambiguous-arguments'],
      ['"/etc/x"', 'write_file', 'outside-path'],
      ['/etc/x', 'write_file', 'outside-path'],
      ['{"tool":"Bash","arguments":{"command":"touch /etc/x"}}', 'other', 'outside-path'],
      ['await tools.write_file({path: "/etc/x"})', 'exec', 'outside-path'],
    ] as const)
      expect([text, name, rule(text, name)]).toEqual([text, name, expected]);
  });

  it('judges calls inside a call up to a depth and a number', () => {
    const nested = (depth: number): object =>
      depth === 0 ? { path: 'src/x' } : { tool: 'use', arguments: nested(depth - 1) };
    expect([judge('use', nested(8)).rule, judge('use', nested(9)).rule]).toEqual(['allowed', 'too-large']);
    const many = (count: number) => ({
      calls: Array.from({ length: count }, () => ({ tool: 'read_file', arguments: { path: 'a' } })),
    });
    expect([judge('read_all', many(999)).rule, judge('read_all', many(1_000)).rule]).toEqual(['allowed', 'too-large']);
    expect(judge('read_all', many(1_000)).reason).toBe('The call carries too many other calls');
  });

  it('closes its place', () => {
    const closed: string[] = [];
    const policy = testPolicy();
    const place = openPlace(policy, scratch.workspace);
    createJudge(policy, { ...place, close: () => closed.push('closed') }).close();
    place.close();
    expect(closed).toEqual(['closed']);
  });

  it('is off when the policy says so', () => {
    expect(judge('write_file', { path: '/etc/x' }, { enabled: false }).decision).toBe('allow');
  });

  it('lets the mode decide undecidable calls, and marks the decision', () => {
    for (const [name, args, rule] of [
      ['write_file', { content: 'x' }, 'no-path-found'],
      ['frobnicate', { path: '/etc/x' }, 'unknown-tool'],
      ['python', { code: 'x' }, 'undecidable-command'],
    ] as const) {
      expect(judge(name, args)).toMatchObject({ decision: 'allow', rule, undecidable: true, accepted: '' });
      expect(judge(name, args, { strict: true })).toMatchObject({ decision: 'block', rule, undecidable: true });
    }
  });

  it('restricts reading where it is asked to, links and homes included', () => {
    const overrides = { denyRead: ['**/.env', '~/.ssh/**', '**/*.pem'] };
    for (const path of [
      '.env',
      './.env',
      'src/../.env',
      join(scratch.workspace, '.env'),
      '.ENV',
      'link.env',
      '~/.ssh/id_rsa',
      `${process.env['HOME']}/.ssh/id_rsa`,
      '/etc/ssl/x.pem',
      'file:///x/.env',
      '%2eenv',
      '".env"',
    ])
      expect(judge('Read', { file_path: path }, overrides), path).toMatchObject({
        decision: 'block',
        rule: 'denied-read',
      });
    for (const path of ['.env.example', 'src/a.ts', '/etc/hosts', 'env'])
      expect(judge('Read', { file_path: path }, overrides).decision, path).toBe('allow');
    expect(judge('Read', { file_path: '.env' }).decision).toBe('allow');
  });

  it('judges paths on another host as text, by both systems’ rules', () => {
    const remote = (root: string, path: string) =>
      judgeToolCall({ name: 'Write', arguments: { file_path: path, content: '' } }, testPolicy({ remote: true }), root)
        .decision;
    for (const path of ['src/a.ts', '/work/p/src/a.ts', './x', 'a/../b', 'src\\a.ts'])
      expect(remote('/work/p', path), path).toBe('allow');
    for (const path of [
      '../x',
      '/work/p2/x',
      '..\\x',
      'C:\\x',
      '\\x',
      '~/x',
      '/etc/x',
      'a/../../x',
      '\\\\srv\\x',
      '@/etc/x',
    ])
      expect(remote('/work/p', path), path).toBe('block');
    for (const path of ['src\\a.ts', 'C:\\work\\p\\a.ts', 'c:/WORK/p/a.ts', 'a/b'])
      expect(remote('C:\\work\\p', path), path).toBe('allow');
    for (const path of ['..\\x', 'C:\\work\\p2\\x', 'D:\\x', 'C:x', '\\x', '/x', 'a.txt:s', '\\\\srv\\c$\\x', 'NUL'])
      expect(remote('C:\\work\\p', path), path).toBe('block');
  });

  it('allows writing in further roots, by absolute and by relative paths', () => {
    const further = join(scratch.base, 'further');
    mkdirSync(further);
    writeFileSync(join(further, 'x'), '');
    const overrides = { allowedRoots: [further, join(scratch.base, 'missing')] };
    for (const path of [join(further, 'x'), '../further/y', 'src/../../further/x'])
      expect(judge('write_file', { path, content: '' }, overrides), path).toMatchObject({ decision: 'allow' });
    for (const path of ['../outside/x', join(further, '../x'), '../further/../x', '/etc/x', `${further}2/x`])
      expect(judge('write_file', { path, content: '' }, overrides).decision, path).toBe('block');
    expect(judge('write_file', { path: join(further, 'x'), content: '' }).decision).toBe('block');
  });

  it('keeps protected files from being written, and moved or deleted with their directory', () => {
    const overrides = { protect: ['**/.git/hooks/**', 'build/*.lock'] };
    for (const [name, args] of [
      ['Write', { file_path: '.git/hooks/x' }],
      ['delete_directory', { path: '.git' }],
      ['Write', { file_path: 'build/a.LOCK' }],
      ['move_file', { source: 'build', destination: 'b' }],
    ] as const)
      expect(judge(name, { ...args, content: '' }, overrides), name).toMatchObject({ rule: 'protected-path' });
    expect(judge('Write', { file_path: '.git/x', content: '' }, overrides).decision).toBe('allow');
    expect(judge('delete_directory', { path: 'src' }, overrides).decision).toBe('allow');
    expect(judge('Write', { file_path: '.git/hooks/x', content: '' }, { protect: [] }).decision).toBe('allow');
  });

  it('bounds its output about hostile calls', () => {
    const long = judge('write_file', { path: `/etc/${'x'.repeat(100_000)}`, content: '' });
    expect(long.reason.length).toBeLessThan(400);
    expect(judge('write_file', { path: '/etc/\u001b[2J\n', content: '' }).reason).not.toMatch(/[\x00-\x1f]/);
    const many = judge('write_files', { paths: Array.from({ length: 3_000 }, (_, i) => `src/${i}`), content: '' });
    expect(many.decision).toBe('allow');
    expect(many.paths.length).toBeLessThanOrEqual(100);
    expect(judge('write_files', { paths: Array.from({ length: 5_000 }, (_, i) => `src/${i}`) })).toMatchObject({
      rule: 'too-large',
    });
  });
});
