import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { loadPolicy } from './load-policy.ts';
import { alsoTightened, liesIn, policyFor } from './policy-for.ts';

const FILE = '/etc/guard/croft.config.yaml';
const load = (text: string, input: Omit<Parameters<typeof loadPolicy>[0], 'yaml'> = {}) =>
  loadPolicy({ ...input, yaml: { file: FILE, text } });

describe('overrides', () => {
  const root = fileDir();
  beforeAll(() => {
    mkdirSync(join(root, 'proj'));
    symlinkSync('proj', join(root, 'alias'));
  });

  it('apply to a project and its subdirectories, under any of their names, and to nothing else', () => {
    const { policy } = load(
      `sandboxing: {allowed_roots: [/a], projects: {${root}/alias: {strict_mode: true, allowed_roots: [/b]}}}`,
    );
    for (const project of [join(root, 'proj'), join(root, 'alias'), join(root, 'proj', 'packages')])
      expect(policyFor(policy, { project })).toMatchObject({ strict: true, allowedRoots: ['/a', '/b'] });
    for (const project of [root, join(root, 'project'), undefined])
      expect(policyFor(policy, { project })).toMatchObject({ strict: false, allowedRoots: ['/a'] });
  });

  it('of an agent win over those of a model, and those over those of a project', () => {
    const { policy } = load(
      `sandboxing: {agents: {"^cur": {mode: enforce}}, models: {gpt: {mode: dry-run, remote: true}}, projects: {/p: {mode: enforce, strict_mode: true}}}`,
    );
    expect(policyFor(policy, { project: '/p', model: 'GPT-6', agent: 'cursor' })).toMatchObject({
      mode: 'enforce',
      remote: true,
      strict: true,
    });
    expect(policyFor(policy, { project: '/p', model: 'gpt-6', agent: 'other' }).mode).toBe('dry-run');
  });

  it('never override a flag or the environment', () => {
    const { policy } = load('sandboxing: {agents: {x: {enabled: false, mode: dry-run}}}', {
      flags: { enableSandboxing: true },
    });
    expect(policyFor(policy, { agent: 'x' })).toMatchObject({ enabled: true, mode: 'dry-run' });
    const strict = load('sandboxing: {agents: {x: {strict_mode: false}}}', { env: { SANDBOXING_STRICT_MODE: 'on' } });
    expect(policyFor(strict.policy, { agent: 'x' }).strict).toBe(true);
  });

  it('never undo what the file of the project tightens', () => {
    const { policy } = load('sandboxing: {agents: {x: {strict_mode: false, protect: false}}}', {
      project: { file: '/p/croft.config.yaml', text: 'sandboxing: {strict_mode: true, protect: [Makefile]}' },
    });
    expect(policyFor(policy, { project: '/p', agent: 'x' })).toMatchObject({ strict: true, protect: ['Makefile'] });
  });

  it('leave the resolved policy without overrides', () => {
    expect(policyFor(loadPolicy({}).policy, {})).not.toHaveProperty('overrides');
  });
});

it('adds the tightening and the files of the policy of another project', () => {
  const project = (file: string, text: string) => load('', { project: { file, text: `sandboxing: ${text}` } }).policy;
  const one = project('/one/c.yaml', '{strict_mode: true, protect: [a]}');
  const other = project('/other/c.yaml', '{deny_read: [x], protect: [b]}');
  expect(alsoTightened(one, other)).toEqual({
    ...one,
    denyRead: ['x'],
    protect: [...one.protect, 'b'],
    tightening: { strict: true, denyRead: ['x'], protect: ['b', 'a'] },
    policyFiles: [FILE, '/one/c.yaml', '/other/c.yaml'],
  });
});

it('finds whether a directory is in another one', () => {
  expect(['/a', '/a/b', '/ab', '/', 'a'].map(liesIn('/a'))).toEqual([true, true, false, false, false]);
  expect(['/', '/a', 'a'].map(liesIn('/'))).toEqual([true, true, false]);
});
