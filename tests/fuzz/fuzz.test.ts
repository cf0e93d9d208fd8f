import { expect, it } from 'vitest';
// @ts-expect-error plain JavaScript, as it also runs without a loader
import { fuzz } from './run.mjs';

it('stays inside for 100,000 random paths, or fails with a WorkspaceError', async () => {
  const result = (await fuzz({ count: 100_000, seed: 20_240_601 })) as {
    calls: number;
    served: number;
    refused: number;
  };
  expect(result.calls).toBe(100_000);
  // Both outcomes must occur; otherwise the paths test nothing.
  expect(result.served).toBeGreaterThan(5_000);
  expect(result.refused).toBeGreaterThan(20_000);
}, 120_000);
