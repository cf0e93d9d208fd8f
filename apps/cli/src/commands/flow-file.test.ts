import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { checkFlowFile, drawFlowFile, importFlowFile, printFlowFile } from './flow-file.ts';

const ECHO = 'name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';
let dir: string;
let output: { out: string; err: string };

beforeEach(() => {
  dir = testDir();
  output = captureOutput();
  process.exitCode = 0;
});
function keep(name: string, text: string): string {
  const file = join(dir, name);
  writeFileSync(file, text);
  return file;
}

describe('croft flow check', () => {
  it('says that a flow can run', async () => {
    await checkFlowFile(keep('a.flow', ECHO), dir, false);
    expect(output).toEqual({ out: 'ok  The flow can run.\n', err: '' });
    expect(process.exitCode).toBe(0);
  });

  it('lists errors and warnings with their fixes, and ends with code 1 for an error', async () => {
    const broken = keep('a.flow', 'name: A\nnodes:\n  R: ReadData\n  I: ChatInput\n');
    await checkFlowFile(broken, dir, false);
    expect(output.out).toMatch(/^error {4}.+ .+\n/m);
    expect(output.out).not.toContain('can run');
    expect(process.exitCode).toBe(1);
    output.out = '';
    await checkFlowFile(broken, dir, true);
    expect(JSON.parse(output.out)).toContainEqual(expect.objectContaining({ severity: 'error', node: 'R' }));
    expect(output.out).toMatch(/^\[\n {2}\{/);
  });

  it('does not end with code 1 for a warning alone', async () => {
    await checkFlowFile(keep('a.flow', ECHO.replace('edges', '  X: TextInput\nedges')), dir, false);
    expect(output.out).toMatch(/^warning {2}.+\n/);
    expect(output.out).not.toContain('can run');
    expect(process.exitCode).toBe(0);
  });

  it('finds what is wrong with code in the flow, and uses the components of the directory', async () => {
    const node = { id: 'C', type: 'CustomComponent', position: { x: 0, y: 0 }, values: {}, code: 'class {' };
    const flow = { version: 1, name: 'C', description: '', nodes: [node], edges: [], notes: [], groups: [] };
    await checkFlowFile(keep('a.json', JSON.stringify({ ...flow, viewport: { x: 0, y: 0, zoom: 1 } })), dir, false);
    expect(output.out).toContain('error    ');
    expect(process.exitCode).toBe(1);
  });
});

describe('croft flow import', () => {
  const exported = JSON.stringify({
    data: {
      nodes: [
        { id: 'ChatInput-a', data: { type: 'ChatInput', node: { template: {} } }, position: { x: 0, y: 0 } },
        { id: 'Odd-b', data: { type: 'Odd', node: { template: { code: { value: 'x' } } } }, position: { x: 1, y: 1 } },
      ],
      edges: [],
    },
    name: 'Old',
  });

  it('prints the flow, and on standard error what has no counterpart', () => {
    importFlowFile(keep('export.json', exported), {});
    expect(JSON.parse(output.out)).toMatchObject({ name: 'Old', version: 1 });
    expect(output.err).toMatch(/^(error {2}|warning) .+\n/);
  });

  it('prints flow and findings as JSON', () => {
    importFlowFile(keep('export.json', exported), { json: true });
    const { flow, findings } = JSON.parse(output.out);
    expect(flow.name).toBe('Old');
    expect(findings.length).toBeGreaterThan(0);
    expect(output.err).toBe('');
    expect(output.out).toMatch(/^\{\n {2}"flow"/);
  });

  it('prints JSON without characters that control a terminal', () => {
    importFlowFile(keep('export.json', exported.replace('Odd"', 'Odd\u009b\u202e"')), { json: true });
    expect(output.out).toContain('Odd\\u009b\\u202e');
    expect(output.out).not.toMatch(/[\u009b\u202e]/);
  });

  it('writes a new file and says what is in it', () => {
    const out = join(dir, 'new.json');
    importFlowFile(keep('export.json', exported), { out });
    const flow = JSON.parse(readFileSync(out, 'utf8'));
    expect(output.out).toBe('');
    expect(output.err).toContain(
      `imported  ${flow.nodes.length} components and ${flow.edges.length} connections into ${out}\n`,
    );
    expect(() => importFlowFile(keep('export.json', exported), { out })).toThrow();
  });
});

describe('croft flow spec and draw', () => {
  it('print the text form, and name components whose code is left out', async () => {
    await printFlowFile(keep('a.flow', ECHO), dir);
    expect(output).toEqual({ out: ECHO, err: '' });
    output.out = '';
    const node = (id: string) => ({
      id,
      type: 'CustomComponent',
      position: { x: 0, y: 0 },
      values: {},
      code: 'export class A {}',
    });
    const flow = { version: 1, name: 'C', description: '', edges: [], notes: [], groups: [] };
    const printWithCode = (...ids: string[]) => {
      const document = { ...flow, nodes: ids.map(node), viewport: { x: 0, y: 0, zoom: 1 } };
      return printFlowFile(keep('a.json', JSON.stringify(document)), dir);
    };
    await printWithCode('A');
    expect(output.out).toContain('name: C\n');
    await printWithCode('B', 'C');
    const leftOut = (ids: string) =>
      `left out  the code of ${ids}: keep the JSON document, or store the code as .components/NAME.ts\n`;
    expect(output.err).toBe(leftOut('A') + leftOut('B, C'));
  });

  it('draw the components, and the tools that an agent offers its model', async () => {
    await drawFlowFile(keep('a.flow', ECHO), dir);
    expect(output.out).toMatch(/ChatInput[^]*ChatOutput[^]*\n$/);
    expect(output.out).not.toContain('offers its model');
    output.out = '';
    await drawFlowFile(
      keep('b.flow', 'name: B\nnodes:\n  A: Agent\n  O: ChatOutput\nedges:\n  A.response -> O.input_value\n'),
      dir,
    );
    expect(output.out).toContain('offers its model: ');
  });
});
