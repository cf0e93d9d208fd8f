import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ["nu -c 'rm x'", 'x ?'],
  ["xonsh -c 'rm x'", 'x ?'],
  ["pwsh -Command 'Set-Content x y'", 'x'],
  ["cmd /c 'del x'", 'x'],
  ['wsl touch x', 'x'],
  ["echo 'Remove-Item x' | pwsh -c -", 'x'],
  ["powershell 'Remove-Item x'", 'x'],
  ["cmd /k 'del x'", 'x'],
  ["pwsh -wd src -c 'Remove-Item x'", 'x'],
])('other shells: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(["pwsh -c 'Get-ChildItem'", 'powershell -File s.ps1', "cmd /c 'dir'", 'pwsh s.ps1', 'cmd'])(
  'other shells: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each(['pwsh -EncodedCommand abc', 'pwsh'])('other shells: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
