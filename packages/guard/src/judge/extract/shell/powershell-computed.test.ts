import { describe, expect, it } from 'vitest';
import { readCommand } from './read-command.ts';

const reasons = (command: string, dialect?: 'powershell') => {
  const { undecidable, writes } = readCommand(command, { cwd: '', ...(dialect && { dialect }) });
  return [...undecidable, ...writes.filter(({ path }) => path.startsWith('..')).map(({ path }) => path)];
};

/** One command for each way in which PowerShell computes a path, a command or the target of a redirection. */
const COMPUTED = [
  'Set-Content (Join-Path .. x) 1',
  "Set-Content -Path ('..' + '/x') -Value 1",
  "Set-Content -LiteralPath:('..', 'x' -join '/') 1",
  'Set-Content ("{0}/x" -f "..") 1',
  "Set-Content @('../x') 1",
  'Set-Content $(Join-Path .. x) 1',
  'Set-Content a.txt,\n(Join-Path .. x) 1',
  'Set-Content "$(Split-Path $PWD)/x" 1',
  'Set-Content "$(Join-Path "a b" "c")" 1',
  "$p = @{ Path = '../x'; Value = 1 }; Set-Content @p",
  'Add-Content (Resolve-Path ..) 1',
  "'1' | Out-File (Join-Path .. x)",
  'Get-Date | Tee-Object -FilePath (Join-Path .. x)',
  "Get-Content a > (Join-Path .. 'x')",
  'Write-Output 1 >> $(Join-Path .. x)',
  'Remove-Item (Resolve-Path ../x) -Recurse',
  'Get-ChildItem (Split-Path $PWD) | Remove-Item',
  '(Get-ChildItem ..) | Remove-Item',
  '(Get-ChildItem ..)[0].Delete()',
  'Get-ChildItem .. | ForEach-Object Delete',
  'Copy-Item a.txt (Join-Path .. x)',
  'Move-Item a.txt -Destination (Join-Path .. x)',
  'New-Item (Join-Path .. x)',
  'ni ("../x")',
  "sc ('..' + '/x') 1",
  'Set-Location (Split-Path $PWD); Set-Content x 1',
  'cd (Split-Path $PWD)',
  'Push-Location $(Split-Path $PWD)',
  "& (Get-Command Set-Content) '../x' 1",
  "& ('Set-' + 'Content') '../x' 1",
  ". (Join-Path .. 'x.ps1')",
  "[IO.File]::WriteAllText((Join-Path '.' 'x'), '1')",
  "[IO.File]::WriteAllText('.' + $x, '1')",
  "[Microsoft.VisualBasic.FileIO.FileSystem]::DeleteFile('a.txt')",
  "([type]'IO.File')::Delete('a.txt')",
  'git -C (Join-Path .. x) init',
  'npm --prefix (Split-Path $PWD) install',
  'Invoke-WebRequest https://example.org -OutFile (Join-Path .. x)',
  'Expand-Archive a.zip -DestinationPath (Join-Path .. x)',
  'foreach ($f in Get-ChildItem) { Set-Content (Join-Path .. $f) 1 }',
  'if (Test-Path a) { Set-Content (Join-Path .. x) 1 }',
  '$null = New-Item (Join-Path .. x)',
  '$x=New-Item (Join-Path .. x)',
  'Get-ChildItem | ForEach-Object { Copy-Item $_ (Join-Path .. x) }',
  "Set-Alias gc Remove-Item; gc ('../x')",
  "& $command 'a.txt' 1",
  '. $script -Path a.txt',
  "'x' | Set-Content -Path { '../x' } -Value 1",
  "Get-ChildItem | Rename-Item { '../' + $_.Name }",
  "Copy-Item a.txt -Destination { '../x' }",
  "$f.'Delete'()",
  '$f."Delete"()',
  '$f.$name()',
  "$f.('Del' + 'ete')()",
  "(Get-Item ../x).'Delete'()",
  "[IO.File]::'WriteAllText'('../x', '1')",
  "[IO.File]::$name('../x', '1')",
];

const READ_ONLY = [
  'Get-Content (Join-Path src a.ts)',
  'Get-ChildItem (Join-Path . src) -Recurse | Where-Object { $_.Length -gt (5 * 1kb) } | Select-Object Name',
  '(Get-Content src/a.ts) -replace "a","b" | Set-Content src/a.ts',
  '(Get-Content package.json | ConvertFrom-Json).version',
  'if (Test-Path dist) { Remove-Item dist -Recurse }',
  'foreach ($f in (Get-ChildItem src)) { Write-Host $f.Name }',
  'Write-Host "built at $(Get-Date -Format o)"',
  '$x = (Get-Content a.txt).Replace("a", "b"); Write-Output $x',
  '$lines = @(Get-Content a.txt); $lines.Count',
  "[IO.File]::WriteAllText('a.txt', $text)",
  '[math]::Round((3 / 2), 1)',
  "Get-ChildItem | Sort-Object { $_.Name.ToLower() } | Format-Table @{n='x'; e={ $_.Name }}",
  '$args = @{ Path = "src" }; Get-ChildItem @args',
  "Set-Content a.txt 'costs $(5)'",
  'return (Get-Date)',
  'Get-ChildItem | Where-Object -FilterScript { $_.Length -gt 1 } | ForEach-Object -Process { $_.Name }',
  "$x.'Name'",
  "$lines.Where({ $_ -ne '' }).Count",
];

describe('a part of PowerShell that is computed', () => {
  it.each(COMPUTED)('makes a command that may write undecidable, or its path is outside: %s', (command) => {
    expect(reasons(command, 'powershell')).not.toEqual([]);
  });

  it.each(READ_ONLY)('does not matter where nothing is written with it: %s', (command) => {
    expect(reasons(command, 'powershell')).toEqual([]);
  });

  it('is read as commands: a subexpression that writes outside is found', () => {
    const { writes } = readCommand('Write-Host "$(Set-Content ../x 1)"', { cwd: '', dialect: 'powershell' });
    expect(writes.map(({ path }) => path)).toEqual(['../x']);
  });

  it('is found in a text that only looks like PowerShell, if a cmdlet runs in it', () => {
    expect(reasons("echo 1 | Set-Content ('..' + '/x')")).not.toEqual([]);
    expect(reasons('grep -rn "Get-Content" $(git ls-files)')).toEqual([]);
  });
});
