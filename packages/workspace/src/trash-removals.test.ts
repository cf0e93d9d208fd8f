import { linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { processName, tempName } from './temp-name.ts';
import { countFileRequests, makeScratch, type Scratch } from './testing.ts';
import { createRemovals } from './trash-removals.ts';
import { itemName, newGroup } from './trash-items.ts';
import { useWorkspaces } from './use-workspaces.ts';

const open = useWorkspaces();

describe.each(['descriptor', 'path'] as const)('the removals of a trash held by %s', (kind) => {
  let scratch: Scratch | undefined;
  afterEach(() => scratch?.remove());
  const setUp = (lines: readonly string[]) => {
    scratch = makeScratch(lines);
    const trash = scratch.workspace;
    return { trash, removals: createRemovals(trash, kind), names: () => readdirSync(trash).sort() };
  };

  it('rename an item that frees space and remove any other at once, and then remove the renamed ones', async () => {
    const { trash, removals, names } = setUp(['file', 'd/below', 'empty/', 'link => nowhere', 'blank = ', 'kept']);
    linkSync(join(trash, 'kept'), join(trash, 'twin'));
    removals.remove(['file', 'gone', 'd', 'empty', 'link', 'blank', 'twin']);
    expect(names()).toEqual(['.dropped-d', '.dropped-empty', '.dropped-file', '.dropped-link', 'kept']);
    await removals.settled();
    expect(names()).toEqual(['kept']);
  });

  it('prune groups beyond the bounds, without the newest and the spared one', async () => {
    const { trash, removals, names } = setUp([]);
    const groups = Array.from({ length: 4 }, newGroup);
    const [first, second, third, fourth] = groups.map((group) =>
      [0, 1].map((index) => itemName(group, { bytes: 4, index })),
    ) as [string[], string[], string[], string[]];
    for (const name of [first, second, third, fourth].flat()) writeFileSync(join(trash, name), 'item');
    removals.prune({ maxBytes: 32, maxItems: 8 }, undefined);
    await removals.settled();
    expect(names()).toHaveLength(8);
    removals.prune({ maxBytes: 1_000, maxItems: 4 }, groups[0]);
    await removals.settled();
    expect(names()).toEqual([...first, ...fourth]);
    removals.prune({ maxBytes: 0, maxItems: 100 }, undefined);
    await removals.settled();
    expect(names()).toEqual(fourth);
  });

  it('sweep what killed processes left, and go on after a failure', async () => {
    const { trash, removals, names } = setUp([]);
    const [id, namespace, token = ''] = processName().split('-');
    const earlier = `.croft-tmp-${id}-${namespace}-${token[0] === '0' ? '1' : '0'}${token.slice(1)}-0123456789ab`;
    const own = tempName();
    rmSync(trash, { recursive: true });
    removals.sweep();
    removals.remove(['gone']);
    await removals.settled();
    mkdirSync(join(trash, '.dropped-d'), { recursive: true });
    for (const name of ['.dropped-d/below', '.dropped-f', earlier, own, 'item']) writeFileSync(join(trash, name), 'x');
    removals.sweep();
    await removals.settled();
    expect(names()).toEqual([own, 'item']);
  });

  it('are not settled before all of them are, also those of other removals', async () => {
    const { removals, names } = setUp(['a', 'b']);
    removals.remove(['a']);
    const settled = removals.settled();
    removals.remove(['b']);
    await settled;
    expect(names()).toEqual([]);
  });
});

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
