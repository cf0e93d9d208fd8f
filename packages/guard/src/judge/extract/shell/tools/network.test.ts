import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['curl -o out https://h/x', 'out'],
  ['curl --output-dir d -O https://h/x', 'd d/x'],
  ['curl -OJ https://h/x', '. x'],
  ['curl -T f file:///etc/x', '/etc/x'],
  ['curl -c jar https://h', 'jar'],
  ['wget -O out https://h/x', 'out'],
  ['wget -P d https://h/x.txt', 'd d/x.txt'],
  ['wget -r https://h/', '. index.html'],
  ['wget -i list', '.'],
  ['wget -e use_proxy=x https://h/x', 'x ?'],
  ['aria2c -d d https://h/x', 'd d/x'],
  ['aria2c --on-download-complete=x https://h/x', 'x ?'],
  ['socat - OPEN:f,creat', 'f'],
  ["socat - EXEC:'touch x'", 'x'],
])('downloads: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'curl -o - https://h/x',
  'curl https://h/x',
  'curl -T f https://h/',
  'curl -d @f https://h',
  'wget -O - https://h/x',
  'wget --spider https://h/x',
  'nc h 1',
])('downloads: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(['curl -K c https://h', "curl -w '%output{f}x' https://h", 'sftp h', 'nc -l 1 -e sh'])(
  'downloads: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
