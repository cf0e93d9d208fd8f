import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../dist/croft.cjs');

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croft-launcher-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Starts the program once; gives the kept code's file name and identity. */
function start(): { name: string; ino: number } {
  execFileSync(process.execPath, [PROGRAM, '--version'], { env: { PATH: process.env.PATH, HOME: home } });
  const cache = join(home, '.croft/cache');
  const names = readdirSync(cache);
  expect(names).toHaveLength(1);
  const name = names[0] as string;
  return { name, ino: statSync(join(cache, name)).ino };
}

describe('the launcher', () => {
  it('keeps compiled code that the next start takes', () => {
    // What V8 does not take is made and stored anew: a flag set after compiling is enough for that.
    const first = start();
    expect(start()).toEqual(first);
  });
});
