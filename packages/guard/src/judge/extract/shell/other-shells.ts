import { type Call, type Handler, plainResult } from './call.ts';
import { readCmd } from './cmd.ts';
import { readPowerShell } from './powershell.ts';
import { enterDirectory } from './enter-directory.ts';
import { parseOptions } from './options.ts';
import { withoutGlobMarks } from './marks.ts';

/** The options of PowerShell with a value. An abbreviation of two is the first. */
const VALUE_OPTIONS = [
  'file',
  'executionpolicy',
  'ep',
  'version',
  'outputformat',
  'of',
  'windowstyle',
  'workingdirectory',
  'wd',
  'inputformat',
  'if',
  'configurationname',
  'configurationfile',
  'settingsfile',
  'custompipename',
  'psconsolefile',
];

/** Reads `pwsh -Command …`, `powershell -EncodedCommand …`, or a text that is piped in. */
export const runPowerShellText: Handler = ({ args, state: outer, input, reader }: Call) => {
  const state = outer.copy();
  for (let at = 0; at < args.length; at += 1) {
    // PowerShell takes other dashes for a hyphen.
    const value = (args[at]?.value ?? '').replace(/^[\u2013-\u2015]/, '-');
    const rest = args.slice(at + 1);
    if (/^[-/](?:e|ec|en|enc|enco|encod|encode|encoded|encodedc\w*)$/i.test(value)) {
      reader.undecidable('PowerShell runs an encoded command.');
      const decoded = Buffer.from(rest[0]?.value ?? '', 'base64').toString('utf16le');
      readPowerShell(decoded, state.copy(), reader);
      return plainResult(outer, ['']);
    }
    if (/^[-/](?:c|co|com|comm|comma|comman|command|commandwithargs|cwa)$/i.test(value)) {
      const text = rest.map((arg) => withoutGlobMarks(arg.value)).join(' ');
      if (text === '-') {
        if (input === undefined) reader.undecidable('It is not known what PowerShell is given to run.');
        for (const fed of input ?? []) readPowerShell(fed, state.copy(), reader);
      } else readPowerShell(text, state.copy(), reader);
      return plainResult(outer, ['']);
    }
    const option = VALUE_OPTIONS.find((full) => value.length > 1 && full.startsWith(value.slice(1).toLowerCase()));
    if (/^[-/]/.test(value) && option !== undefined) {
      const [given] = rest;
      if (option === 'file' && given !== undefined) {
        reader.read(state, given);
        return undefined;
      }
      if (/^w[do]/.test(option) && given !== undefined)
        state.cwds = state.cwds.map((cwd) => enterDirectory(state, cwd, given.value));
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

/** `/c`, `/k` or `/r`, perhaps behind other options in the same word: `/d/s/c`, `/v:on/c`. */
const RUN = /^(?:[/\\]+(?![ckr])[a-z](?::\w*)?)*[/\\]+[ckr]/i;

/** Reads `cmd /c …`. */
export const runCmdText: Handler = ({ args, state, reader }: Call) => {
  const at = args.findIndex((arg) => RUN.test(arg.value));
  if (at === -1) return parseOptions(args, {}).operands.length > 0 ? undefined : [''];
  const first = (args[at]?.value ?? '').replace(RUN, '');
  readCmd(
    [first, ...args.slice(at + 1).map((arg) => withoutGlobMarks(arg.value))].join(' ').trim(),
    state.copy(),
    reader,
  );
  return [''];
};
