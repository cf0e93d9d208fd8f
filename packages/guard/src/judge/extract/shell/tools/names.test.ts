import { expect, it } from 'vitest';
import { effects, isOpen, outcome } from '../testing.ts';

it.each([
  ['grep -l x src | xargs rm', 'src'],
  ['ls *.js | xargs rm', '*.js'],
])('listed names: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'rg x | xargs rm',
  'ls | head -1 | xargs rm',
  'git ls-files | xargs rm',
  'git ls-files ../x | xargs rm',
  'git diff | xargs rm',
  'grep -rl x src | sed s/a/b/ | xargs rm',
  'grep -R -l x src | xargs rm',
])('listed names: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});

it.each([
  'rg -l x | xargs rm',
  'grep -rl x src | sort | uniq | head -2 | xargs rm',
  'grep -rl x src | grep -v y | xargs sed -i s/a/b/',
  'git diff --name-only | xargs rm',
  'git grep -l x | xargs rm',
])('listed names: are below the project where they come from %s', (command) => {
  expect(isOpen(command)).toBe(false);
});

it.each([
  ['grep -l x src | xargs rm', 'src <src'],
  ['grep -l x src docs | xargs rm', 'src docs <src <docs'],
  ['grep -rl x src | xargs touch', 'src src/0 <src'],
  ['grep -rl x | xargs touch', './0'],
  ['grep -r --files-without-match x src | xargs touch', 'src src/0 <src'],
  ['grep -L -r x src | xargs touch', 'src src/0 <src'],
  ['egrep -rl x src | xargs touch', 'src src/0 <src'],
  ['fgrep -rl x src | xargs touch', 'src src/0 <src'],
  ['zgrep -rl x src | xargs touch', 'src src/0 <src'],
  ['grep -rl -e x src | xargs touch', 'src src/0 <src'],
  ["grep -rl --include '*.ts' x src | xargs touch", 'src src/0 <src'],
  [
    'grep -rl -f p src | xargs touch',
    "<src ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'grep -Rl x src | xargs touch',
    "<src ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'grep -rl --label=x y src | xargs touch',
    "<src ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['grep -rl x a b c d | xargs touch', 'a a/0 b b/0 c c/0 d d/0 <a <b <c <d'],
  [
    'grep -rl x a b c d e | xargs touch',
    "<a <b <c <d <e ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    "grep -rl x 'a b' | xargs touch",
    "<a b ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'grep -rl x "$X" | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'grep x src | xargs touch',
    "<src ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['rg -l x | xargs touch', './0'],
  ['rg -l x src | xargs rm', 'src src/0 <src'],
  ['rg --files src | xargs touch', 'src src/0'],
  ['rg --files | xargs touch', './0'],
  ["rg --files-with-matches -g '*.ts' x src | xargs touch", 'src src/0 <src'],
  [
    'rg -L -l x src | xargs touch',
    "<src ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'rg --follow -l x src | xargs touch',
    "<src ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'rg -l --path-separator : x src | xargs touch',
    "<x <src ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'rg x | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['ag -l x src | xargs touch', 'src src/0 <src'],
  ['ag -g x src | xargs touch', 'src src/0 <src'],
  [
    'ag -L x src | xargs touch',
    "<src ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['cd src; rg -l x | xargs touch', 'src/./0'],
  [
    'cd "$X"; rg -l x | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for. ? It is not known in which directory later commands run. Put this command in parentheses, ( … ), or go back at its end.",
  ],
  ['ls *.js | xargs rm', '*.js <*.js'],
  ['ls -1t *.js | xargs rm', '*.js <*.js'],
  ['ls -d src/* | xargs rm', 'src/* <src/*'],
  [
    'ls src/* | xargs rm',
    "<src/* ? It is not known what 'rm' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'ls -l *.js | xargs rm',
    "<*.js ? It is not known what 'rm' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['ls --sort=size *.js | xargs rm', '*.js <*.js'],
  [
    'ls a.js | xargs rm',
    "<a.js ? It is not known what 'rm' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['ls | xargs rm', "? It is not known what 'rm' is given. ? It is not known what 'what is piped in' stands for."],
  [
    'ls *.a *.b *.c *.d *.e | xargs rm',
    "<*.a <*.b <*.c <*.d <*.e ? It is not known what 'rm' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['grep -rl x src | sort -u | uniq | head -2 | tail -n 1 | tail -n1 | head --lines=3 | xargs touch', 'src src/0 <src'],
  [
    'grep -rl x src | sort -k2 | xargs touch',
    "<src ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'grep -rl x src | uniq -c | xargs touch',
    "<src ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'grep -rl x src | head -c 5 | xargs touch',
    "<src ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['grep -rl x src | grep -v y | xargs touch', 'src src/0 <src'],
  ['grep -rl x src | grep --ignore-case -e y | xargs touch', 'src src/0 <src'],
  [
    'grep -rl x src | grep -o y | xargs touch',
    "<src ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'grep -rl x src | grep y z | xargs touch',
    "<src <z ? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'echo a b | head -1 | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'echo a | head -1 | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['git ls-files | xargs touch', '././**'],
  [
    'git ls-files | xargs rm',
    "? It is not known what 'rm' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ["git ls-files src '*.ts' | xargs touch", './** src *.ts'],
  ['git ls-files -m --exclude-standard | xargs touch', '././**'],
  [
    'git ls-files -s | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'git ls-files ../x | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'git ls-files ~ | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'git ls-files a b c d e | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'git -C src ls-files | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['git diff --name-only | xargs touch', './**'],
  ['git diff --name-only --cached | xargs touch', './**'],
  [
    'git diff --name-only --stat | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'git diff | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['git grep -l x | xargs touch', './**'],
  ['git grep -L x src | xargs touch', './**'],
  ['git grep --name-only x | xargs touch', './**'],
  ['git grep -l -e x | xargs touch', './**'],
  [
    'git grep x | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'git grep -l x /y | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  [
    'git log | xargs touch',
    "? It is not known what 'touch' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ['rg -l x src | xargs git add', '<src'],
  ['rg -l x src | xargs git rm', 'src src/0 <src'],
  ['rg -l x src | xargs git commit', '<src'],
  ["rg -l x src | xargs perl -pi -e 's/a/b/'", 'src src/0 <src'],
  ['rg -l x src | xargs sed -i s/a/b/', 'src src/0 <src'],
  ['rg -l x src | xargs sed --follow-symlinks -i s/a/b/', 'src src/0 <src'],
  ["rg -l x src | xargs sed -i 's/a/b/w out'", 'out src src/0 <src'],
  ['rg -l x src | xargs trash', 'src src/0 <src'],
  ['rg -l x src | xargs /bin/unlink', 'src src/0 <src'],
])('listed names: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
