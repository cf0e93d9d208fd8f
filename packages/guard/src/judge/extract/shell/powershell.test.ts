import { expect, it } from 'vitest';
import { readCommand } from './read-command.ts';
import { windowsEffects } from './testing.ts';

const effects = (command: string) => windowsEffects(command, 'powershell');

it.each([
  ['Set-Content a 1', 'a'],
  ['Set-Content -Path a -Value 1', 'a'],
  ['Set-Content -Pa a 1', 'a'],
  ['Set-Content a,b 1', 'a b'],
  ["Set-Content 'a,b' 1", 'a,b'],
  ['foo\\Set-Content a 1', 'a'],
  ['Set-Content.exe a', 'a'],
  ['Remove-Item a b', 'a'],
  ['rm a b', 'a b'],
  ['Rename-Item a b', 'a b'],
  ['cp a b c', 'b c c/a:appears'],
  ['New-Item -Path d -Name f', 'd f'],
  ['ni link -ItemType SymbolicLink -Target t', 't link'],
  ['ni link -Type Junction -Value t', 't link'],
  ['ni a -ItemType File -Value v', 'a'],
  ['mkdir d', 'd'],
  ['iwr https://h/x -OutFile o', 'o o/x:appears'],
  ['Set-Content "`u{2e}`u{2e}/a" 1', '../a'],
  ['touch a', 'a'],
  ['pre-commit run', '(run)'],
  ['Get-Foo a', ''],
  ['Set-Content a, b 1', 'a b'],
  ["$x = @' \nit's\n'@; Set-Content a 'v'", 'a'],
  ["Get-Date;# it's\nSet-Content a 'v'", 'a'],
  ["if (1) {# it's\nSet-Content a 'v' }", 'a'],
  ["echo --% '\nSet-Content a 'v'", 'a'],
  ['"$("\'")"; Set-Content a \'v\'', 'a'],
  ['"$(Get-Date -Format "y")"; Set-Content a "v"', 'a'],
  ["$(')'); Set-Content a 'v'", 'a'],
  ['Set-Content a,\nb 1', 'a b'],
  ['Set-Content a, # c\r\n b 1', 'a b'],
  ["Set-Content 'a' ,'b' 1", 'a b'],
  ["Set-Content 'a','b' 1", 'a b'],
  ['Set-Content -Path a, b -Value 1', 'a b'],
  ['Set-Content -LP a -Value 1', 'a'],
  ['Set-Content -PSPath:a -Value 1', 'a'],
  ['Set-Content \u2013Path a -Value 1', 'a'],
  ['Set-Content \u2018a\u2019 1', 'a'],
  ['Set-Content -- a 1', 'a'],
  ['Copy-Item "-Force" b', 'b b/-Force:appears'],
  ['Copy-Item -F`orce b', 'b b/-Force:appears'],
  ['Set-Content `u{2e}`u{2e}/a 1', '../a'],
  ['&Set-Content a 1', 'a'],
  ['."Set-Content" a 1', 'a'],
  ['${C:\\a} = 1', 'C:\\a'],
  ['${C:\\a}=1', 'C:\\a'],
  ['$C:a = 1', 'C:a'],
  ['pwsh -wd d -c "Set-Content a 1"', 'd/a'],
  ['pwsh -WorkingD d -Command "Set-Content a 1"', 'd/a'],
  ['pwsh -ExecutionP Bypass -c "Set-Content a 1"', 'a'],
  ['pwsh \u2013c "Set-Content a 1"', 'a'],
])('finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  ['Get-Date > a', 'a'],
  ['Get-Date >> a', 'a'],
  ['Get-Date 2> a', 'a'],
  ['Get-Date > $null', ''],
  ['Get-Date 2>&1', ''],
  ['Get-Date | tee a', 'a'],
  ['Get-Content a', '<a'],
  ['cat -LiteralPath a', '<a'],
  ['gc -LP a', '<a'],
  ['gc -PSPath a', '<a'],
  ['gc -Pa a', '<a'],
  ['gc a,b', '<a <b'],
  ["gc 'a,b'", '<a,b'],
  ['type -Path a', '<a'],
  ['Import-Csv a', '<a'],
  ['Get-FileHash a', '<a'],
  ['sls x a', '<a'],
  ['Select-String -Pattern x a', '<a'],
  ['sls -Path a x', '<a'],
])('finds the files of redirections and reads in %s', (command, expected) => {
  expect(effects(command).split(' ')).toEqual(expect.arrayContaining(expected.split(' ')));
  expect(effects(command)).not.toContain('?');
});

it.each([
  ['Get-ChildItem d | Remove-Item', 'd'],
  ['Get-ChildItem -Path d | Remove-Item', 'd'],
  ['Get-ChildItem d | Where-Object x | Remove-Item', 'd'],
  ['Get-ChildItem -Filter *.x | Remove-Item', '.'],
  ['Get-ChildItem d | Copy-Item -Destination e', 'e:fills'],
  ['ls | rm', '?'],
  ['Get-ChildItem d; Remove-Item', '?'],
  ['Get-ChildItem d | Foo-Bar | Remove-Item', '?'],
  ['Remove-Item', '?'],
  ['Remove-Item -Path d', 'd'],
  ['Get-Item d | Set-Content -Value 1', 'd'],
  ['Get-Item d |\n Set-Content -Value 1', 'd'],
  ['Get-Item d\n| Set-Content -Value 1', 'd'],
  ['Import-Csv d | New-Item -Name a', 'a <d ?'],
  ['Import-Csv d | Add-Content', '<d ?'],
  ['Import-Csv d | Move-Item -Path a', 'a ./a:replaces .:replaces <d ?'],
  ['Set-Content', '?'],
  ['New-Item -Name a', 'a'],
  ['Get-Date | Tee-Object -Variable a', ''],
])('follows the files in the pipeline of %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  ["iex 'rm ../a'", '../a'],
  ["Invoke-Expression -Command 'rm ../a'", '../a'],
  ["iex -ErrorAction Stop 'rm ../a'", '../a'],
  ['& rm ../a', '../a'],
  ['wsl rm ../a', '../a'],
  ['wsl -e rm ../a', '../a'],
  ['Write-Host "$(rm ../a)"', '../a'],
  ['$x = Set-Content ../a 1', '../a'],
])('reads the commands inside of %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'iex $x',
  'iex "rm $x"',
  "iex 'rm a' 'rm b'",
  'icm { rm a }',
  'Start-Process x',
  'Import-Module x',
  '& $x',
  'function f { rm a }',
  'Set-Alias q rm; q a',
  '$PSDefaultParameterValues = 1',
  'powershell -EncodedCommand x',
  '[ScriptBlock]::Create("x")',
  'rm $x',
  '$global:PSDefaultParameterValues = 1',
  'Import-Alias a',
  '$function:gc = 1',
  '${alias:gc}=1',
  '$ExecutionContext.InvokeCommand.ExpandString($x)',
  "[Environment]::CurrentDirectory='src'",
  '$p<# #> = 1',
  'Write-Host "$(a "$(b "\'")")"; Set-Content a \'v\'',
  "Write-Host it's",
  "'rm a' | pwsh -c -",
])('cannot tell what is written by %s', (command) => {
  expect(effects(command)).toContain('?');
});

it('follows an alias, also of an alias', () => {
  for (const command of ['Set-Alias q rm; q ../a', 'sal -Name q -Value rm; sal p q; p ../a'])
    expect(effects(command)).toContain('../a');
});

it('does not run a variable that begins an expression', () => {
  expect([effects('$x.Foo'), effects('$x -eq 1')]).toEqual(['', '']);
});

it('reads at most a thousand commands', () => {
  const cut = (count: number) => readCommand('rm a;'.repeat(count), { cwd: '', dialect: 'powershell' }).cut;
  expect([cut(1_000), cut(1_001)]).toEqual([undefined, 'it runs more than 1000 commands']);
});
