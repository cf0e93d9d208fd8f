import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

it.each([
  ['gem install x --install-dir dir', 'dir'],
  ['mise use node@20', 'mise.toml'],
  ['asdf local node 20', '.tool-versions'],
])('installs for every project: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'gem list',
  'cabal build',
  'pyenv local 3',
  'luarocks install --tree t x',
  'dotnet tool install x',
  'dotnet build',
])('installs for every project: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(['gem install x', 'cabal install', 'pyenv global 3', 'dotnet tool install -g x', 'mise use -g node@20'])(
  'installs for every project: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);

it.each([
  ['gem install x', "? 'gem' installs for every project."],
  ['gem i x', "? 'gem' installs for every project."],
  ['gem uninstall x', "? 'gem' installs for every project."],
  ['gem update', "? 'gem' installs for every project."],
  ['gem cleanup', "? 'gem' installs for every project."],
  ['gem push x', "? 'gem' installs for every project."],
  ['gem signin', "? 'gem' installs for every project."],
  ['gem list', ''],
  ['gem install -i d x', 'd'],
  ['gem install --install-dir d --bindir b x', 'd b'],
  ['gem install -n b x', "b ? 'gem' installs for every project."],
  ['gem install -v 1 x', "? 'gem' installs for every project."],
  ['mix archive.install x', "(archive.install) (x) ? 'mix' installs for every project."],
  ['mix escript.install x', "(escript.install) (x) ? 'mix' installs for every project."],
  ['mix local.hex', "(local.hex) ? 'mix' installs for every project."],
  ['mix deps.get', '(deps.get)'],
  ['cabal install', "(install) ? 'cabal' installs for every project."],
  ['cabal build', '(build)'],
  ['stack setup', "(setup) ? 'stack' installs for every project."],
  ['stack upgrade', "(upgrade) ? 'stack' installs for every project."],
  ['stack build', '(build)'],
  ['opam switch create x', "(switch) (create) (x) ? 'opam' installs for every project."],
  ['opam pin x', "(pin) (x) ? 'opam' installs for every project."],
  ['opam list', '(list)'],
  ['dart global activate x', "(global) (activate) (x) ? 'dart' installs for every project."],
  ['dart pub global activate x', "(pub) (global) (activate) (x) ? 'dart' installs for every project."],
  ['dart run x', '(run) (x)'],
  ['cpan X', "(X) ? 'cpan' installs for every project."],
  ['cpanm X', "(X) ? 'cpanm' installs for every project."],
  ['cpanm -L local X', '(local) (X)'],
  ['cpanm --local-lib=d X', '(X)'],
  ['cpan -l', ''],
  ['luarocks install x', "(install) (x) ? 'luarocks' installs for every project."],
  ['luarocks --tree d install x', '(d) (install) (x)'],
  ['luarocks make', "(make) ? 'luarocks' installs for every project."],
  ['luarocks list', '(list)'],
  ['nimble install', "(install) ? 'nimble' installs for every project."],
  ['nimble build', '(build)'],
  ['zef upgrade', "(upgrade) ? 'zef' installs for every project."],
  ['zef --installdir=d install x', '(install) (x)'],
  ['zef list', '(list)'],
  ['ghcup set x', "(set) (x) ? 'ghcup' installs for every project."],
  ['ghcup list', '(list)'],
  ['juliaup add x', "(add) (x) ? 'juliaup' installs for every project."],
  ['juliaup status', '(status)'],
  ['pyenv global 3', "(global) (3) ? 'pyenv' installs for every project."],
  ['pyenv install 3', "(install) (3) ? 'pyenv' installs for every project."],
  ['pyenv rehash', "(rehash) ? 'pyenv' installs for every project."],
  ['pyenv versions', '(versions)'],
  ['rbenv uninstall 3', "(uninstall) (3) ? 'rbenv' installs for every project."],
  ['nodenv install 3', "(install) (3) ? 'nodenv' installs for every project."],
  ['tfenv use 1', "(use) (1) ? 'tfenv' installs for every project."],
  ['tfenv list', '(list)'],
  ['dotnet workload install x', "(workload) (install) (x) ? 'dotnet' installs for every project."],
  ['dotnet tool install -g x', "(tool) (install) (x) ? 'dotnet' installs for every project."],
  ['dotnet tool install --global x', "(tool) (install) (x) ? 'dotnet' installs for every project."],
  ['dotnet tool install x', '(tool) (install) (x)'],
  ['dotnet build', '(build)'],
  ['elan default x', "(default) (x) ? 'elan' installs for every project."],
  ['elan show', '(show)'],
  ['cabal install --prefix=d', '(install)'],
  ['opam install --local x', '(install) (x)'],
  ['cabal install --installdir d /x', '(install) (d) (/x)'],
])('global installs: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
