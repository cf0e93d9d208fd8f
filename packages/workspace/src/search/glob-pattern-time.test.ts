import { expect, it } from 'vitest';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { compileGlob } from './glob-pattern.ts';

it('a glob of many stars is answered at once, whatever the name', async () => {
  const name = 'a'.repeat(250);
  const rows: [string, string, boolean][] = [
    [`${'*a'.repeat(30)}*b*`, name, false],
    [`${'*a'.repeat(30)}*`, name, true],
    [`${'*?a'.repeat(30)}*[bc]*`, name, false],
    [`${'**/a/'.repeat(20)}**/b*`, `${'a/'.repeat(1_000)}x`, false],
    [`${'**/a/'.repeat(20)}**/x*`, `${'a/'.repeat(1_000)}x`, true],
  ];
  const match = () => {
    for (const [pattern, path, matches] of rows) {
      for (const options of [{}, { braces: true }, { rightAnchored: true }])
        expect(compileGlob(pattern, options).matches(path), pattern).toBe(matches);
    }
  };
  await expect.poll(() => costOf(match)).toBeLessThan(20);
});
