import { expect, it } from 'vitest';
import { effects, outcome } from './testing.ts';

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

it.each([
  ['echo a > f', 'f'],
  ['echo a >> f', 'f'],
  ['echo a >| f', 'f'],
  ['echo a &> f', 'f'],
  ['echo a &>> f', 'f'],
  ['echo a 2> f', 'f'],
  ['echo a >& f', 'f'],
  ['echo a >&2', ''],
  ['echo a >&-', ''],
  ['echo a 2>&1', ''],
  ['echo a <> f', 'f'],
  ['cat < f', '<f'],
  ['cat 0<&3', ''],
  ['cat < f > g', 'g <f'],
  ['echo a >! f', '! f'],
  ['echo a > ! f', '! f'],
  ['echo a > "$X"', '? It is not known what \'"$X"\' stands for.'],
  ['echo a > f g', 'f'],
  ['echo a > {b,c}', 'b c'],
  ["sh <<< 'touch a'", 'a'],
  ['sh <<E\ntouch a\nE', 'a'],
  ["sh <<'E'\ntouch $X\nE", "? It is not known what 'touch' is given. ? It is not known what '$X' stands for."],
  ['sh <<E\ntouch $HOME/x\nE', '~/x'],
  ['sh <<-E\n\ttouch a\n\tE', 'a'],
  ['sh < f', '<f (f)'],
  ["echo 'touch a' > f; sh < f", 'f a <f'],
  ["echo 'touch a' >> f; sh f", 'f a <f'],
  ["echo 'touch a' > f; echo 'touch b' >> f; sh f", 'f a b <f'],
  ["echo 'touch a' 2> f; sh f", 'f <f'],
  ['echo \'touch a\' > "$X"; sh f', '<f ? It is not known what \'"$X"\' stands for.'],
  ['echo \'touch a\' > f; echo "$Y" > f; sh f', 'f <f'],
  ["echo 'touch a' > f; sh < ./f", 'f a <./f'],
  ['cat < <(echo a)', ''],
  ['sh < <(echo touch a)', '? Commands are made from text that is not known. ? The command that runs is not known.'],
  ['echo a > >(cat > b)', 'b'],
  ['echo a > ~/f', '~/f'],
  ['> f', 'f'],
  ['exec 3> f', 'f'],
  ['cat <', '? The command could not be parsed: expected redirect target ? A redirection has no target.'],
  ['touch "$(cat <<-E\n\ta\n\tE\n)"', 'a'],
])('redirections: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
