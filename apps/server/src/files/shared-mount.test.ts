import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSharedMount } from './shared-mount.ts';

it('every thread and process follows what an admin chooses in one of them', () => {
  const baseDir = mkdtempSync(join(tmpdir(), 'croft-shared-mount-'));
  try {
    const [own, other] = [createSharedMount(baseDir), createSharedMount(baseDir)];
    expect(other.mode()).toBe('off');
    own.set('write');
    expect([own.mode(), other.mode()]).toEqual(['write', 'write']);
    own.set('off');
    expect([own.mode(), other.mode()]).toEqual(['off', 'off']);
  } finally {
    rmSync(baseDir, { recursive: true, force: true });
  }
});
