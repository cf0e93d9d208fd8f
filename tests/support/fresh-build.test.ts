import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isStale, root } from '../../scripts/prepare.mjs';
import { outputNeededBy } from './fresh-build.ts';

const scratch: string[] = [];
afterEach(() => {
  for (const dir of scratch.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** Makes a source that is `sourceAge` seconds old, and the staleness of an output that is ten seconds old. */
function staleness(name: string, sourceAge: number): boolean {
  const dir = mkdtempSync(join(tmpdir(), 'croft-stale-'));
  scratch.push(dir);
  mkdirSync(join(dir, 'src'));
  const age = (path: string, seconds: number) => {
    writeFileSync(path, '');
    utimesSync(path, Date.now() / 1000 - seconds, Date.now() / 1000 - seconds);
  };
  age(join(dir, 'src', name), sourceAge);
  age(join(dir, 'out.js'), 10);
  return isStale(relative(root, join(dir, 'out.js')), [relative(root, join(dir, 'src'))]);
}

describe('a run of selected tests', () => {
  it('builds nothing for tests that run sources only', () => {
    expect(outputNeededBy(['packages/guard/src/judge/judge.test.ts', 'packages/event-log/src/sse.test.ts'])).toBe(
      undefined,
    );
  });

  it('builds the search threads for tests that may search', () => {
    expect(outputNeededBy(['packages/guard/src/a.test.ts', 'packages/tools/src/b.test.ts'])).toBe('threads');
  });

  it('builds the program for tests that start it', () => {
    for (const path of ['apps/cli/src/a.test.ts', 'packages/mcp/src/a.test.ts', 'tests/guard/limits.test.ts'])
      expect(outputNeededBy(['packages/tools/src/b.test.ts', path]), path).toBe('program');
  });

  it('finds output stale when a source is newer, and not when only a test is', () => {
    expect(staleness('a.ts', 5)).toBe(true);
    expect(staleness('a.ts', 20)).toBe(false);
    expect(staleness('a.test.ts', 5)).toBe(false);
  });

  it('finds missing output stale', () => {
    expect(isStale('no/such/output.js', ['scripts'])).toBe(true);
  });
});
