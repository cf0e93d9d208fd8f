import { expect, it } from 'vitest';
import { readCommand } from './read-command.ts';

// `src/up` is a link to the root.
const realPath = (path: string) => (path === 'src/up' ? '' : path === 'src/up/..' ? '/home' : undefined);
const writes = (command: string) =>
  readCommand(command, { cwd: '', isDirectory: (path) => path.startsWith('src'), realPath })
    .writes.map((write) => write.path)
    .toSorted();

it.each([
  ['cd src/up; cd ..; touch x', 'src/x'],
  ['cd -P src/up; cd ..; touch x', '../x'],
  ['cd -LP src/up; cd ..; touch x', '../x'],
  ['cd src/up; cd -P ..; touch x', '/home/x src/up/x'],
  ['cd src/up; env -C .. touch x', '/home/x'],
  ['git -C src/up/.. init', '/home src/up/..'],
  ["cd src/up; env -i sh -c 'cd ..; touch x'", '../x src/x'],
  ['cd "$(cd src/up; pwd -P)/.."; touch x', '../x x'],
  ['cd "$(cd src/up; pwd)/.."; touch x', 'src/x x'],
  ['cd "$(realpath src/up)/.."; touch x', '../x x'],
  ['cd "$(readlink -f src/up)/.."; touch x', '../x x'],
  ['mkdir n; cd -P n; cd ..; touch x', 'n x'],
])('directories behind links: finds what is written by %s', (command, expected) => {
  expect(writes(command).join(' ')).toBe(expected);
});

it('the text of a link is not known', () => {
  expect(readCommand('touch "$(readlink src/up)/x"', { cwd: '', realPath }).undecidable).not.toEqual([]);
});
