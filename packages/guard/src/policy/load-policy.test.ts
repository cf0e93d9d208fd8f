import { describe, expect, it } from 'vitest';
import { DEFAULT_PATH_PARAMETERS, DEFAULT_PROTECT } from './default-patterns.ts';
import { GuardConfigError } from './guard-config-error.ts';
import { loadPolicy } from './load-policy.ts';

const FILE = '/etc/guard/croft.config.yaml';
const load = (text: string, input: Omit<Parameters<typeof loadPolicy>[0], 'yaml'> = {}) =>
  loadPolicy({ ...input, yaml: { file: FILE, text } });

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

const KEYS_OF_THE_SERVER =
  'auto_login host port public_url trusted_proxies allowed_origins secret_key secret_key_previous superuser ' +
  'superuser_password database_url filesystem_path user_quota_bytes trash_bytes gateway_api_key gateway_api_key_user ' +
  'guard_upstream guard_root guard_roots_below guard_key_root guard_pass flow_hosts https_proxy http_proxy no_proxy ' +
  'flow_proxy flow_commands run_retention_days run_history_bytes log_level';

describe('settings that are wrong', () => {
  const messageOf = (act: () => unknown) => {
    try {
      act();
      return 'loads';
    } catch (error) {
      expect(error).toBeInstanceOf(GuardConfigError);
      return (error as Error).message;
    }
  };

  it('do not include the keys of the server', () => {
    for (const key of KEYS_OF_THE_SERVER.split(' '))
      expect(load(`${key}: x\nsandboxing: {enabled: false}\n`).policy.enabled, key).toBe(false);
    expect(messageOf(() => load('sandboxin: {}'))).toContain('sandboxin');
  });

  it.each([
    ['sandboxing: 7', 'sandboxing: must be a list of "key: value" lines'],
    ['sandboxing: {enabled: false, strict_mode: true}', 'sandboxing.strict_mode has no meaning while the guard is off'],
    [
      'sandboxing: {enabled: false, allow_parent_access: true}',
      'sandboxing.allow_parent_access has no meaning while the guard is off (enabled: false)',
    ],
    [
      'sandboxing: {projects: {/a: {enabled: false, strict_mode: true}}}',
      'sandboxing.projects./a.strict_mode has no meaning while the guard is off',
    ],
    ['sandboxing: {models: {m: {enabled: false, strict_mode: true}}}', 'strict_mode has no meaning'],
    ['sandboxing: {enabled: false, projects: {/a: {strict_mode: true}}}', 'loads'],
  ])('%s', (text, message) => {
    expect(messageOf(() => load(text))).toContain(message);
  });

  it('include contradicting flags and variables, unless one has a higher rank', () => {
    const off = { enableSandboxing: false };
    const variables = (more: Record<string, string>) => ({ ENABLE_SANDBOXING: 'no', ...more });
    expect(messageOf(() => loadPolicy({ flags: { ...off, strict: true } }))).toBe(
      '--strict has no meaning while the guard is off (enabled: false)',
    );
    expect(messageOf(() => loadPolicy({ flags: { ...off, allowParentAccess: true } }))).toBe(
      '--allow-parent-access has no meaning while the guard is off (enabled: false)',
    );
    expect(messageOf(() => loadPolicy({ env: variables({ SANDBOXING_STRICT_MODE: 'yes' }) }))).toBe(
      'SANDBOXING_STRICT_MODE has no meaning while the guard is off (enabled: false)',
    );
    expect(messageOf(() => loadPolicy({ flags: { strict: true }, env: variables({}) }))).toContain('--strict has no');
    expect(messageOf(() => loadPolicy({ flags: off, env: { SANDBOXING_STRICT_MODE: 'yes' } }))).toBe('loads');
    expect(messageOf(() => loadPolicy({ env: { ENABLE_SANDBOXING: `${'x'.repeat(90)}` } }))).toBe(
      `ENABLE_SANDBOXING must be true or false, not "${'x'.repeat(80)}"`,
    );
    for (const [text, enabled] of Object.entries({
      true: true,
      1: true,
      YES: true,
      on: true,
      false: false,
      0: false,
      No: false,
      OFF: false,
    }))
      expect(loadPolicy({ env: { ENABLE_SANDBOXING: text } }).policy.enabled, text).toBe(enabled);
  });
});

describe('flags', () => {
  it('set each value and its source', () => {
    const flags = { enableSandboxing: true, strict: true, allowParentAccess: true, dryRun: true, remote: true };
    const { policy, sources } = loadPolicy({ flags, privateTemporary: '/p' });
    const set = { enabled: true, strict: true, allowParentAccess: true, mode: 'dry-run', remote: true };
    expect(policy).toMatchObject({ ...set, privateTemporary: '/p', policyFiles: [], overrides: [], tightening: {} });
    const named = Object.entries(sources).flatMap(([key, source]) =>
      'name' in source ? [[key, source.kind, source.name]] : [],
    );
    expect(named).toEqual([
      ['enabled', 'flag', '--enable-sandboxing'],
      ['strict_mode', 'flag', '--strict'],
      ['mode', 'flag', '--dry-run'],
      ['allow_parent_access', 'flag', '--allow-parent-access'],
      ['remote', 'flag', '--remote'],
    ]);
    expect(loadPolicy({ flags: { dryRun: false } }).policy.mode).toBe('enforce');
  });

  it('override the file of the project and the settings of a scope', () => {
    const project = {
      file: '/p/croft.config.yaml',
      text: 'sandboxing: {strict_mode: true, protect: [x], enabled: false}',
    };
    const text = 'sandboxing: {models: {m: {strict_mode: true, mode: dry-run}}}';
    const { policy, sources, loosenings } = load(text, { project, flags: { strict: false } });
    expect(policy.strict).toBe(false);
    expect(policy.policyFiles).toEqual([FILE, project.file]);
    expect(policy.overrides.map(({ scope, changes, fits }) => [scope, changes, fits('m'), fits('n')])).toEqual([
      ['model', { mode: 'dry-run' }, true, false],
    ]);
    expect(policy.protect).toEqual([...DEFAULT_PROTECT, 'x']);
    expect(sources.strict_mode).toEqual({ kind: 'flag', name: '--strict' });
    expect(sources.protect).toEqual({ kind: 'file', path: project.file, line: 1 });
    expect(loosenings.map(({ key }) => key)).toEqual(['sandboxing.enabled']);
    expect(load('', { project }).policy).toMatchObject({ strict: true, enabled: true });
  });
});
