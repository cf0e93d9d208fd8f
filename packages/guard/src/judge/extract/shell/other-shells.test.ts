import { expect, it } from 'vitest';
import { effects, outcome } from './testing.ts';

it.each([
  ["nu -c 'rm x'", 'x ?'],
  ["xonsh -c 'rm x'", 'x ?'],
  ["pwsh -Command 'Set-Content x y'", 'x'],
  ["cmd /c 'del x'", 'x'],
  ['wsl touch x', 'x'],
  ["echo 'Remove-Item x' | pwsh -c -", 'x ?'],
  ["powershell 'Remove-Item x'", 'x'],
  ["cmd /k 'del x'", 'x'],
  ["pwsh -wd src -c 'Remove-Item x'", 'src/x'],
  ["pwsh -WorkingDirectory .. -c 'Remove-Item x'", '../x'],
  ["pwsh -wd src -c 'Remove-Item x'; touch x", 'src/x x'],
  ["pwsh \u2013c 'Remove-Item ../x'", '../x'],
  ["pwsh -ExecutionP Bypass -c 'Remove-Item ../x'", '../x'],
  ['cmd /d/s/c "del ..\\x"', '../x'],
  ['cmd /v:on/c "del ..\\x"', '../x'],
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

it.each([
  ["pwsh -c 'Set-Content a b'", 'a'],
  ["pwsh -Command 'Set-Content a b'", 'a'],
  ['powershell -comm Set-Content a b', 'a'],
  ["powershell /c 'Set-Content a b'", 'a'],
  ["pwsh -CommandWithArgs 'Set-Content a b'", 'a'],
  ["pwsh -cwa 'Set-Content a b'", 'a'],
  ['pwsh -e cwBjACAAYQAgAGIA', 'a ? PowerShell runs an encoded command.'],
  ['powershell -EncodedCommand cwBjACAAYQAgAGIA', 'a ? PowerShell runs an encoded command.'],
  ['pwsh -enc', '? PowerShell runs an encoded command.'],
  ['pwsh -f a.ps1', '<a.ps1'],
  ['pwsh -File a.ps1', '<a.ps1'],
  ["pwsh -ExecutionPolicy Bypass -c 'sc a b'", 'a'],
  ['pwsh -ep Bypass -WindowStyle Hidden -File a.ps1', '<a.ps1'],
  ['pwsh -wd d a.ps1', ''],
  ["pwsh -NoProfile -c 'Set-Content a b'", 'a'],
  ['pwsh a.ps1', ''],
  ["powershell 'Set-Content a b'", 'a'],
  ['powershell Set-Content a b', 'a'],
  ["echo 'Set-Content a b' | pwsh", 'a ? It is not known what PowerShell is given to run later.'],
  ["echo 'Set-Content a b' | pwsh -c -", 'a ? It is not known what PowerShell is given to run.'],
  ["echo 'sc a b' | pwsh -c -", 'a'],
  ["echo 'Set-Content a b' | pwsh -NoProfile", 'a ? It is not known what PowerShell is given to run later.'],
  ['pwsh', '? It is not known what PowerShell is given to run later.'],
  ['pwsh -NoProfile', '? It is not known what PowerShell is given to run later.'],
  ["cmd /c 'echo x > a'", 'a'],
  ['cmd /k del a', 'a'],
  ['cmd //c del a', 'a'],
  ['cmd /r del a', 'a'],
  ['cmd /cdel a', 'a'],
  ['cmd /d /c del a', 'a'],
  ['cmd', ''],
  ['cmd x', ''],
])('other shells: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
