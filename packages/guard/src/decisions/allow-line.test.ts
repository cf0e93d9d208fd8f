import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { allowLine } from './allow-line.ts';
import { toRecord } from './decision-record.ts';
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
});
