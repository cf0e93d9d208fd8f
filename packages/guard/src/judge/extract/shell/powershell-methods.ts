import type { Reader } from './call.ts';
import { place } from './powershell-arguments.ts';
import type { ShellState } from './state.ts';

/** Methods that change the file they are called on. */
const METHODS =
  /\.(?:delete|moveto|copyto|replace|create|createsubdirectory|createtext|appendtext|openwrite|open|encrypt|decrypt|setaccesscontrol|start|kill)\s*\(/i;

/** Such a method, called on each object of a pipeline or a list by its name, or by one with a wildcard or a variable. */
const FOR_EACH =
  /(?:\|\s*(?:%|foreach(?:-object)?)\s|\bforeach-object\s|\.foreach\s*\()\s*(?:-m[a-z]*[\s:]\s*)?['"]?(?:(?:delete|moveto|copyto|createsubdirectory|createtext|appendtext|openwrite|encrypt|decrypt|setaccesscontrol|kill)\b|\w*[*?[$])/i;

/** Reads `[IO.File]::WriteAllText('path', …)` and similar calls, and `New-Object IO.StreamWriter 'path'`. */
export function readMethods(source: string, state: ShellState, reader: Reader): void {
  const method =
    /\[(?:system\.)?io\.(file|directory|streamwriter|filestream|path|fileinfo|directoryinfo|compression\.\w+)\]::(\w+)\s*\(([^)]*)\)?/gi;
  for (const [, , name = '', given = ''] of source.matchAll(method)) {
    if (/^(?:read\w*|exists|get\w*|enumerate\w*|openread|combine|opentext)$/i.test(name)) continue;
    const texts = [...given.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, a, b]) => a ?? b ?? '');
    const count = /^(?:copy|move|replace|create\w*link|extracttodirectory|createfromdirectory)$/i.test(name) ? 2 : 1;
    const paths = texts.slice(0, count);
    if (paths.length === 0) reader.undecidable('A .NET method writes to a path that is not known.');
    for (const path of paths) reader.write(state, place(path, path, state, new Map()));
  }
  for (const [, path] of source.matchAll(
    /(?:new-object\s+(?:-typename\s+)?(?:system\.)?io\.(?:streamwriter|filestream)\S*\s*\(?|\.(?:downloadfile|save|extractto\w*)\s*\([^,)]*,?)\s*['"]([^'"]+)['"]/gi,
  )) {
    if (path !== undefined && !/^https?:/i.test(path)) reader.write(state, place(path, path, state, new Map()));
  }
  if (
    /new-object\s+(?:-com\w*\s+)|\[(?:system\.)?diagnostics\.process\]::start|\[activator\]|\.invoke\s*\(|invokescript|\[(?:system\.)?io\.\w*(?:writer|stream)\](?!::)|\[(?:microsoft\.win32\.)?registry/i.test(
      source,
    )
  )
    reader.undecidable('PowerShell calls code that may write or run anything.');
  for (const [call] of source.matchAll(/\$(?:_|psitem|\w+)(?:\.\w+|\[[^\]]*\])*\.\w+\s*\(|[)\]}]\s*\.\w+\s*\(/gi))
    if (METHODS.test(call) && !/\.replace\s*\(/i.test(call))
      reader.undecidable('A method changes a file that is not known.');
  if (FOR_EACH.test(source)) reader.undecidable('A method changes files that are not known.');
}
