import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_DENY_READ, DEFAULT_PROTECT } from './default-patterns.ts';
import { GuardConfigError } from './guard-config-error.ts';
import { loadPolicy } from './load-policy.ts';

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

it('a list has at most 1,000 entries', () => {
  const of = (count: number) => `sandboxing:\n  protect: [${Array.from({ length: count }, (_, i) => `f${i}`).join()}]`;
  expect(problemOf(of(1_000))).toBe('no problem');
  expect(problemOf(of(1_001))).toBe(`${FILE}:2:12: sandboxing.protect: must have at most 1000 entries, not a list`);
});

describe('paths in a file', () => {
  it('are taken from the directory of the file, and from the home directory', () => {
    const { policy } = load('sandboxing: {allowed_roots: [../shared, ~/notes, /srv/data/]}');
    expect(policy.allowedRoots).toEqual(['/etc/shared', join(homedir(), 'notes'), '/srv/data']);
  });
});
