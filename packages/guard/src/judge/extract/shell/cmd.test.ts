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
  ['copy a b', 'b/a:appears b'],
  ['copy a', './a:appears a'],
  ['copy a dir\\', 'dir/a:appears dir/'],
  ['copy sub\\a dst', 'dst/a:appears dst'],
  ['copy C:\\x\\a d', 'd/a:appears d'],
  ['copy . d', 'd:fills'],
  ['copy a *.bak', '*.bak:appears'],
  ['move a b', 'b/a:appears b:replaces a'],
  ['ren a b', 'b/a:appears a b'],
  ['mklink link target', 'target/link:appears target:replaces link'],
  ['replace a d', 'd/a:appears d'],
  ['xcopy /s a b', 'b:fills,appears b/a:appears'],
  ['move a', 'a'],
])('finds which files appear by %s', (command, expected) => {
  expect(effects(command).split(' ').sort()).toEqual(expected.replace('b:fills,appears', 'b:fills').split(' ').sort());
});

it('fills a directory with whole trees, and takes the names of single files', () => {
  expect(effects('robocopy src dst f1')).toContain('dst:fills');
  expect(effects('robocopy src dst f1')).toContain('dst/f1:appears');
  expect(effects('robocopy src')).toBe('src');
});

it.each([
  ['echo x > out', 'out'],
  ['echo x>>out', 'out'],
  ['echo x 2> err', 'err'],
  ['echo x 2>&1', ''],
  ['echo x > nul', ''],
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
])('expands the variable in %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'del %x%',
  'del %1',
  '%x% a',
  'for %f in (a) do del %f',
  'set PATH=x',
  'wmic process call create x',
  'powershell -c "Remove-Item $x"',
])('cannot tell what is written by %s', (command) => {
  expect(effects(command)).toContain('?');
});

it('reads the text of PowerShell, and at most a thousand commands', () => {
  expect(effects('powershell -c "Set-Content ../a 1"')).toBe('../a');
  expect(readCommand('del a&'.repeat(1_000), { cwd: '', dialect: 'cmd' }).cut).toBeUndefined();
  expect(readCommand('del a&'.repeat(1_001), { cwd: '', dialect: 'cmd' }).cut).toBe('it runs more than 1000 commands');
});
