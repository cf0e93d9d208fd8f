import { describe, expect, it } from 'vitest';
import { readCommand } from './read-command.ts';
import { setOnce } from './powershell-variables.ts';

/** The paths that PowerShell writes, and `?` if it may write others. */
function effects(command: string): string {
  const { writes, undecidable } = readCommand(command, { cwd: '', dialect: 'powershell' });
  return [...writes.map(({ path }) => path.replace('\uE003', '~')), ...(undecidable.length > 0 ? ['?'] : [])].join(' ');
}

it.each([
  ["$x = '../a'; rm $x", '../a'],
  ['$x="../a"; rm $x', '../a'],
  ['$X = "a"; rm "$x/b"', 'a/b'],
  ['$y = ".."; $x = "$y/a"; rm $x', '../a'],
  ['$x = "$HOME/.profile"; Set-Content $x 1', '~/.profile'],
  ['$x = "$env:TEMP/a"; rm $x', '/tmp/a'],
  ["$x = '$y'; rm $x", '$y'],
  ["$x = @'\n../a\n'@; rm $x", '../a'],
  ['$env:FOO = "../a"; rm $env:FOO', '../a'],
  ['$x = "a"; Get-Content b -Value x -Verbose x; rm "$x.txt"', 'a.txt'],
])('expands the variable in %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  '$x = "$y/a"; rm $x',
  '$x = "$(Split-Path $PWD)/a"; rm $x',
  '$x = ".."+"/a"; rm $x',
  '$x = "a".Replace("a", ".."); rm $x',
  '$x = "a" -replace "a", ".."; rm $x',
  '$x = Get-Date; rm $x',
  '$x = a; rm $x',
  '$x = "a"; $x += "/../../b"; rm $x',
  '$x = "a"; $x+="/../../b"; rm $x',
  '$x = "a"; [string]$x = "../b"; rm $x',
  '$x = "a"; $script:x = "../b"; rm $x',
  '$x = "a"; ${x} = "../b"; rm $x',
  '$x = "a"; $x, $y = "../b", "c"; rm $x',
  '$x = "../b"; if (Test-Path c) { $x = "a" }; rm $x',
  '$x = "a"; foreach ($x in "../b") { rm $x }',
  '$x = "a"; Get-Content c -OutVariable x; rm $x',
  '$x = "a"; Get-Content c -ov +x; rm $x',
  '$x = "a"; [int]::TryParse("1", [ref]$x); rm $x',
  '$x = "a"; $x ??= "../b"; rm $x',
  '$x = "a"; sv x ../b; rm $x',
  '$x = "a"; "../b" | Tee-Object -Variable x; rm $x',
  '$x = "a"; Invoke-RestMethod https://h -SessionVariable:x; rm $x',
  '$x = "a"; $variable:x = "../b"; rm $x',
  '$x = "a"; ${variable:x} = "../b"; rm $x',
  '$x = "a"; $x<# #> = "../b"; rm $x',
  '$x = "a"; $x <# #> = "../b"; rm $x',
  '$x = "a"; & { param($x) rm $x } ../b',
  '$x = "a"; rm $x.Foo',
  '$x = "a"; rm $x[0]',
  '$_ = "a"; "../b" | % { rm $_ }',
  '$args = "a"; rm $args',
  '$env:PATH = "a"',
  '$env:git_dir="a"',
])('cannot tell what is written by %s', (command) => {
  expect(effects(command)).toContain('?');
});

it('reads the command behind an assignment', () => {
  expect(effects('$x = Set-Content ../a 1')).toBe('../a');
  expect(effects('$x=Remove-Item ../a')).toBe('../a');
  expect(effects('$x -eq "a"')).toBe('');
});

describe('the names that are set once', () => {
  it('are neither set again nor only read', () => {
    expect([...setOnce('$a = 1; $B=2; $c = 1; $c++; --$d; $e; rm $f, $g; $h = $i')].sort()).toEqual([
      'a',
      'b',
      'd',
      'h',
    ]);
  });

  it('are left out of a long text', () => {
    expect(setOnce(`$a = 1; #${'x'.repeat(32_000)}`)).toEqual(new Set(['a']));
    expect(setOnce(`$a = 1; #${'x'.repeat(33_000)}`)).toEqual(new Set());
  });
});
