import { expect, it } from 'vitest';
import { readCommand } from './read-command.ts';

function effects(command: string): string {
  const { writes, undecidable } = readCommand(command, { cwd: '', dialect: 'powershell' });
  return [
    ...writes.map(({ path, uses = [] }) => [path, ...uses].join(':')),
    ...(undecidable.length > 0 ? ['?'] : []),
  ].join(' ');
}

it.each([
  ['Copy-Item a b', 'b b/a:appears'],
  ['Copy-Item a', './a:appears'],
  ['Copy-Item sub/a b/', 'b/ b/a:appears'],
  ['Copy-Item a b -Recurse', 'b:replaces b/a:replaces'],
  ['Copy-Item -Path a -Destination b', 'b b/a:appears'],
  ['Copy-Item a,c -Destination b', 'b b/a:appears b/c:appears'],
  ['Copy-Item . b', 'b:fills'],
  ['Copy-Item $x b', 'b:fills'],
  ['Get-ChildItem d | Copy-Item -Destination e', 'e:fills'],
  ['Move-Item a b', 'a b:replaces b/a:replaces'],
  ['Expand-Archive a.zip d', 'd:fills'],
  ['Expand-Archive a.zip', ''],
  ['iwr https://h/x?y=1 -OutFile o', 'o o/x:appears'],
  ['iwr https://h/x', ''],
  ['Start-BitsTransfer s d', 'd d/s:appears'],
  ['Copy-Item a b c', 'b c c/a:appears'],
  ['Copy-Item -Path a c', 'c/a:appears'],
  ['Copy-Item a\\b\\ c', 'c c/b:appears'],
  ['Copy-Item / c', 'c:fills'],
  ['Get-Item a | Copy-Item b', './b:appears'],
  ['Invoke-WebRequest https://h/x o', ''],
])('finds which files appear by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});
