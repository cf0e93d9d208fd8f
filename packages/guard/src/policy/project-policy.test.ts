import { describe, expect, it } from 'vitest';
import { DEFAULT_PATH_PARAMETERS } from './default-patterns.ts';
import { loadPolicy } from './load-policy.ts';
import { policyFor } from './policy-for.ts';
import type { PolicyChanges } from './policy-values.ts';
import { bothTightenings, tighten, tighteningKeys } from './project-policy.ts';
import { testPolicy } from '../testing.ts';

const FILE = '/etc/guard/croft.config.yaml';
const load = (text: string, input: Omit<Parameters<typeof loadPolicy>[0], 'yaml'> = {}) =>
  loadPolicy({ ...input, yaml: { file: FILE, text } });

describe("a project's own file", () => {
  const MINE = '/repo/croft.config.yaml';
  const both = (text: string, yaml = '', input: Omit<Parameters<typeof loadPolicy>[0], 'yaml' | 'project'> = {}) =>
    load(yaml, { ...input, project: { file: MINE, text: `sandboxing:\n  ${text}\n` } });

  it.each([
    ['enabled: false'],
    ['mode: dry-run'],
    ['allow_parent_access: true'],
    ['remote: true'],
    ['excluded_tools: [x]'],
    ['default_tool_patterns: [x]'],
    ['allowed_roots: [/x]'],
    ['path_parameter_names: [my_path, command]'],
    ['protect: []'],
    ['protect: false'],
    ['projects: {/repo: {strict_mode: true}}'],
    ['models: {x: {strict_mode: true}}'],
    ['agents: {x: {mode: dry-run}}'],
  ])('loosens nothing, and is reported: %s', (line) => {
    const { policy, loosenings } = both(line);
    expect(loosenings).toEqual([{ file: MINE, line: 2, column: 3, key: `sandboxing.${line.split(':')[0]}` }]);
    expect(policy).toEqual({ ...loadPolicy({ yaml: { file: FILE, text: '' } }).policy, policyFiles: [FILE, MINE] });
  });

  it.each([
    ['strict_mode: false', 'sandboxing: {strict_mode: true}'],
    ['strict_mode: false', 'sandboxing: {agents: {x: {strict_mode: true}}}'],
    ['deny_read: false', 'sandboxing: {deny_read: [a]}'],
    ['deny_read: []', 'sandboxing: {projects: {/repo: {deny_read: [a]}}}'],
  ])('%s over %s loosens nothing, and is reported', (line, yaml) => {
    const { policy, loosenings } = both(line, yaml);
    expect(loosenings).toHaveLength(1);
    expect(policy).toEqual({ ...load(yaml).policy, overrides: expect.any(Array), policyFiles: [FILE, MINE] });
  });

  it('is not reported for a value that is in force anyway', () => {
    expect(
      both('{enabled: true, strict_mode: false, deny_read: [], allow_parent_access: false, excluded_tools: []}')
        .loosenings,
    ).toEqual([]);
  });

  it('tightens over the environment, the file and every override, and adds to lists', () => {
    const { policy, sources } = both(
      '{enabled: true, strict_mode: true, mode: enforce, allow_parent_access: false, protect: [a], deny_read: [b], custom_tool_patterns: [c], path_parameter_names: [my_thing]}',
      'sandboxing: {mode: dry-run, allow_parent_access: true, protect: [e], agents: {x: {enabled: false, protect: [f]}}}',
      { env: { ENABLE_SANDBOXING: 'false', SANDBOXING_STRICT_MODE: 'false' } },
    );
    const tight = { enabled: true, strict: true, mode: 'enforce', allowParentAccess: false, denyRead: ['b'] };
    expect(policy).toMatchObject({ ...tight, protect: ['e', 'a'] });
    expect(policyFor(policy, { agent: 'x' })).toMatchObject({ ...tight, protect: ['f', 'a'] });
    expect(policy.customToolPatterns.map(String)).toEqual(['/c/i']);
    expect(policy.pathParameterNames).toEqual([...DEFAULT_PATH_PARAMETERS, 'my_thing']);
    expect(sources.enabled).toEqual({ kind: 'file', path: MINE, line: 2 });
  });

  it('does not override a flag', () => {
    const flags = { enableSandboxing: false, dryRun: true };
    expect(both('{enabled: true, mode: enforce}', '', { flags }).policy).toMatchObject({
      enabled: false,
      mode: 'dry-run',
    });
  });

  it('stops the start if it is invalid', () => {
    expect(() => both('strict_mod: true')).toThrow(`${MINE}:2:3: sandboxing.strict_mod is not a key`);
    expect(() => both('agents: {x: {enabled: 3}}')).toThrow(`${MINE}:2:`);
  });
});

describe('a tightening', () => {
  const lists: PolicyChanges = { pathParameterNames: ['n'], denyRead: ['a', 'b'], protect: ['p'] };

  it('replaces values and adds to lists', () => {
    const policy = testPolicy({ denyRead: ['b', 'c'], protect: [], pathParameterNames: ['n'], allowedRoots: ['/r'] });
    const tighter = tighten(policy, { ...lists, strict: true, mode: 'enforce' });
    expect(tighter).toEqual({ ...policy, strict: true, mode: 'enforce', denyRead: ['b', 'c', 'a'], protect: ['p'] });
    expect(tighten(tighter, { ...lists, strict: true })).toEqual(tighter);
    expect(tighten(policy, {})).toEqual(policy);
  });

  it('is combined with another one', () => {
    expect(bothTightenings({ ...lists, strict: true }, { denyRead: ['c', 'a'], enabled: true })).toEqual({
      strict: true,
      enabled: true,
      pathParameterNames: ['n'],
      denyRead: ['a', 'b', 'c'],
      protect: ['p'],
    });
    expect(bothTightenings({}, { denyRead: ['a'], mode: 'enforce' })).toEqual({ denyRead: ['a'], mode: 'enforce' });
    expect(bothTightenings({}, {})).toEqual({});
  });

  it('has the keys of the file', () => {
    expect(tighteningKeys({ strict: true, allowParentAccess: false, denyRead: [] })).toEqual([
      'strict_mode',
      'allow_parent_access',
      'deny_read',
    ]);
    expect(tighteningKeys({})).toEqual([]);
  });
});
