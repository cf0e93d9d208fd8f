import { mkdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { DEFAULT_DENY_READ, DEFAULT_PATH_PARAMETERS, DEFAULT_PROTECT } from './default-patterns.ts';
import { GuardConfigError } from './guard-config-error.ts';
import { loadPolicy } from './load-policy.ts';
import { policyFor } from './policy-for.ts';

const FILE = '/etc/guard/croft.config.yaml';
const load = (text: string, input: Omit<Parameters<typeof loadPolicy>[0], 'yaml'> = {}) =>
  loadPolicy({ ...input, yaml: { file: FILE, text } });
const problemOf = (text: string, input = {}): string => {
  try {
    load(text, input);
  } catch (error) {
    if (error instanceof GuardConfigError) return error.message;
    throw error;
  }
  return 'no problem';
};

describe('without any configuration', () => {
  it('the guard is on, not strict, and enforces', () => {
    const { policy, sources } = loadPolicy({});
    expect(policy).toMatchObject({
      enabled: true,
      strict: false,
      mode: 'enforce',
      allowParentAccess: false,
      customToolPatterns: [],
      excludedTools: [],
      denyRead: [],
      allowedRoots: [],
      remote: false,
    });
    expect(policy.protect).toEqual(DEFAULT_PROTECT);
    expect(policy.pathParameterNames).toEqual(DEFAULT_PATH_PARAMETERS);
    expect(policy.defaultToolPatterns.some((pattern) => pattern.test('my_WRITE_TO_FILE_tool'))).toBe(true);
    expect(new Set(Object.values(sources).map(({ kind }) => kind))).toEqual(new Set(['default']));
  });

  it('an empty file and an empty section say nothing', () => {
    for (const text of ['', '# nothing\n', 'sandboxing:\n', 'sandboxing: {}\n', 'port: 80\n'])
      expect(load(text).policy.enabled).toBe(true);
  });
});

describe('the full configuration of llm-interactive-proxy', () => {
  const text = `
# config/config.yaml
sandboxing:
  # Enable sandboxing
  enabled: true
  strict_mode: true
  allow_parent_access: false
  custom_tool_patterns:
    - "my_save_tool"
    - "custom_write_.*"
  excluded_tools:
    - "read_file"
    - "list_directory"
  path_parameter_names:
    - "path"
    - "file_path"
    - "my_custom_path"
  default_tool_patterns: ["only_this"]
`;

  it('is read completely, and each value has its line', () => {
    const { policy, sources } = load(text);
    expect(policy).toMatchObject({ enabled: true, strict: true, allowParentAccess: false });
    expect(policy.customToolPatterns.map(String)).toEqual(['/my_save_tool/i', '/custom_write_.*/i']);
    expect(policy.excludedTools.map(String)).toEqual(['/read_file/i', '/list_directory/i']);
    expect(policy.defaultToolPatterns.map(String)).toEqual(['/only_this/i']);
    expect(policy.pathParameterNames).toEqual(['path', 'file_path', 'my_custom_path']);
    expect(sources.strict_mode).toEqual({ kind: 'file', path: FILE, line: 6 });
    expect(sources.protect).toEqual({ kind: 'default' });
  });
});

describe('which of several sources wins', () => {
  it.each([
    [{ enableSandboxing: false }, { ENABLE_SANDBOXING: 'true' }, 'true', false, 'flag'],
    [{ enableSandboxing: true }, { ENABLE_SANDBOXING: 'false' }, 'false', true, 'flag'],
    [{}, { ENABLE_SANDBOXING: 'false' }, 'true', false, 'environment'],
    [{}, { ENABLE_SANDBOXING: 'On' }, 'false', true, 'environment'],
    [{}, { ENABLE_SANDBOXING: ' ' }, 'false', false, 'file'],
    [{}, {}, 'true', true, 'file'],
  ])('flag %j, environment %j, file %s: %s, by %s', (flags, env, file, enabled, kind) => {
    const { policy, sources } = load(`sandboxing:\n  enabled: ${file}\n`, { flags, env });
    expect(policy.enabled).toBe(enabled);
    expect(sources.enabled.kind).toBe(kind);
  });

  it('reads the other two environment variables as well', () => {
    const { policy } = loadPolicy({ env: { SANDBOXING_STRICT_MODE: '1', SANDBOXING_ALLOW_PARENT_ACCESS: 'yes' } });
    expect(policy).toMatchObject({ strict: true, allowParentAccess: true });
  });

  it('lets a flag switch off a strict file', () => {
    const { policy } = load('sandboxing: {enabled: true, strict_mode: true}', { flags: { enableSandboxing: false } });
    expect(policy.enabled).toBe(false);
  });
});

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

describe('a configuration that cannot be used', () => {
  it.each([
    ...['x?', '.*', '()', 'read|', '^', '\\\\b'].map((pattern) => [
      `sandboxing:\n  agents: {x: {excluded_tools: ["${pattern}"]}}\n`,
      'sandboxing.agents.x.excluded_tools: must not match the empty text',
    ]),
    ['sandboxing:\n  strict_mode: "yes"\n', `${FILE}:2:16: sandboxing.strict_mode: must be true or false, not "yes"`],
    [
      'sandboxing:\n  strict_mod: true\n',
      `${FILE}:2:3: sandboxing.strict_mod is not a key the guard knows; did you mean strict_mode?`,
    ],
    [
      'sandboxin:\n  strict_mode: true\n',
      `${FILE}:1:1: sandboxin is not a key the guard knows; did you mean sandboxing?`,
    ],
    ['sandboxing:\n  path_parameter_names: []\n', `${FILE}:2:25: sandboxing.path_parameter_names: must not be empty`],
    [
      'sandboxing:\n  excluded_tools:\n    - ok\n    - "a("\n',
      `${FILE}:4:7: sandboxing.excluded_tools: Invalid regular expression`,
    ],
    [
      'sandboxing:\n  excluded_tools: read_file\n',
      `${FILE}:2:19: sandboxing.excluded_tools: must be a list, not "read_file"`,
    ],
    ['sandboxing:\n  excluded_tools: [3]\n', `${FILE}:2:20: sandboxing.excluded_tools: must be a list of texts, not 3`],
    ['sandboxing:\n  custom_tool_patterns: ["(a+)+b"]\n', 'a repetition or a choice inside a repetition'],
    ['sandboxing:\n  custom_tool_patterns: ["(a|aa)*b"]\n', 'a repetition or a choice inside a repetition'],
    ['sandboxing:\n  custom_tool_patterns: ["(a)\\\\1"]\n', 'a back reference'],
    ['sandboxing:\n  custom_tool_patterns: ["(?=a)b"]\n', 'look-around'],
    ['sandboxing:\n  custom_tool_patterns: ["a.*b.*c.*d.*e"]\n', 'more than 3 repetitions without an end'],
    ['sandboxing:\n  custom_tool_patterns: ["a{1,5000}"]\n', 'more than 100 counted repetitions'],
    ['sandboxing:\n  custom_tool_patterns: ["a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?b"]\n', 'too many ways'],
    [`sandboxing:\n  custom_tool_patterns: [${Array(9).fill('a.*b.*c.*d')}]\n`, 'must have fewer patterns'],
    [`sandboxing:\n  custom_tool_patterns: [${'a'.repeat(1_001)}]\n`, 'at most 1000 characters'],
    ['sandboxing:\n  mode: observe\n', `${FILE}:2:9: sandboxing.mode: must be enforce or dry-run, not "observe"`],
    ['sandboxing:\n  deny_read: maybe\n', 'sandboxing.deny_read: must be true, false or a list'],
    ['sandboxing:\n  allowed_roots: ["/"]\n', 'sandboxing.allowed_roots: must not be the whole disk'],
    ['sandboxing:\n  allowed_roots: ["$HOME/x"]\n', 'variables are not expanded here'],
    ['sandboxing:\n  allowed_roots: ["~root/x"]\n', 'homes of other users'],
    ['sandboxing: true\n', `${FILE}:1:13: sandboxing: must be a list of "key: value" lines`],
    ['- a\n', 'must be a list of "key: value" lines'],
    ['sandboxing:\n  enabled: true\n  enabled: false\n', `${FILE}:3:3: Map keys must be unique`],
    ['sandboxing: {enabled: true\n', `${FILE}:`],
    ['a: &x {}\nsandboxing: *x\n', 'anchors and aliases are not understood'],
    ['sandboxing:\n  projects: [a]\n', 'sandboxing.projects: must have the paths of projects as keys'],
    ['sandboxing:\n  agents: {"(": {}}\n', 'sandboxing.agents.(: Invalid regular expression'],
    [
      'sandboxing:\n  projects:\n    /p:\n      allowed_rots: []\n',
      `${FILE}:4:7: sandboxing.projects./p.allowed_rots is not a key the guard knows; did you mean allowed_roots?`,
    ],
    ['sandboxing:\n  projects:\n    /p:\n      projects: {}\n', 'sandboxing.projects./p.projects is not a key'],
    [`# ${'x'.repeat(70_000)}`, 'is larger than 65536 bytes'],
  ])('%j gives an error with position and reason', (text, says) => {
    expect(problemOf(text)).toContain(says);
  });

  it.each([
    [
      'sandboxing: {enabled: false, strict_mode: true}',
      {},
      'sandboxing.strict_mode has no meaning while the guard is off',
    ],
    ['sandboxing: {enabled: false, allow_parent_access: true}', {}, 'sandboxing.allow_parent_access has no meaning'],
    ['sandboxing: {enabled: false}', { flags: { strict: true } }, '--strict has no meaning'],
    [
      '',
      { env: { ENABLE_SANDBOXING: 'false', SANDBOXING_STRICT_MODE: 'true' } },
      'SANDBOXING_STRICT_MODE has no meaning',
    ],
    [
      'sandboxing: {agents: {x: {enabled: false, strict_mode: true}}}',
      {},
      'sandboxing.agents.x.strict_mode has no meaning',
    ],
    ['sandboxing: {enabled: false, strict_mode: false}', {}, 'no problem'],
  ])('%s with %j: strict and off contradict each other', (text, input, says) => {
    expect(problemOf(text, input)).toContain(says);
  });

  it('a variable that is not understood is refused, and not read as a default', () => {
    expect(() => loadPolicy({ env: { SANDBOXING_STRICT_MODE: 'maybe' } })).toThrow(
      'SANDBOXING_STRICT_MODE must be true or false, not "maybe"',
    );
  });
});

describe('lists that have a default', () => {
  it.each([
    ['deny_read: true', 'denyRead', DEFAULT_DENY_READ],
    ['deny_read: false', 'denyRead', []],
    ['deny_read: ["~/x", default]', 'denyRead', ['~/x', ...DEFAULT_DENY_READ]],
    ['protect: []', 'protect', []],
    ['protect: false', 'protect', []],
    ['protect: [Makefile]', 'protect', ['Makefile']],
    ['protect: [default, Makefile]', 'protect', [...DEFAULT_PROTECT, 'Makefile']],
  ] as const)('%s', (line, field, expected) => {
    expect(load(`sandboxing:\n  ${line}\n`).policy[field]).toEqual(expected);
  });
});

describe('paths in a file', () => {
  it('are taken from the directory of the file, and from the home directory', () => {
    const { policy } = load('sandboxing: {allowed_roots: [../shared, ~/notes, /srv/data/]}');
    expect(policy.allowedRoots).toEqual(['/etc/shared', join(homedir(), 'notes'), '/srv/data']);
  });
});

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

  it('leave the resolved policy without overrides', () => {
    expect(policyFor(loadPolicy({}).policy, {})).not.toHaveProperty('overrides');
  });
});
