import { expect, it } from 'vitest';
import { windowsEffects } from './testing.ts';

const effects = (command: string) => windowsEffects(command, 'powershell');

it.each<readonly [string, string]>([
  ...['Set-Location', 'sl', 'cd', 'chdir', 'Push-Location', 'pushd'].map(
    (name) => [`${name} ..; rm a`, '../a'] as const,
  ),
  ['sl -Path ..; rm a', '../a'],
  ['sl -Path:..; rm a', '../a'],
  ['sl -LiteralPath ..; rm a', '../a'],
  ['sl -PSPath ..; rm a', '../a'],
  ['Push-Location -StackName x ..; rm a', '../a'],
  ['sl -PassThru ..; rm a', '../a'],
  ['cd -- ..; rm a', '../a'],
  ['cd..; rm a', '../a'],
  ['cd\\; rm a', '/a'],
  ['cd~; rm a', '~/a'],
  ['D:; rm a', 'd:/a'],
  ['cd $HOME; rm a', '~/a'],
  ['cd -; rm a', '?'],
  ['cd +; rm a', '?'],
  ['cd; rm a', 'a ~/a'],
  ['cd ~; cd; rm a', '~/a'],
  ['sl -StackName x; rm a', 'a'],
  ['pushd; rm a', 'a'],
  ['pushd d; rm a; popd; rm b', 'd/a b'],
  ['Push-Location d; Pop-Location; rm b', 'b'],
  ['pushd; cd d; popd; rm b', 'b'],
  ['popd; rm a', '?'],
  ['rm a; cd ..', 'a'],
])('follows the directory in %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  ['wsl rm a', 'a'],
  ['wsl', ''],
  ['wsl -e rm a', 'a'],
  ['wsl --exec rm a', 'a'],
  ['wsl -- rm a', 'a'],
  ['wsl -d U rm ../a', '../a'],
  ['wsl -u root -- rm ../a', '../a'],
  ['wsl --distribution U --user root --shell-type none rm ../a', '../a'],
  ['wsl --distribution-id 1 rm ../a', '../a'],
  ['wsl --system rm ../a', '../a'],
  ['wsl --cd .. rm a', '../a'],
  ['wsl --cd', ''],
  ['wsl ~ rm a', '~/a'],
  ['wsl ~ -d U', ''],
  ['wsl cd ..; rm a', 'a'],
])('reads the command of %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});
