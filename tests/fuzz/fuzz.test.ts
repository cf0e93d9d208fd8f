import { expect, it } from 'vitest';
// @ts-expect-error plain JavaScript, as it also runs without a loader
import { fuzz } from './run.mjs';

it('stays inside for 30,000 random paths, or fails with a WorkspaceError', async () => {
  const result = (await fuzz({ count: 30_000, seed: 20_240_601 })) as {
    calls: number;
    served: number;
    refused: number;
  };
  expect(result.calls).toBe(30_000);
  // Both outcomes must occur; otherwise the paths test nothing.
  expect(result.served).toBeGreaterThan(1_400);
  expect(result.refused).toBeGreaterThan(6_000);
});
