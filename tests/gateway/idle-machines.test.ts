import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

// The soak of 5,000, in small. It runs what was built, in a process of its own, whose memory is only the hub's.
it('a thousand idle machines with a tree of 200 entries cost a hub at most 48 KB each', () => {
  const script = join(import.meta.dirname, '../soak/gateway-idle.mjs');
  const args = [script, '--machines=1000', '--seconds=0'];
  const result = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  expect(result).toMatchObject({ machines: 1_000, entries: 200, broken: 0 });
  expect(result.kbPerMachine).toBeLessThanOrEqual(48);
  // As objects instead of packed, a tree alone would be more than this.
  expect(result.heapKbPerMachine).toBeLessThanOrEqual(16);
}, 120_000);
