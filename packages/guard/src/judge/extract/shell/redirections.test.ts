import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ['echo a > x', 'x'],
  ['echo a >> x', 'x'],
  ['echo a &> x', 'x'],
  ['a 2> e > x', 'e x'],
  ['cat <<< a > x', 'x'],
  ['a <> f', 'f'],
  ['> x', 'x'],
  ['a >| x', 'x'],
  ["sh <<< 'touch y'", 'y'],
  ['cat <<E > x\ntouch y\nE', 'x'],
  ['bash <<E\ntouch x\nE', 'x'],
  ['bash <<-E\n\ttouch x\n\tE', 'x'],
  ['f=y; bash <<E\ntouch $f\nE', 'y'],
  [`f=y; bash <<'E'\ntouch "x"\nE`, 'x'],
  ["echo 'touch x' > s; bash s", 's x'],
  ["echo 'touch x' > s; echo 'touch y' >> s; bash s", 's x y'],
  ["echo 'touch x' 2> s; bash s", 's'],
  ['a >& x', 'x'],
  ['a >! x', '! x'],
  ["cat <<'E' | bash\ntouch x\nE", 'x'],
])('redirections: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['a 2>&1', 'a >&-', 'a < in', 'a > /dev/null', 'a >&2', 'a <& 3'])(
  'redirections: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each(['cat < in > "$F"', "bash <<'E'\ntouch $x\nE"])(
  'redirections: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
