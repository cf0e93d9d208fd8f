import { expect, it } from 'vitest';
import { hideHostPaths } from './hide-host-paths.ts';

const ROOT = '/home/me/my project';

it.each([
  // Below the shared directory.
  ['cannot open /home/me/my project/src/a.ts', 'cannot open src/a.ts'],
  ['cannot open /home/me/my project', 'cannot open .'],
  ['cannot open C:\\Users\\me\\x.txt now', 'cannot open (a path on that machine) now'],
  ['see \\\\server\\share\\x', 'see (a path on that machine)'],
  ['EACCES: /etc/shadow.', 'EACCES: (a path on that machine).'],
  ["'/a/b', '/c'", "'(a path on that machine)', '(a path on that machine)'"],
  ['at file.ts:3, a/b and ~/x', 'at file.ts:3, a/b and ~/x'],
  ['get https://example.org/a/b', 'get https://example.org/a/b'],
  ['<b>x</b>', '<b>x</b>'],
])('%s becomes %s', (text, shown) => expect(hideHostPaths(text, ROOT, {})).toBe(shown));

it('a Windows path, and a root with a separator at its end, are handled alike', () => {
  const root = 'C:\\Users\\me\\my project\\';
  const hide = (text: string, input: unknown = {}) => hideHostPaths(text, root, input);
  expect(hide('in C:\\Users\\me\\my project\\src\\a.ts')).toBe('in src\\a.ts');
  expect(hide('in C:\\Users\\me\\my project, and C:\\Users\\me\\other!')).toBe('in ., and (a path on that machine)!');
  expect(hideHostPaths('in /srv/a/b', '/srv//', undefined)).toBe('in a/b');
  expect(hideHostPaths('in /a/b', '/', {})).toBe('in (a path on that machine)');
  expect(hideHostPaths('/srv/a, /srv', '/srv', { path: '/srv/a' })).toBe('/srv/a, /srv');
});

it('a directory with the same beginning is not the shared one', () => {
  expect(hideHostPaths('in /home/me/shared-old/a', '/home/me/shared', {})).toBe('in (a path on that machine)');
});

it('paths that the model wrote stay, also the shared directory', () => {
  expect(hideHostPaths('no /etc/x, no /etc/y', ROOT, { path: '/etc/x' })).toBe(
    'no /etc/x, no (a path on that machine)',
  );
  expect(hideHostPaths('no C:\\x\\y', ROOT, { path: 'C:\\x\\y' })).toBe('no C:\\x\\y');
  expect(hideHostPaths('no /srv/data/a', '/srv/data/', { path: '/srv/data/a' })).toBe('no /srv/data/a');
});

it('a long text is cut', () => {
  expect(hideHostPaths('x'.repeat(2_000), ROOT, {})).toBe('x'.repeat(2_000));
  expect(hideHostPaths('x'.repeat(3_000), ROOT, {})).toBe(`${'x'.repeat(2_000)}…`);
});
