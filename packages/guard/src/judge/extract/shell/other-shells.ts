import { type Call, type Handler, plainResult } from './call.ts';
import { readCmd } from './cmd.ts';
import { readPowerShell } from './powershell.ts';
import { parseOptions } from './options.ts';
import { withoutGlobMarks } from './marks.ts';

/** Reads `pwsh -Command …`, `powershell -EncodedCommand …`, or a text that is piped in. */
export const runPowerShellText: Handler = ({ args, state, input, reader }: Call) => {
  for (let at = 0; at < args.length; at += 1) {
    const value = args[at]?.value ?? '';
    const rest = args.slice(at + 1);
    if (/^[-/](?:e|ec|en|enc|enco|encod|encode|encoded|encodedc\w*)$/i.test(value)) {
      reader.undecidable('PowerShell runs an encoded command.');
      const decoded = Buffer.from(rest[0]?.value ?? '', 'base64').toString('utf16le');
      readPowerShell(decoded, state.copy(), reader);
      return plainResult(state, ['']);
    }
    if (/^[-/](?:c|co|com|comm|comma|comman|command|commandwithargs|cwa)$/i.test(value)) {
      const text = rest.map((arg) => withoutGlobMarks(arg.value)).join(' ');
      if (text === '-') for (const fed of input ?? []) readPowerShell(fed, state.copy(), reader);
      else readPowerShell(text, state.copy(), reader);
      return plainResult(state, ['']);
    }
    if (
      /^[-/](?:f|fi|fil|file|workingdirectory|wd|executionpolicy|ep|ex|exec|version|outputformat|inputformat|windowstyle|w|configurationname|settingsfile|custompipename)$/i.test(
        value,
      )
    ) {
      if (/^[-/]f/i.test(value) && rest[0] !== undefined) {
        reader.read(state, rest[0]);
        return undefined;
      }
      at += 1;
    } else if (!/^[-/]/.test(value)) {
      // Without an option: a script in pwsh, a command in Windows PowerShell.
      if (!/\.ps1$/i.test(value))
        readPowerShell(
          args
            .slice(at)
            .map((arg) => withoutGlobMarks(arg.value))
            .join(' '),
          state.copy(),
          reader,
        );
      return undefined;
    }
  }
  for (const fed of input ?? []) readPowerShell(fed, state.copy(), reader);
  if (input === undefined) reader.undecidable('It is not known what PowerShell is given to run later.');
  return undefined;
};

/** Reads `cmd /c …`. */
export const runCmdText: Handler = ({ args, state, reader }: Call) => {
  const at = args.findIndex((arg) => /^[/\\]+[ckr]/i.test(arg.value));
  if (at === -1) return parseOptions(args, {}).operands.length > 0 ? undefined : [''];
  const first = (args[at]?.value ?? '').replace(/^[/\\]+[ckr]/i, '');
  readCmd(
    [first, ...args.slice(at + 1).map((arg) => withoutGlobMarks(arg.value))].join(' ').trim(),
    state.copy(),
    reader,
  );
  return [''];
};
