import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { allowLine } from './allow-line.ts';
import { type DecisionRecord, toRecord } from './decision-record.ts';
import type { RuleName } from '../decision.ts';
import { createJudge } from '../judge/judge.ts';
import { loadPolicy } from '../policy/load-policy.ts';
import { policyFor } from '../policy/policy-for.ts';
import { openPlace } from '../judge/place.ts';

const base = fileDir();
let root: string;
let other: string;
beforeAll(() => {
  root = join(base, 'my project #1');
  other = join(base, 'other');
  for (const dir of [root, other]) mkdirSync(dir);
});

const judge = (yaml: string | undefined, name: string, args: object) => {
  const loaded = loadPolicy(yaml === undefined ? {} : { yaml: { file: join(base, 'croft.config.yaml'), text: yaml } });
  const own = policyFor(loaded.policy, { project: root });
  const judge = createJudge(own, openPlace(own, root));
  try {
    return judge.judge({ name, arguments: args });
  } finally {
    judge.close();
  }
};
const lineFor = (name: string, args: object) => {
  const decision = judge(undefined, name, args);
  expect(decision.decision).toBe('block');
  return allowLine(toRecord(decision, { tool: name, wire: 'test', mode: 'enforce', root }, 'id', 0));
};

describe('the line that would allow a call', () => {
  it.each([
    ['an absolute path', () => ({ path: join(other, 'x.txt'), content: '' })],
    ['a relative path', () => ({ path: '../other/x.txt', content: '' })],
  ])('lets the very call pass that was blocked: %s', (_, args) => {
    const line = lineFor('write_file', args());
    expect(line?.says).toContain(other);
    expect(judge(line?.yaml, 'write_file', args()).decision).toBe('allow');
    expect(judge(line?.yaml, 'write_file', { path: join(base, 'third/x'), content: '' }).decision).toBe('block');
  });

  it('takes a protected file off the list, and leaves the rest of the list', () => {
    const args = { path: '.envrc', content: '' };
    const line = lineFor('write_file', args);
    expect(line?.says).toContain('.envrc');
    expect(judge(line?.yaml, 'write_file', args).decision).toBe('allow');
    expect(judge(line?.yaml, 'write_file', { path: '.git/hooks/pre-commit', content: '' }).decision).toBe('block');
  });

  it.each(['/x', '/etc', join(homedir(), 'x'), '~/x', '/home/somebody/x', '$HOME/a/x', '..', '../x'])(
    'offers nothing that would open a disk, a home, or a directory above the project: %s',
    (path) => {
      const line = lineFor('write_file', { path, content: '' });
      expect(line).toBeUndefined();
    },
  );

  it('offers nothing where no line would help', () => {
    const record = toRecord(
      { decision: 'block', rule: 'ambiguous-arguments', reason: '', paths: [], accepted: '' },
      { tool: 'x', wire: 'x', mode: 'enforce', root },
      'id',
      0,
    );
    expect(allowLine(record)).toBeUndefined();
    expect(
      allowLine({ ...record, rule: 'outside-path', paths: [{ written: '/a/…', read_as: '/a/…', inside: false }] }),
    ).toBeUndefined();
    expect(allowLine({ ...record, decision: 'allow' })).toBeUndefined();
  });

  const blocked = (rule: RuleName, ...paths: readonly string[]): DecisionRecord => ({
    ...toRecord(
      { decision: 'block', rule, reason: '', paths: [], accepted: '' },
      { tool: 'x', wire: 'x', mode: 'enforce', root: '/srv/my project' },
      'id',
      0,
    ),
    paths: paths.map((path) => ({ written: path, read_as: path, inside: false })),
  });

  it('names each directory once and in order', () => {
    expect(allowLine(blocked('outside-path', '/srv/b/x', '/srv/a/x', '/srv/b/y', '../c d/'))).toEqual({
      yaml: `sandboxing:
  projects:
    "/srv/my project":
      allowed_roots:
        - /srv/a
        - /srv/b
        - "/srv/c d"
`,
      says: 'Everything in /srv/a, /srv/b, /srv/c d (which must exist) may then be written, by every tool, from this project.',
    });
    expect(allowLine(blocked('outside-path', '~/p/q'))?.says).toContain(`Everything in ${join(homedir(), 'p')} (`);
    const record = blocked('unknown-tool', '/srv/a/x');
    const [path] = record.paths;
    if (path === undefined) throw new Error('no path');
    const inside = { ...path, written: '/srv/b/x', read_as: '/srv/b/x', inside: true };
    const unread = { ...path, read_as: '' };
    expect(allowLine({ ...record, root: '/srv/p', paths: [inside, unread] })?.yaml).toBe(
      'sandboxing:\n  projects:\n    /srv/p:\n      allowed_roots:\n        - /srv/a\n',
    );
    expect(allowLine({ ...record, paths: [inside] })).toBeUndefined();
    for (const bad of [
      '/srv/[redacted]/x',
      '/srv/a%b/x',
      'file:///srv/x',
      '/srv/\\u0041/x',
      '~u/a/x',
      '/Users/x',
      '/home/u/x',
      '/srv/x',
    ])
      expect(allowLine(blocked('outside-path', '/srv/a/x', bad)), bad).toBeUndefined();
    for (const root of [undefined, '/srv/…', '/srv/[redacted]']) expect(allowLine({ ...record, root })).toBeUndefined();
    expect(allowLine({ ...record, decision: 'allow' })).toBeUndefined();
  });

  it('leaves out each glob that blocks', () => {
    const now = { protect: ['a/b', '*.key', 'c/**'], denyRead: ['a', '**/d'] };
    const yaml = (...lines: readonly string[]) =>
      ['sandboxing:', '  projects:', '    "/srv/my project":', ...lines.map((line) => `      ${line}`), ''].join('\n');
    expect(allowLine(blocked('protected-path', 'x.key', 'a'), now)).toEqual({
      yaml: yaml('protect:', '  - "c/**"'),
      says: 'Files like a/b, *.key may then be written, by every tool, in this project. The rest of the list stays.',
    });
    expect(allowLine(blocked('denied-read', 'a', 'x/d'), now)).toEqual({
      yaml: yaml('deny_read: []'),
      says: 'Files like a, **/d may then be read, by every tool, in this project. The rest of the list stays.',
    });
    expect(allowLine(blocked('denied-read', 'x/d'), now)?.yaml).toBe(yaml('deny_read:', '  - "a"'));
    for (const rule of ['protected-path', 'denied-read'] as const)
      expect(allowLine(blocked(rule, 'other'), now), rule).toBeUndefined();
    expect(allowLine(blocked('protected-path', '.envrc'))?.says).toContain('.envrc');
    expect(allowLine(blocked('denied-read', '.env'))?.says).toContain('**/.env');
  });
});
