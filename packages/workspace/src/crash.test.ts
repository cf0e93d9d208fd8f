import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { makeScratch, type Scratch } from './testing.ts';
import { openWorkspace } from './workspace.ts';

const dist = join(dirname(fileURLToPath(import.meta.url)), '../dist/index.js');
const ROUNDS = Number(process.env.CROFT_CRASH_ROUNDS ?? 15);
const FILES = ['a.txt', 'd/b.txt', 'd/e/c.txt', 'd/e/big.txt'];

/** Writes files that hold their own hash, again and again, in every way a file can come to be. */
const writer = (root: string, trash: string) => `
  import { createHash } from 'node:crypto';
  import { openWorkspace } from ${JSON.stringify(dist)};
  const workspace = openWorkspace(${JSON.stringify(root)}, { trashDir: ${JSON.stringify(trash)} });
  const sealed = (body) => createHash('sha256').update(body).digest('hex') + body;
  process.stdout.write('ready');
  for (let i = 0; ; i++) {
    try { await workspace.delete('tree-copy', { recursive: true }); } catch {}
    for (const file of ${JSON.stringify(FILES)}) workspace.write(file, sealed(file + i + 'x'.repeat(file.includes('big') ? 300_000 : 2_000)));
    try { await workspace.delete('copy.txt'); } catch {}
    await workspace.copy('d/e/big.txt', 'copy.txt');
    await workspace.copy('d', 'tree-copy');
  }`;

let scratch: Scratch;
afterEach(() => scratch.remove());

describe('a process killed at any moment', () => {
  it(
    `leaves no torn or missing file, and no litter after the next start (${ROUNDS} rounds)`,
    async () => {
      scratch = makeScratch([]);
      const trash = join(scratch.base, 'trash');
      let checks = 0;
      let torn = 0;
      let litter = 0;
      const check = (path: string) => {
        const text = readFileSync(join(scratch.workspace, path), 'utf8');
        if (createHash('sha256').update(text.slice(64)).digest('hex') !== text.slice(0, 64)) torn++;
        checks++;
      };
      const first = openWorkspace(scratch.workspace);
      for (const file of FILES) first.write(file, createHash('sha256').update(file).digest('hex') + file);
      first.close();
      for (let round = 0; round < ROUNDS; round++) {
        const child = spawn(process.execPath, ['--input-type=module', '-e', writer(scratch.workspace, trash)], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const closed = new Promise((resolve) => child.on('close', resolve));
        await new Promise((resolve) => child.stdout.once('data', resolve));
        await sleep(Math.random() * 40);
        child.kill('SIGKILL');
        await closed;
        litter += temporary(scratch.workspace).length;
        const workspace = openWorkspace(scratch.workspace, { trashDir: trash });
        await workspace.settled();
        expect(temporary(scratch.workspace)).toEqual([]);
        for (const file of FILES) check(file);
        for (const file of ['copy.txt', 'tree-copy/b.txt', 'tree-copy/e/big.txt'])
          if (workspace.locate(file).inside && exists(file)) check(file);
        // A name the trash had already given the file does not keep it from being written.
        for (const file of FILES) workspace.append(file, '');
        workspace.close();
      }
      expect(torn).toBe(0);
      expect(checks).toBeGreaterThanOrEqual(ROUNDS * FILES.length);
      // The harness did hit writes in the middle.
      if (ROUNDS >= 40) expect(litter).toBeGreaterThan(0);
    },
    60_000 + ROUNDS * 1_000,
  );
});

function temporary(at: string): string[] {
  return readdirSync(at, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.croft-tmp-'));
}

function exists(name: string): boolean {
  try {
    readFileSync(join(scratch.workspace, name));
    return true;
  } catch {
    return false;
  }
}
