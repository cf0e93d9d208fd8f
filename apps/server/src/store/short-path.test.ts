import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { shortPath } from './short-path.ts';

let dir: string;
beforeEach(() => void (dir = testDir()));

it('is the path itself where a socket fits', () => {
  const { path, close } = shortPath(dir, 20);
  close();
  expect(path).toBe(dir);
});

it.skipIf(process.platform !== 'linux')('leads a socket into a directory whose path is too long for it', async () => {
  const deep = join(dir, 'x'.repeat(120));
  mkdirSync(deep);
  const short = shortPath(deep, 20);
  expect(short.path.length).toBeLessThan(80);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(short.path, 'socket'), resolve));
  expect(readdirSync(deep)).toEqual(['socket']);
  await new Promise((resolve) => server.close(resolve));
  short.close();
  expect(existsSync(join(short.path, 'socket'))).toBe(false);
});

it.skipIf(process.platform !== 'linux')('leaves room for the name of the socket and the slash before it', () => {
  // 107 bytes are the longest address, so one of these two paths fits and the other does not.
  const room = 107 - 20 - 1 - dir.length - 1;
  for (const [length, isItself] of [
    [room, true],
    [room + 1, false],
  ] as const) {
    const path = join(dir, 'y'.repeat(length));
    mkdirSync(path);
    const short = shortPath(path, 20);
    short.close();
    expect(short.path === path, `${length}`).toBe(isItself);
  }
});
