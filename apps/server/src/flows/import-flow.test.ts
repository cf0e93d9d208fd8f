import { builtinRegistry } from '@croft/components';
import { expect, it } from 'vitest';
import { createFlowComponents } from '../components/flow-components.ts';
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
