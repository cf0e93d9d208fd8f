import { describe, expect, it } from 'vitest';
import { checkEnvironment } from '../../scripts/environment.mjs';

describe('the house rule about process.env', () => {
  it.each([
    "process.env.CROFT_PORT = '1';",
    'process.env[name] ??= value;',
    'process.env = {};',
    'delete process.env.CROFT_PORT;',
    'Object.assign(process.env, settings);',
  ])('refuses a write: %s', (code) => {
    expect(checkEnvironment('apps/cli/src/a.ts', code)).toEqual([
      'apps/cli/src/a.ts writes process.env: pass the value as an argument',
    ]);
  });

  it('lets apps read it, and one function of the packages', () => {
    for (const code of [
      'const { env = process.env } = options;',
      "if (process.env.A === 'b') run();",
      '// process.env = 1',
    ])
      expect(checkEnvironment('apps/cli/src/a.ts', code)).toEqual([]);
    const code = 'read(process.env);';
    expect(checkEnvironment('packages/workspace/src/namespace.ts', code)).toEqual([]);
    expect(checkEnvironment('packages/tools/src/a.ts', code)).toEqual([
      'packages/tools/src/a.ts reads process.env: a package takes settings as arguments',
    ]);
  });
});
