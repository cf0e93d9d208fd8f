import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

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

it.each([
  ['wget https://h/a/b.txt', 'b.txt'],
  ["wget 'https://h/b.txt?x=1'", 'b.txt?x=1'],
  ["wget 'https://h/b.txt#y'", 'b.txt'],
  ["curl -O 'https://h/b.txt?x=1'", 'b.txt'],
  ["curl -O 'https://h/b.txt#y'", 'b.txt'],
  ["curl -O 'https://h/[1-3].txt'", '.:fills'],
  ['curl -O "https://h/$X"', '.:fills'],
  ['curl -O https://h/a%20b', 'a b'],
  ['curl -O https://h/a%2Fb', '.:fills'],
  ['curl -O https://h/a%zz', 'a%zz'],
  ['curl -O h', 'h (h)'],
  ['curl -O ftp://h/x', 'x'],
  ['kubectl cp ns/pod:/a/b.txt .', '. b.txt'],
  ['kubectl cp pod:/a/b.txt d/', 'd/ d/b.txt'],
  ['kubectl cp pod:/a/b.txt ./', './ b.txt'],
  ['kubectl cp pod:/a/ d', 'd:fills'],
  ['kubectl cp pod:/a/. d', 'd:fills'],
  ["kubectl cp 'pod:/a/*' d", 'd d/*'],
  ['kubectl cp pod:b.txt d', 'd d/b.txt'],
  ['aws s3 cp s3://b/k d', 'd d/k'],
  ['aws s3 sync s3://b/k d', 'd:fills'],
])('fetched files: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
