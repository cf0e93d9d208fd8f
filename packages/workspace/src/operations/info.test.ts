import { execFileSync } from 'node:child_process';
import { chmodSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../testing.ts';
import { useWorkspaces } from '../use-workspaces.ts';

const open = useWorkspaces();

describe('the metadata of a place', () => {
  it('says what it is, and names the real path behind a link', () => {
    const { workspace, at } = open(['d/f = four', 'd/g == $ROOT/d/f', 'l => d/f', 'away => $OUT', 'top => .']);
    chmodSync(at('d/f'), 0o640);
    utimesSync(at('d/f'), 1, 1);
    const info = workspace.info('d/f');
    expect(info).toMatchObject({
      type: 'file',
      sizeBytes: 4,
      mode: '640',
      links: 2,
      modified: '1970-01-01T00:00:01.000Z',
    });
    expect(info).not.toHaveProperty('realPath');
    expect(workspace.info('l')).toEqual({ ...info, realPath: 'd/f' });
    expect(workspace.info('top').realPath).toBe('.');
    execFileSync('mkfifo', [at('pipe')]);
    expect([workspace.info('d').type, workspace.info('pipe').type]).toEqual(['directory', 'other']);
  });

  it('is that of a link itself on request, also of one that leads outside', async () => {
    const { workspace } = open(['l => f', 'f', 'away => $OUT']);
    expect(workspace.info('l', { itself: true })).toMatchObject({ type: 'link' });
    expect(workspace.info('away', { itself: true })).toMatchObject({ type: 'link' });
    expect((await failureOf(() => workspace.info('away'))).code).toBe('link_outside');
    const missing = await failureOf(() => workspace.info('no'));
    expect([missing.code, missing.message]).toEqual(['not_found', 'File not found: no']);
  });
});

describe('the digest of a directory', () => {
  it('changes with anything in it, and with nothing else', async () => {
    const { workspace, at } = open(['d/a/f', 'e/x']);
    const first = await workspace.digest('d');
    writeFileSync(at('e/y'), '');
    expect(await workspace.digest('d')).toBe(first);
    writeFileSync(at('d/a/f'), 'other');
    expect(await workspace.digest('d')).not.toBe(first);
  });

  it('exists for directories only, and not for one with more than the limits allow', async () => {
    const { workspace } = open(['d/a', 'd/b', 'f', 'l => d'], { limits: { maxTreeEntries: 2 } });
    expect(await workspace.digest('d')).toEqual(expect.any(String));
    expect([await workspace.digest('f'), await workspace.digest('no'), await workspace.digest('l')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const few = open(['d/a', 'd/b', 'd/c'], { limits: { maxTreeEntries: 2 } });
    expect(await few.workspace.digest('d')).toBeUndefined();
    const cancelled = workspace.digest('d', { signal: AbortSignal.abort() });
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  });
});
