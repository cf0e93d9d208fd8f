import type { StoredComponent } from '@croft/workspace';
import { afterAll, describe, expect, it } from 'vitest';
import { builtinRegistry } from '../builtin.ts';
import { builtinSource } from '../editable/sources.ts';
import { closeSandbox } from './sandbox-threads.ts';
import { type CodeNode, withFlowCode, withSpecCode, withStoredComponents } from './user-registry.ts';

afterAll(closeSandbox);
const base = builtinRegistry();
const sourceOf = (name: string, input = 'value') =>
  `export class ${name} extends Component {\n  inputs = [{ name: '${input}', kind: 'text' }];\n  outputs = [{ name: 'r', types: ['Data'], method: 'm' }];\n  m() { return {}; }\n}`;
const stored = (className: string, code = sourceOf(className)): StoredComponent => ({
  className,
  code,
  origin: 'saved',
});
const node = (type: string, more: Partial<CodeNode> = {}): CodeNode => ({ id: 'N', type, values: {}, ...more });

describe('stored components', () => {
  it('are added, and those that cannot be used are left out with the reason', async () => {
    const wrong = 'export class';
    const { registry, leftOut } = await withStoredComponents(base, [
      stored('Mine'),
      stored('ChatInput'),
      stored('Broken', wrong),
      stored('Other', sourceOf('Renamed')),
    ]);
    expect(registry.get('Mine')?.descriptor).toMatchObject({ type: 'Mine', category: 'custom' });
    expect(registry.entries).toHaveLength(base.entries.length + 1);
    expect(registry.get('ChatInput')).toBe(base.get('ChatInput'));
    expect(leftOut).toMatchObject([
      { className: 'ChatInput', reason: 'A built-in component has the same name.' },
      {
        className: 'Broken',
        reason: expect.stringMatching(/^Line 1 of the code: .+\.$/) as string,
        problem: { kind: 'syntax' },
      },
      { className: 'Other', reason: "The file's class is called Renamed." },
    ]);
    expect(leftOut[0]).not.toHaveProperty('problem');
  });
});

describe('the code of a flow', () => {
  const read = async (...nodes: readonly CodeNode[]) => withFlowCode(base, { nodes });
  const fields = (ports: object | undefined) =>
    ((ports as { fields?: readonly { name: string }[] })?.fields ?? []).map(({ name }) => name);

  it('changes nothing where there is none', async () => {
    expect(await read(node('ChatInput'), node('TypeScriptCode', { values: { code: 7 } }))).toEqual({
      registry: base,
      findings: [],
    });
  });

  it('of a node of an unknown type becomes a component of that type', async () => {
    const code = sourceOf('Mine');
    const { registry, findings } = await read(
      node('Mine', { code }),
      node('Mine', { code: sourceOf('Mine', 'other') }),
    );
    expect(findings).toEqual([]);
    expect(registry.get('Mine')?.descriptor).toMatchObject({ type: 'Mine', category: 'custom' });
    expect(fields(registry.get('Mine')?.ports?.({}, sourceOf('Mine', 'other')))).toContain('other');
    expect(fields(registry.get('Mine')?.ports?.({}))).toContain('value');
  });

  it('of a TypeScript component decides its ports', async () => {
    const code = sourceOf('InField', 'own');
    const { registry } = await read(node('TypeScriptCode', { values: { code } }));
    expect(fields(registry.get('TypeScriptCode')?.ports?.({ code }))).toContain('own');
  });

  it('of a node of a stored component comes before that', async () => {
    const { registry: own } = await withStoredComponents(base, [stored('Mine')]);
    const code = sourceOf('Mine', 'changed');
    const { registry } = await withFlowCode(own, { nodes: [node('Mine', { code })] });
    expect(fields(registry.get('Mine')?.ports?.({}, code))).toContain('changed');
    expect(registry.entries).toHaveLength(own.entries.length);
  });

  it('of a built-in component replaces its source, where that may be edited', async () => {
    const type = 'ParserComponent';
    const same = await read(node(type, { code: builtinSource(type) as string }));
    expect(same).toEqual({ registry: base, findings: [] });
    const code = sourceOf('Mine', 'edited');
    const { registry, findings } = await read(node(type, { code }));
    expect([findings, registry.get(type)?.descriptor.effects]).toEqual([[], ['code']]);
    expect(fields(registry.get(type)?.ports?.({}, code))).toContain('edited');
    expect((await read(node('Agent', { code }))).findings).toEqual([
      {
        severity: 'error',
        code: 'wrong_value',
        node: 'N',
        message: "N has code of its own, and its type 'Agent' is a built-in component that cannot be edited.",
        fix: 'Remove the code, or use a TypeScript code component.',
      },
    ]);
  });

  it('that cannot be used is a finding', async () => {
    const { findings } = await read(
      node('Mine', { code: 'export class' }),
      node('TypeScriptCode', { values: { code: 'export class' } }),
    );
    expect(findings).toMatchObject([
      {
        severity: 'error',
        code: 'wrong_value',
        node: 'N',
        message: expect.stringMatching(/^N: Line 1 of the code: .+\.$/) as string,
        fix: 'Change line 1.',
      },
      { node: 'N', field: 'code' },
    ]);
    expect(findings[0]).not.toHaveProperty('field');
  });
});

describe('the text form of a flow', () => {
  it('has its code read, by the values of its nodes', async () => {
    const spec = `nodes:\n  T: TypeScriptCode\nconfig:\n  T.code: ${JSON.stringify(sourceOf('InSpec', 'own'))}\n`;
    const { registry, findings } = await withSpecCode(base, spec);
    expect([findings, registry === base]).toEqual([[], false]);
    expect((await withSpecCode(base, spec.replace('InSpec', '7'))).findings).toMatchObject([
      { node: 'T', field: 'code' },
    ]);
  });

  it('that cannot be read gives the registry as it is', async () => {
    expect(await withSpecCode(base, 'nodes:\n  - broken: [')).toEqual({ registry: base, findings: [] });
  });
});
