import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['curl -O https://h/a.txt', 'a.txt'],
  ["curl -O 'https://h/a[1-3].txt'", '.'],
  ['curl -O https://h/', 'index.html'],
  ['wget https://h/', 'index.html'],
  ['gsutil cp gs://b/dir/n.txt .', '. n.txt'],
  ['kubectl cp pod:/x/n.txt d/', 'd/ d/n.txt'],
])('a fetched file: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});
