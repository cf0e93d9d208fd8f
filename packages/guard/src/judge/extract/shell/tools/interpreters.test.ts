import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  [`python -c "open('/etc/x','w')"`, '/etc/x ?'],
  ['node --cpu-prof-dir=/tmp/p s.js', '/tmp/p'],
  ["perl -i -pe 's/a/b/' f g", 'f g'],
  ['python -X pycache_prefix=/tmp/c s.py', '/tmp/c'],
])('interpreters: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  "python -c 'print(1)'",
  'python script.py',
  'python --version',
  "node -e 'console.log(1)'",
  "ruby -e 'puts 1'",
  "perl -pe 's/a/b/' f",
  "php -r 'echo 1;'",
  'php -d memory_limit=1G s.php',
])('interpreters: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each([
  'python',
  `echo 'open("x","w")' | python`,
  `node -e "require('fs').writeFileSync('x','')"`,
  'node --require data:x s.js',
  `perl -e 'unlink "x"'`,
  'php -d auto_prepend_file=x s.php',
  'node https://h/x.js',
  'bash <(curl x)',
])('interpreters: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
