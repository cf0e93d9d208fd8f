import { linkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeScratch } from '../../../workspace/src/testing.ts';
import { testPolicy } from '../testing.ts';
import type { Candidate } from './extract/findings.ts';
import { judgePath, type PathUse, shorten } from './judge-path.ts';
import { openPlace } from './place.ts';
import { pathRules } from './protect.ts';

const scratch = makeScratch(['a.ts', 'dir/x', 'out => $OUT', '.git/config', 'linked'], ['secret.txt', 'further/f']);
linkSync(join(scratch.workspace, 'linked'), join(scratch.outside, 'linked'));
const further = join(scratch.outside, 'further');
const place = openPlace(testPolicy({ allowedRoots: [further] }), scratch.workspace);
afterAll(() => {
  place.close();
  scratch.remove();
});
const protect = pathRules(['.git/**', '*.pem']);

/** The rule that a path breaks, or where it is. */
function judged(written: string, use: PathUse = {}, more: Partial<Candidate> = {}): string {
  const { problem, path } = judgePath({ written, weight: 'path', role: 'plain', ...more }, place, protect, use);
  return problem ? problem.rule : `in ${path}`;
}

describe('a path that a call writes', () => {
  it('is inside in every spelling that leads inside', () => {
    for (const path of ['dir/x', './dir/../dir/x', `${scratch.workspace}/dir/x`, 'new/file'])
      expect(judged(path), path).toMatch(/^in /);
    expect(judgePath({ written: join(further, 'f'), weight: 'path', role: 'plain' }, place, protect).further).toBe(
      further,
    );
  });

  it('is refused if one reading of it leads outside', () => {
    for (const path of [
      '../x',
      '/etc/passwd',
      'out/x',
      '%2e%2e/x',
      '~/x',
      'C:\\x',
      '\\\\host\\share',
      'file:///etc/passwd',
    ])
      expect(judged(path), path).toBe('outside-path');
    expect(judged('$UNKNOWN/x')).toBe('unresolvable-path');
  });

  it('is refused with characters that hide where it leads, and first of all for being outside', () => {
    for (const path of ['a\0b', 'a\u202eb', 'a\nb', 'notes:stream', 'a\u2028b'])
      expect(judged(path), path).toBe('invalid-path');
    expect(judged('../a\u202eb')).toBe('outside-path');
    // Written as it is, this one is in a protected directory; decoded, it leads outside.
    expect(judged('.git/%2e%2e/%2e%2e/x')).toBe('outside-path');
    // Blanks and quotes around a path are what most clients strip.
    expect(judged(' "a.ts" ')).toBe('in a.ts');
  });

  it('is refused where another program obeys the file, or the file has another name', () => {
    expect(judged('.git/hooks/pre-commit')).toBe('protected-path');
    expect(judged('dir/key.pem')).toBe('protected-path');
    expect(judged('linked')).toBe('outside-path');
    expect(judged('linked', { removes: true })).toBe('in linked');
    expect(judged('linked', { removes: true, isWritten: true })).toBe('outside-path');
  });

  it('may not be a whole root that the call removes', () => {
    expect(judged('.', { removes: true })).toBe('whole-root');
    expect(judged(further, { removes: true })).toBe('whole-root');
    expect(judged('.')).toBe('in .');
    expect(judged('dir', { removes: true })).toBe('in dir');
    expect(judged('.git', { removes: true })).toBe('protected-path');
  });

  it('is inside where the contract of a tool has a root of its own, unless it climbs', () => {
    const use = { virtualRoot: '/mnt/data' };
    expect(
      judgePath({ written: '/mnt/data/x', weight: 'path', role: 'plain' }, place, protect, use).problem,
    ).toBeUndefined();
    expect(judged('/mnt/data/../../etc/x', use)).toBe('outside-path');
    expect(judged('/mnt/database', use)).toBe('outside-path');
  });
});

it('a text that only looks like a path counts where it leads outside', () => {
  const guess = { weight: 'guess' } as const;
  expect(judged('https://example.com/x', {}, guess)).toMatch(/^in /);
  expect(judged('/dev/null', {}, guess)).toMatch(/^in /);
  expect(judged('...', {}, guess)).not.toBe('invalid-path');
  expect(judged('../x', {}, guess)).toBe('outside-path');
  expect(judged('a:b', {}, guess)).toMatch(/^in /);
});

it('says why a path is refused', () => {
  const refusals = ['../x', 'src/NUL', 'a\0b', 'a\u202eb', 'a:b', '$X/a', 'D:\\x', '~other/x', '.git/config'].map(
    (written) => {
      const { problem } = judgePath({ written, weight: 'path', role: 'plain' }, place, protect);
      return `${problem?.rule}: ${problem?.reason}`;
    },
  );
  expect(refusals).toEqual([
    "outside-path: Path '../x' is outside the project directory",
    "invalid-path: Path 'src/NUL' cannot be used: Path component 'NUL' is a Windows reserved name",
    "invalid-path: Path 'a\ufffdb' holds control characters",
    "invalid-path: Path 'a\ufffdb' holds marks that turn the direction of its text",
    "outside-path: Path 'a:b' is outside the project directory",
    "unresolvable-path: Path '$X/a' holds a variable that is filled in later, so it is not known where it leads",
    "outside-path: Path 'D:\\x' is outside the project directory",
    "outside-path: Path '~other/x' is outside the project directory",
    "protected-path: Path '.git/config' is protected (.git/**): another program runs or obeys it",
  ]);
});

it('shows a path without control characters, at most 200 characters of it', () => {
  expect(shorten('a\n\u202eb')).toBe('a\ufffd\ufffdb');
  expect(shorten('x'.repeat(200))).toHaveLength(200);
  expect(shorten('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
});
