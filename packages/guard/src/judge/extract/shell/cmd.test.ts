import { expect, it } from 'vitest';
import { readCommand } from './read-command.ts';
import { windowsEffects } from './testing.ts';

const effects = (command: string) => windowsEffects(command, 'cmd');

it.each([
  ['del /q a b', 'a b'],
  ['@del a', 'a'],
  ['DEL.exe a', 'a'],
  ['rd /s d', 'd'],
  ['md d', 'd'],
  ['expand a b', 'b'],
  ['attrib a', 'a'],
  ['del "a b"', 'a b'],
  ['del a^ b', 'a b'],
  ['del a* & del b?', 'a* b?'],
  ['(del a) | del b', 'a b'],
  ['touch a', 'a'],
  ['del a\r\ndel b', 'a b'],
])('finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  ...['move', 'del', 'erase', 'rd', 'rmdir', 'md', 'mkdir', 'ren', 'rename', 'mklink', 'attrib', 'icacls', 'cacls'].map(
    (name) => [name, ['a', 'b']] as const,
  ),
  ...['takeown', 'fsutil', 'compact', 'cipher', 'robocopy'].map((name) => [name, ['a', 'b']] as const),
  ...['copy', 'xcopy', 'expand', 'replace'].map((name) => [name, ['b']] as const),
])('knows which operands %s writes', (name, expected) => {
  const { writes } = readCommand(`${name} a b`, { cwd: '', dialect: 'cmd' });
  expect(
    writes
      .filter(({ written }) => /^[ab]$/.test(written))
      .map(({ path }) => path)
      .sort(),
  ).toEqual(expected);
});

it.each([
  ['copy ..\\x + b', './x:appears ../x'],
  ['copy ..\\x+b', './x:appears ../x'],
  ['copy a+b ..\\c', '../c/a:appears ../c'],
])('finds the file to which %s appends', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  ['cd.. & del a', '../a'],
  ['cd\\ & del a', '\\/a'],
  ['cd/d .. & del a', '../a'],
  ['chdir.. & del a', '../a'],
  ['pushd.. & del a', '../a'],
  ['rd/s/q ..\\b', '../b'],
  ['del/q ..\\b', '../b'],
  ['md..\\b', '../b'],
  ['type..\\b', '<../b'],
  ['if/i a==b del/q ..\\b', '../b'],
  ['attrib/s ..\\b', '../b'],
  ['cmd/c del ..\\b', '../b'],
  ['del /q/s a', 'a'],
  ['del /a:-r a', 'a'],
  ['@ del ..\\b', '../b'],
  ['@@del ..\\b', '../b'],
  ['del ^\n..\\b', '../b'],
  ['rem & del ..\\b', '../b'],
  ['@', ''],
])('finds the end of the name in %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  ['echo x > out', 'out'],
  ['echo x>>out', 'out'],
  ['echo x 2> err', 'err'],
  ['echo x 2>&1', ''],
  ['echo x > nul', ''],
  ['echo x > NUL:', ''],
  ['echo x > nul2', 'nul2'],
  ['sort < a', '<a'],
  ['del b < a', 'b <a'],
  ['findstr x a', '<x <a (x) (a)'],
  ['type a', '<a'],
  ['more a', '<a'],
  ['rem del a', ''],
  [':: del a', ''],
  ['@rem del a', ''],
])('reads redirections, reads and comments of %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  ['cd /d sub & del a', 'sub/a'],
  ['chdir sub & del a', 'sub/a'],
  ['pushd sub & del a & popd & del b', 'sub/a b'],
  ['popd & del a', '?'],
  ['cd & del a', 'a'],
  ['pushd .. & pushd sub & pushd & popd & del a', '../a'],
  ['D: & del a', 'd:/a'],
  ['D: & cd C:\\x & del a', 'C:\\x/a'],
])('follows the directory of %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  ['if exist a del ..\\b', '../b'],
  ['if not exist a del ..\\b', '../b'],
  ['if /i not a==b del ..\\b', '../b'],
  ['if "%x%"=="" del ..\\b', '../b'],
  ['if %x% EQU 1 del ..\\b', '../b'],
  ['if defined x del ..\\b', '../b'],
  ['if errorlevel 1 del ..\\b', '../b'],
  ['if a==b (del ..\\b) else del ..\\c', '../b ../c'],
  ['if a==b if c==d del ..\\e', '../e'],
  ['if exist a', ''],
  ['call del ..\\b', '../b'],
  ['start "" del ..\\b', '../b'],
  ['start /b del ..\\b', '../b'],
  ['start del ..\\b', '../b'],
  ['start "t" /b /wait del ..\\b', '../b (/b) (/wait) (del) (../b)'],
  ['start /d .. del a', '../a (..)'],
  ['start /d.. del a', '../a (..)'],
  ['start "t" /D .. del a', '../a (/D) (..) (del) (a)'],
  ['start /affinity 3 /node 1 del ..\\b', '../b'],
  ['start /d', ''],
  ['start', ''],
  ['start cd .. & del a', 'a'],
  ['do del ..\\b', '../b'],
])('reads the command in %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  ['del %USERPROFILE%\\a', '~/a'],
  ['del %APPDATA%\\a', '~/.config/a'],
  ['del %TEMP%\\a', '/tmp/a'],
  ['del %windir%\\a', 'C:/Windows\\a'],
  ['del %cd%\\a', 'a'],
  ['del !TEMP!\\a', '/tmp/a'],
  ['del %cd:~0,3%a', '?'],
  ['del %x-y%\\a', '?'],
  ['cd sub & del %cd%\\a', 'a'],
  ['cd ..\ndel %cd%\\a', '../a'],
  ['cd .. & del !cd!\\a', '../a'],
  ['cd sub & del !cd!\\..\\..\\a', 'sub/../../a'],
  ['(cd sub\ncd ..)\ndel %cd%\\a', '?'],
  ['(cd)\ndel %cd%\\a', 'a'],
])('expands the variable in %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'del %x%',
  'del %1',
  '%x% a',
  'for %f in (a) do del %f',
  'set PATH=x',
  'set node_options 1',
  ...['call', 'create', 'delete', 'set'].map((verb) => `wmic process ${verb}`),
  ...['bitsadmin', 'cscript', 'mshta', 'regsvr32', 'rundll32', 'subst', 'wscript'].map((name) => `${name} a`),
  '!x! a',
  '%TEMP%\\x a',
  'a%x% b',
  'powershell -c "Remove-Item $x"',
])('cannot tell what is written by %s', (command) => {
  expect(effects(command)).toContain('?');
});

it.each([
  ['for %f in (a) do ver', 'A loop of cmd is not followed.'],
  ['%x% a', 'The command that runs is not known.'],
  ['set PATH=x', '%PATH% decides what runs.'],
  ['wmic process create', 'wmic starts another program, or changes the machine.'],
  ['mshta a', "'mshta' runs code that may write anywhere."],
])('says why %s is not known', (command, expected) => {
  expect(readCommand(command, { cwd: '', dialect: 'cmd' }).undecidable).toContain(expected);
});

it.each(['wmic os get x', 'echo a', 'set'])('knows all of %s', (command) => {
  expect(effects(command)).not.toContain('?');
});

it('reads the text of PowerShell, and at most a thousand commands', () => {
  expect(effects('powershell -c "Set-Content ../a 1"')).toBe('../a');
  expect(readCommand('del a&'.repeat(1_000), { cwd: '', dialect: 'cmd' }).cut).toBeUndefined();
  expect(readCommand('del a&'.repeat(1_001), { cwd: '', dialect: 'cmd' }).cut).toBe('it runs more than 1000 commands');
});
