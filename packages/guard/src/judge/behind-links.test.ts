import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { hasWildcard, judgeLinks, MAX_OPENED, wildcard } from './behind-links.ts';
import { judgePath } from './judge-path.ts';
import { scratchContext } from './testing.ts';

const { context, scratch, remove } = scratchContext(
  [
    'src/out => $OUT',
    'tree/deep/more/far => $OUT',
    'src/in => $ROOT/lib',
    'lib/way => $OUT',
    'lib/keys/a.lock',
    'git => $ROOT/.git',
    '.git/config',
    'plain/b/c',
    'OUT.TXT',
  ],
  { protect: ['.git/config', '*.lock'] },
);
afterAll(remove);

/** The path of the finding below the root, or what else the judgement says. */
function through(pattern: string, place = context.place): string | undefined {
  const rest = pattern.split('/');
  const found = judgeLinks(scratch.workspace, rest, place, (written) =>
    judgePath({ written, weight: 'path', role: 'plain' }, context.place, context.protect, { isShell: true }),
  );
  if (found === undefined || found === 'too-many') return found;
  return `${found.problem?.rule} ${found.verdict.written.slice(scratch.workspace.length + 1)}`;
}

it.each([
  ['s*/out', 'outside-path src/out'],
  ['s*/o*', 'outside-path src/out'],
  ['S*/OUT/x', undefined],
  ['t*/*/more/far/x', 'outside-path tree/deep/more/far'],
  ['?ree/[d]eep/more/far', 'outside-path tree/deep/more/far'],
  ['s*/in/way/x', 'outside-path src/in/way'],
  ['s*/in/keys/*', 'protected-path src/in/keys/a.lock'],
  ['g*/config', 'protected-path git/config'],
  ['g*', undefined],
  ['t*/**/deep/more/far/x', 'outside-path tree/deep/more/far'],
  ['**/far', undefined],
  ['t*/**/more/far/x', 'outside-path tree/deep/more/far'],
  ['t*/de**/far', undefined],
  ['s**', undefined],
  ['p*/b/c', undefined],
  ['p*/out', undefined],
  ['p*/b/*', undefined],
  ['s*/a', undefined],
])('judges the links that %s leads through', (pattern, expected) => {
  expect(through(pattern)).toBe(expected);
});

it('tests every link where the names are not known', () => {
  expect(through('s*/o*', { ...context.place, namesIn: () => undefined })).toBe(undefined);
  expect(through('[s]rc/x', { ...context.place, namesIn: undefined, linksIn: () => ['src/out'] })).toBe(
    'outside-path src/out',
  );
});

it('gives up at a limit of directories', () => {
  for (let n = 0; n < 3; n++) mkdirSync(join(scratch.workspace, `many/${n}`), { recursive: true });
  const names = (count: number) => ({
    ...context.place,
    namesIn: () => Array.from({ length: count }, (_, n) => `${n % 3}`),
  });
  expect(through('many/*/x', names(MAX_OPENED - 2))).toBeUndefined();
  expect(through('many/*/x', names(MAX_OPENED - 1))).toBe('too-many');
});

it('knows parts that may mean several names', () => {
  const parts = ['a*', 'a?', '[a]', '{a}', '(a)', 'a', ''];
  expect(parts.filter(hasWildcard)).toEqual(['a*', 'a?', '[a]', '{a}', '(a)']);
  expect([wildcard('a*')('AB'), wildcard('a*')('b'), wildcard('[x]')('any'), wildcard('a')('b')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
