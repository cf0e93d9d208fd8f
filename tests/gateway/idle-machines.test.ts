import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

// A smaller version of the soak test with 5,000 machines. It runs the build output in a process of its own, so that the
// measured memory is only the hub's.
it('a thousand idle machines with a tree of 200 entries cost a hub at most 48 KB each', () => {
  const script = join(import.meta.dirname, '../soak/gateway-idle.mjs');
  const args = [script, '--machines=1000', '--seconds=0'];
  const result = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  expect(result).toMatchObject({ machines: 1_000, entries: 200, broken: 0 });
  expect(result.kbPerMachine).toBeLessThanOrEqual(48);
  // As objects instead of packed, one tree alone would need more.
  expect(result.heapKbPerMachine).toBeLessThanOrEqual(16);
});
