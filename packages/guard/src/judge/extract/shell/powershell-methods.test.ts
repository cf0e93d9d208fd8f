import { expect, it } from 'vitest';
import { readCommand } from './read-command.ts';

function effects(command: string): string {
  const { writes, undecidable } = readCommand(command, { cwd: '', dialect: 'powershell' });
  return [...writes.map(({ path }) => path), ...(undecidable.length > 0 ? ['?'] : [])].join(' ');
}

it.each([
  ["[IO.File]::WriteAllText('../a', 'x')", '../a'],
  ["[System.IO.File]::Copy('a','../b')", 'a ../b'],
  ["[IO.File]::Copy('a','b','c')", 'a b'],
  ['[IO.Directory]::CreateSymbolicLink("a", "../b")', 'a ../b'],
  ["[IO.File]::Delete('a', 'b')", 'a'],
  ["New-Object IO.StreamWriter '../a'", '../a'],
  ["(New-Object Net.WebClient).DownloadFile('https://h/x', '../a')", '../a'],
  ["[IO.File]::ReadAllText('../a')", ''],
  ["[IO.File]::Exists('../a')", ''],
  ["[IO.Path]::Combine('..', 'a')", ''],
])('finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  '[IO.File]::Delete($x)',
  '[Diagnostics.Process]::Start("x")',
  'New-Object -ComObject x',
  '$x.invoke()',
  '$f.Delete()',
  '$f[0].MoveTo("b")',
  'Get-ChildItem | % Delete',
  'Get-ChildItem | ForEach-Object -MemberName Delete',
  'Get-ChildItem | % Del*',
  'Get-ChildItem | ForEach-Object -MemberName:$name',
  "(Get-ChildItem).ForEach('Delete')",
  "[IO.StreamWriter]'../a'",
  "'../a' -as [IO.StreamWriter]",
  '[Microsoft.Win32.Registry]::SetValue("a", "b", 1)',
])('cannot tell what is written by %s', (command) => {
  expect(effects(command)).toContain('?');
});

it.each([
  'Get-ChildItem | % Name',
  'Get-ChildItem | ForEach-Object { $_.Name }',
  '$a % $b',
  "$f.ForEach('Name')",
  "$f.Replace('a','b')",
  '$f.ToString()',
  "$f.Name.Replace('a', 'b')",
])('lets %s pass', (command) => {
  expect(effects(command)).toBe('');
});
