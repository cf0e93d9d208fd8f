import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countFileRequests } from './testing.ts';
import { useWorkspaces } from './use-workspaces.ts';

const open = useWorkspaces();

it('removes the files that the bounds drop in threads of libuv', async () => {
  const { workspace, scratch } = open(['f'], ({ base }) => ({
    trashDir: join(base, 'trash'),
    trashLimits: { maxItems: 10 },
  }));
  const requests = countFileRequests();
  try {
    for (let i = 0; i < 300; i++) workspace.write('f', `${i}`);
    await workspace.settled();
    const kept = readdirSync(join(scratch.base, 'trash')).length;
    expect(kept).toBeLessThan(100);
    expect(requests.total).toBeGreaterThanOrEqual(300 - kept);
  } finally {
    requests.stop();
  }
});
