import { readdirSync } from 'node:fs';
import type { Workspace } from '@croft/workspace';
import { describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../tests/support/use-workspace.ts';
import { BUILTIN } from './builtin.ts';
import { runSpec } from './testing.ts';

const { dir, workspace } = useWorkspace(['notes.md = alpha\n']);

const alone = (type: string, config: readonly string[] = []) => [
  'nodes:',
  `  C: ${type}`,
  ...(config.length > 0 ? ['config:', ...config.map((line) => `  C.${line}`)] : []),
];

/** Components with a field that must be set and is not, and the first such field. */
const INCOMPLETE = BUILTIN.flatMap(({ descriptor: { type, fields } }) => {
  const field = fields.find((each) => each.required === true && (each.default === undefined || each.default === ''));
  return field === undefined || field.showWhen !== undefined ? [] : [[type, field.name] as const];
});

describe('a component whose required field has no value', () => {
  it.each(INCOMPLETE)('fails with its node and field: %s %s', async (type, field) => {
    const { status, failure } = await runSpec(alone(type), { workspace });
    expect([status, failure]).toEqual(['failed', expect.objectContaining({ field }) as unknown]);
    expect(failure?.node).toMatch(new RegExp(`^${type}-`));
  });

  it('is most of them', () => {
    expect(INCOMPLETE.length).toBeGreaterThan(20);
  });
});

const FILES: readonly (readonly [string, readonly string[]])[] = [
  ['File', ['path: notes.md']],
  ['Glob', ['pattern: "*.md"']],
  ['Grep', ['pattern: alpha']],
  ['Directory', ['path: .']],
];

describe('a component that works with files', () => {
  it.each(FILES)('says what to do where a run has no files: %s', async (type, config) => {
    expect((await runSpec(alone(type, config))).failure?.fix).toContain('--dir DIR');
  });

  it.each(['Glob', 'Grep'])('ends its search when the run is cancelled: %s', async (type) => {
    const abort = new AbortController();
    // A search that ends only by its signal.
    const search = (signal: AbortSignal | undefined) => {
      abort.abort();
      return new Promise<never>((_, reject) => {
        if (signal?.aborted === true) reject(new Error('ended by its signal'));
      });
    };
    const endless: Workspace = {
      ...workspace,
      glob: (_, options) => search(options?.signal),
      grep: ({ signal }) => search(signal),
    };
    const config = ['pattern: alpha'];
    const { status, outputs } = await runSpec(alone(type, config), { workspace: endless }, { signal: abort.signal });
    expect([status, outputs]).toEqual(['cancelled', {}]);
  });

  it.each([
    ['Glob', ['pattern: "../*"']],
    ['Directory', ['path: missing']],
  ])('fails for a wrong value and names no path of the host: %s', async (type, config) => {
    const { status, failure } = await runSpec(alone(type, config), { workspace });
    expect(status).toBe('failed');
    expect(JSON.stringify(failure)).not.toContain(dir);
  });

  it('writes nothing once the run is cancelled', async () => {
    const abort = new AbortController();
    abort.abort();
    const spec = [
      'nodes:',
      '  I: TextInput',
      '  C: SaveToFile',
      'edges:',
      '  I.text -> C.input',
      'config:',
      '  I.input_value: x',
      '  C.file_name: late.txt',
    ];
    expect((await runSpec(spec, { workspace }, { signal: abort.signal })).status).toBe('cancelled');
    expect(readdirSync(dir)).toEqual(['notes.md']);
  });
});
