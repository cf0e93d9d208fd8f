import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const CALL = /useSharedDatabase\([^;]*?\[([^\]]*)\]/g;

/** The users of a test file in the shared database: literals, and constants of the file. */
function usersOf(text: string): string[] {
  const names = [...text.matchAll(CALL)].flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  const users = names
    .filter((name) => name !== '')
    .map((name) => /^'(.*)'$/.exec(name)?.[1] ?? new RegExp(`const ${name} = '(.*)'`).exec(text)?.[1] ?? name);
  return [...new Set(users)];
}

it('users of the shared database belong to one test file: files of a process see the rows of the others', () => {
  const files = execFileSync('git', ['grep', '-l', 'useSharedDatabase(', '--', '*.test.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  const users = files.flatMap((file) => usersOf(readFileSync(join(root, file), 'utf8')));
  expect(users.length).toBeGreaterThan(70);
  expect(users.filter((user, at) => users.indexOf(user) !== at)).toEqual([]);
});
