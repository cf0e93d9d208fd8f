import { expect, it } from 'vitest';
import { windowsEffects } from './testing.ts';

const effects = (command: string) => windowsEffects(command, 'powershell');

it.each([
  ['Update-Foo -Path ../a', '(../a)'],
  ['Export-Foo x,../a', '(x) (../a)'],
  ['Write-Zip ../a', '(../a)'],
  ["New-Object -TypeName IO.StreamWriter -ArgumentList '../a'", '(IO.StreamWriter) (../a)'],
  ['Get-Foo -OutFile ../a', '(../a)'],
  ['Get-Foo -DestinationPath:../a', '(../a)'],
])('a cmdlet that the guard does not know may write the paths that it gets: %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  ['Set-Content -Foo ../a b', 'b (../a)'],
  ['Start-Transcript -UseMinimalHeader ../a', '? (../a)'],
  ['Tee-Object -Path ../a', '(../a)'],
])('a cmdlet that writes may write the value of a parameter that the guard does not know: %s', (command, expected) => {
  expect(effects(command).split(' ').sort()).toEqual(expected.split(' ').sort());
});

it.each([
  ['Get-Foo ../a', ''],
  ['Get-Foo -OutVariable a', ''],
  ['Test-Path ../a', ''],
  ['Set-Content a -Value ../b', 'a'],
  ['Copy-Item -Path ../a -Destination b', 'b b/a:appears'],
  ['Add-Content a -Encoding utf8 ../b', 'a'],
])('content, conditions and sources are not written: %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});
