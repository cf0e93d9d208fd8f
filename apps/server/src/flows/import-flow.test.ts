import { builtinRegistry, closeSandbox } from '@croft/components';
import { afterAll, describe, expect, it } from 'vitest';
import { createFlowComponents } from '../components/flow-components.ts';
import { documentOf } from '../testing.ts';
import { importFlow, readImport } from './import-flow.ts';
import { yardstickMs } from '../../../../tests/support/yardstick.ts';

it('lets other requests have their turn while it builds a text of many edges', async () => {
  const nodes = Array.from({ length: 500 }, (_, i) => `  N${i}: TypeConverterComponent`);
  const edges = Array.from(
    { length: 5_000 },
    (_, i) => `  N${i % 500}.message_output -> N${(i * 7 + 1) % 500}.input_data`,
  );
  let turns = 0;
  const others = setInterval(() => turns++);
  try {
    const { document } = await readImport(['nodes:', ...nodes, 'edges:', ...edges].join('\n'), builtinRegistry());
    expect(document.nodes).toHaveLength(500);
    expect(turns).toBeGreaterThan(2);
  } finally {
    clearInterval(others);
  }
});

it('refuses a text of too many components before it looks for their code', async () => {
  const nodes = Array.from({ length: 20_000 }, (_, i) => `  N${i}: ChatInput`);
  const config = Array.from({ length: 40_000 }, (_, i) => `  N1.x: ${i}`);
  const parts = createFlowComponents({ list: async () => ({ components: [], skipped: [] }) });
  const text = ['nodes:', ...nodes, 'config:', ...config].join('\n');
  const refused = async () => {
    const before = process.cpuUsage();
    await expect(importFlow(parts, 'alice', text)).rejects.toThrow(/at most 2000/);
    return cpuMs(before) / yardstickMs();
  };
  // It looked for each component in all lines of the config: a thousand times as long.
  await expect.poll(refused).toBeLessThan(200);
});

it('reads a text of the most components and many values in time that grows with its lines', async () => {
  const nodes = Array.from({ length: 2_000 }, (_, i) => `  N${i}: ChatInput`);
  const config = Array.from({ length: 200_000 }, (_, i) => `  N1.x: ${i}`);
  const parts = createFlowComponents({ list: async () => ({ components: [], skipped: [] }) });
  const took = async (lines: readonly string[]) => {
    const before = process.cpuUsage();
    await parts.forText('alice', ['nodes:', ...lines, 'config:', ...config].join('\n'));
    return cpuMs(before);
  };
  const few = nodes.slice(0, 100);
  await took(few);
  // On a busy machine, a single measurement can take several times as long.
  const added = async () => ((await took(nodes)) - 3 * (await took(few))) / yardstickMs();
  await expect.poll(added).toBeLessThan(20);
});

function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

it('reads JSON that is sent as text, and says where it is broken', async () => {
  const parts = createFlowComponents({ list: async () => ({ components: [], skipped: [] }) });
  const document = documentOf('chat');
  const { document: read } = await importFlow(parts, 'alice', ` ${JSON.stringify(document)}`);
  expect(read.nodes.map(({ type }) => type)).toEqual(document.nodes.map(({ type }) => type));
  await expect(importFlow(parts, 'alice', '{"nodes": [}')).rejects.toMatchObject({
    status: 400,
    code: 'invalid',
    message: expect.stringMatching(
      /^This begins as JSON but is not: Unexpected token .*\. Check that the file is complete, or export the flow again\.$/,
    ),
  });
});

describe('an imported flow', () => {
  const MINE =
    "export class Mine extends Component {\n  inputs = [{ name: 'text', kind: 'text' }];\n  outputs = [{ name: 'r', types: ['Data'], method: 'm' }];\n  m() { return {}; }\n}";
  const own = createFlowComponents({
    list: async (userId) => ({
      components: userId === 'ann' ? [{ className: 'Mine', code: MINE, origin: 'saved' } as never] : [],
      skipped: [],
    }),
  });
  afterAll(closeSandbox);
  const document = documentOf('name: Shop\nnodes:\n  A: ChatInput', (_, id) => id);

  it('is a document, with the code of the components of its user', async () => {
    expect(await importFlow(own, 'ann', document)).toEqual({ document, findings: [] });
    const unknown = { ...document, nodes: document.nodes.map((node) => ({ ...node, type: 'Mine' })) };
    const filled = await importFlow(own, 'ann', unknown);
    expect(filled.document.nodes.map(({ code }) => code)).toEqual([MINE]);
    expect((await importFlow(own, 'bob', unknown)).document.nodes[0]?.code).toBeUndefined();
    await expect(importFlow(own, 'ann', { nodes: 5 })).rejects.toThrow();
  });

  it('is a text, with the components of its user', async () => {
    const { document: read, findings } = await importFlow(own, 'ann', 'name: Shop\nnodes:\n  A: ChatInput\n  B: Mine');
    expect([read.name, findings]).toEqual(['Shop', []]);
    expect(read.nodes.map(({ type, code }) => [type, code])).toEqual([
      ['ChatInput', undefined],
      ['Mine', MINE],
    ]);
    await expect(importFlow(own, 'bob', 'name: Shop\nnodes:\n  B: Mine')).rejects.toMatchObject({
      status: 400,
      code: 'invalid',
      message: expect.stringMatching(/^Unknown component types: \['Mine'.*\. ./),
    });
  });

  it('is refused where code in its text cannot be read, with all reasons', async () => {
    const findings = [
      { message: 'Line 1 is wrong.', fix: 'Correct it.' },
      { message: 'Line 2 too.', fix: 'Remove it.' },
    ];
    const broken = { ...own, forText: async () => ({ registry: builtinRegistry(), findings }) } as never;
    await expect(importFlow(broken, 'ann', 'name: F\nnodes:\n  A: ChatInput')).rejects.toMatchObject({
      status: 400,
      code: 'invalid',
      message: 'Line 1 is wrong. Correct it. Line 2 too. Remove it.',
    });
  });

  it('may be an export of Langflow, with what could not be taken over', async () => {
    const exported = {
      name: 'From Langflow',
      data: {
        nodes: [
          { id: 'C-1', position: { x: 0, y: 0 }, data: { type: 'ChatInput', id: 'C-1', node: { template: {} } } },
          { id: 'U-1', position: { x: 0, y: 0 }, data: { type: 'NoSuchThing', id: 'U-1', node: { template: {} } } },
        ],
        edges: [],
      },
    };
    const { document: read, findings } = await importFlow(own, 'ann', exported);
    expect([read.name, read.nodes[0]?.type]).toEqual(['From Langflow', 'ChatInput']);
    expect(JSON.stringify(findings)).toContain('NoSuchThing');
  });
});
