import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ComponentError, TEMPLATES } from '@croft/components';
import { openWorkspace } from '@croft/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { directoryFlows } from './directory-flows.ts';

const SPEC = (name: string) => `${name && `name: ${name}\n`}nodes:\n  I: ChatInput\n`;

function flowsOf(files: Readonly<Record<string, string>>) {
  const dir = testDir();
  mkdirSync(join(dir, 'sub'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const workspace = openWorkspace(dir);
  onTestFinished(() => workspace.close());
  return directoryFlows(workspace);
}
const failureOf = (flows: ReturnType<typeof flowsOf>, name: string) =>
  flows.find(name).catch((error: unknown) => error as ComponentError);

describe('the flows of a directory', () => {
  it('are found with and without the ending, the exact name first', async () => {
    const flows = flowsOf({
      a: SPEC('Exact'),
      'a.flow': SPEC('Text'),
      'b.flow': SPEC('B'),
      'b.json': '{}',
      'sub/c.flow': SPEC(''),
    });
    expect(await flows.find('a')).toMatchObject({ id: 'a', flow: { name: 'Exact' } });
    expect(await flows.find('b')).toMatchObject({ id: 'b.flow', flow: { name: 'B' } });
    expect(await flows.find('./sub/../b')).toMatchObject({ id: 'b.flow' });
    const found = await flows.find('sub/c');
    expect(found).toMatchObject({ id: 'sub/c.flow', flow: { nodes: [{ id: 'I' }] } });
    expect(found?.registry.get('ChatInput')).toBeDefined();
    expect(flows.underWay).toEqual([]);
    expect(flows.slots).toBeDefined();
  });

  it('have the name of their file where they have none', async () => {
    const flow = { version: 1, name: '', description: '', nodes: [], edges: [], notes: [], groups: [] };
    const flows = flowsOf({ 'x.json': JSON.stringify({ ...flow, viewport: { x: 0, y: 0, zoom: 1 } }) });
    expect((await flows.find('x'))?.flow.name).toBe('x.json');
  });

  it('include the templates', async () => {
    const [template] = TEMPLATES;
    expect(await flowsOf({}).find(template?.name ?? '')).toMatchObject({ flow: expect.anything() as object });
    expect(await flowsOf({}).find('none of these')).toBeUndefined();
  });

  it('are listed by their endings, twenty of them', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 21 }, (_, at) => [`f${String(at).padStart(2, '0')}.flow`, '']),
    );
    expect(await flowsOf({ 'a.flow': '', 'b.json': '', 'c.txt': '', 'd.flow.bak': '' }).names()).toEqual([
      'a.flow',
      'b.json',
    ]);
    expect(await flowsOf(many).names()).toHaveLength(20);
  });

  it('say which file is broken', async () => {
    const broken = await failureOf(flowsOf({ 'a.flow': 'nodes:\n  I: None\n' }), 'a');
    expect(broken).toBeInstanceOf(ComponentError);
    expect(broken).toMatchObject({
      message: expect.stringMatching(/^a\.flow: /) as string,
      fix: 'Repair that flow: croft flow check FLOW.',
    });
  });

  it('say what is wrong with code in them', async () => {
    const node = { id: 'C', type: 'TypeScriptCode', position: { x: 0, y: 0 }, values: { code: 'class {' } };
    const flow = { version: 1, name: 'C', description: '', nodes: [node], edges: [], notes: [], groups: [] };
    const text = JSON.stringify({ ...flow, viewport: { x: 0, y: 0, zoom: 1 } });
    const broken = await failureOf(flowsOf({ 'c.json': text }), 'c');
    expect(broken).toBeInstanceOf(ComponentError);
    expect((broken as ComponentError).message).toMatch(/^c\.json: .+/);
    expect((broken as ComponentError).fix).toMatch(/.+/);
  });

  it('are not found outside of the directory', async () => {
    await expect(flowsOf({}).find('../x')).rejects.toThrow();
  });
});
