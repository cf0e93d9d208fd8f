import { describe, expect, it } from 'vitest';
import { DEFAULT_PATH_PARAMETERS, DEFAULT_PROTECT } from './default-patterns.ts';
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
