import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinRegistry } from '@croft/components';
import { beforeEach, describe, expect, it } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { flowWithCode, readFlowWithCode, storedSource, userRegistry } from './flow-code.ts';

const MINE = `export class Mine extends Component {
  inputs = [{ name: 'a', kind: 'text' }];
  outputs = [{ name: 'total', types: ['Message'], method: 'run' }];
  run() { return 'x'; }
}
`;
const SPEC = 'name: M\nnodes:\n  M: Mine\n  O: ChatOutput\nedges:\n  M.total -> O.input_value\n';
const withCode = (code: string) =>
  `nodes:\n  C: TypeScriptCode\n  O: ChatOutput\nedges:\n  C.total -> O.input_value\nconfig:\n  C.code: |\n${code.replaceAll(/^/gm, '    ')}\n`;

let dir: string;
let output: { out: string; err: string };
beforeEach(() => {
  dir = testDir();
  output = captureOutput();
});
function store(name: string, code: string): void {
  mkdirSync(join(dir, '.components'), { recursive: true });
  writeFileSync(join(dir, '.components', name), code);
}
const types = async (at = dir) => (await userRegistry(at)).entries.map(({ descriptor }) => descriptor.type);

describe('the components of a directory', () => {
  it('are the built-in ones and those in .components', async () => {
    const builtin = builtinRegistry().entries.map(({ descriptor }) => descriptor.type);
    expect(await types()).toEqual(builtin);
    store('Mine.ts', MINE);
    expect((await types()).filter((type) => !builtin.includes(type))).toEqual(['Mine']);
    expect(output).toEqual({ out: '', err: '' });
  });

  it('leave out sources that cannot be used, and say so', async () => {
    store('Broken.ts', 'export class Broken extends Component {\n  outputs = [;\n}');
    store('no name.ts', MINE);
    expect(await types()).not.toContain('Broken');
    expect(output.err).toMatch(
      /^skipped {2}\.components\/no name\.ts: .+\nskipped {2}\.components\/Broken\.ts: Line 2 .+\n$/,
    );
  });

  it('are the built-in ones where the directory cannot be opened', async () => {
    expect(await types(join(dir, 'none'))).toEqual(await types());
    expect(await storedSource(join(dir, 'none'), 'Mine')).toBeUndefined();
  });

  it('have a source', async () => {
    store('Mine.ts', MINE);
    expect(await storedSource(dir, 'Mine')).toBe(MINE);
    expect(await storedSource(dir, 'Other')).toBeUndefined();
  });
});

describe('a flow with code', () => {
  it('is read with the components of its directory', async () => {
    store('Mine.ts', MINE);
    writeFileSync(join(dir, 'a.flow'), SPEC);
    const { flow, registry, findings } = await readFlowWithCode(join(dir, 'a.flow'), dir);
    expect([flow.name, registry.get('Mine')?.descriptor.type, findings]).toEqual(['M', 'Mine', []]);
  });

  it('may have code in its text, whose ports its edges name', async () => {
    const { flow, findings } = await flowWithCode('a.flow', withCode(MINE), builtinRegistry());
    expect(flow.edges).toHaveLength(1);
    expect(findings).toEqual([]);
  });

  it('cannot be read where code of its text is broken', async () => {
    await expect(flowWithCode('a.flow', withCode('class {'), builtinRegistry())).rejects.toThrow(
      /^a\.flow:\n {2}\S.+ .+$/,
    );
  });

  it('is read from JSON with what is wrong with its code', async () => {
    const { flow } = await flowWithCode('a.flow', withCode(MINE), builtinRegistry());
    const broken = {
      ...flow,
      nodes: flow.nodes.map((node) => ({ ...node, values: node.id === 'C' ? { code: 'class {' } : {} })),
    };
    const { findings } = await flowWithCode('a.json', JSON.stringify(broken), builtinRegistry());
    expect(findings.length).toBeGreaterThan(0);
  });

  it('reports parts of an export that have no counterpart', async () => {
    const exported = {
      name: 'Old',
      data: {
        nodes: [{ id: 'Odd-b', data: { type: 'Odd', node: { template: {} } }, position: { x: 1, y: 1 } }],
        edges: [],
      },
    };
    const found: string[] = [];
    await flowWithCode('old.json', JSON.stringify(exported), builtinRegistry(), ({ message }) => found.push(message));
    expect(found.length).toBeGreaterThan(0);
  });
});
