import type { Call, Handler } from '../call.ts';
import { givePath, givePaths } from '../given-paths.ts';
import { type Field, STANDARD_INPUT, withValue } from '../marks.ts';
import { type Option, parseOptions } from '../options.ts';
import { otherProgram } from '../other-program.ts';
import { PIPE_FILE } from '../evaluate-word.ts';
import { installerOf, noteHooks } from './hook-installers.ts';
import { type Language, LANGUAGES } from './languages.ts';
import { noteCode } from './option-effects.ts';
import { runModule } from './python-modules.ts';
import { readCode } from './read-code.ts';
import { runtimeCommand } from './runtime-commands.ts';

/** Options of node whose value is read or is not a path; the value of any other counts as a file that is written. */
const NODE_READS =
  /^(?:-r|-C|--(?:require|import|loader|experimental-loader|conditions|env-file(?:-if-exists)?|input-type|test-(?:name-pattern|skip-pattern|reporter|concurrency|timeout|shard|only)|watch-path|icu-data-dir|openssl-config|title|trace-event-categories|stack-trace-limit|unhandled-rejections|dns-result-order|disable-warning|allow-fs-read|project|tsconfig|config|preload|cwd|import-map|lock|allow-\w+|deny-\w+|run))$/;
export const INLINE_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>(
  Object.entries(LANGUAGES).map(([name, language]) => [name, (call) => interpret(call, language)]),
);

function interpret(given: Call, language: Language): readonly string[] | undefined {
  const call = language.kind === 'python' ? { ...given, args: given.args.flatMap(modulesApart) } : given;
  const { args, state, input, reader, name } = call;
  if (name === 'bun' || name === 'deno') {
    const inner = runtimeCommand(call);
    if (inner !== undefined) return inner;
  }
  if (language.kind === 'python') {
    const at = args.findIndex((arg) => arg.value === '-m' || /^-[A-Za-z]*m$/.test(arg.value));
    const before = args.slice(0, Math.max(0, at));
    const module = args[at + 1];
    if (at !== -1 && module !== undefined && before.every((arg) => arg.value.startsWith('-') && arg.value !== '-c'))
      return runModule(call, args.slice(at + 1));
  }
  // `-ne` and `-lane` of perl end in the letter that takes the program.
  const { options, operands, values } = parseOptions(language.kind === 'javascript' ? args.map(asWritten) : args, {
    values: `${language.inline} ${language.values}`.trim(),
    stopsAtOperand: true,
  });
  const inline = values(...language.inline.split(' '));
  const isInPlace = language.hasInPlace === true && options.some((option) => option.name === '-i');
  for (const option of options) {
    if (
      /^(?:-r|--require|--import|--loader|--experimental-loader|--preload)$/.test(option.name) &&
      /^(?:data|https?):/.test(option.value?.value ?? '')
    ) {
      reader.undecidable('Code is loaded from the command line.');
    }
  }
  noteOutputs(options, language, call);
  for (const code of inline) readCode(code.value, language, call);
  if (inline.length > 0) {
    for (const operand of operands) {
      if (isInPlace) reader.write(state, operand);
      else if (language.kind === 'other') reader.read(state, operand);
    }
    return undefined;
  }
  const [script] = operands;
  if (script === undefined || script.value === '-' || STANDARD_INPUT.test(script.value)) {
    if (
      options.some((option) => /^(?:-V|-v|--version|--help|-h|-VV|--check|--test|-s|-l)$/.test(option.name)) &&
      input === undefined
    )
      return undefined;
    for (const text of input ?? []) readCode(text, language, call);
    if (input !== undefined) return undefined;
    if (state.stdin !== undefined) givePath(call, state.stdin);
    else if (options.every((option) => option.name === '-i'))
      reader.undecidable(`It is not known what '${name}' is given to run later.`);
    return undefined;
  }
  if (/^(?:https?|data|blob):/.test(script.value)) reader.undecidable('A program is loaded from a URL.');
  if (script.value === PIPE_FILE) reader.undecidable('A program is run that another command made.');
  reader.read(state, script);
  const installer = installerOf(script.value);
  if (installer !== undefined) noteHooks(installer, { ...call, args: operands.slice(1) });
  otherProgram({ ...call, args: operands.slice(1) });
  noteCode({ ...call, args: operands.slice(1) });
  givePaths({ ...call, args: operands.slice(1) });
  return undefined;
}

/** node: `-pe` is `-p`, and `--report_dir` is `--report-dir`. */
function asWritten(arg: Field): Field {
  if (arg.value === '-pe') return withValue(arg, '-p');
  const [name = ''] = /^--[\w-]*_[\w-]*/.exec(arg.value) ?? [];
  return name === '' ? arg : withValue(arg, name.replaceAll('_', '-') + arg.value.slice(name.length));
}

/** `-mpip` is `-m pip`. */
function modulesApart(arg: Field): Field[] {
  const module = /^-[bBdEiIOPqsSuvx]*m([A-Za-z_][\w.]*)$/.exec(arg.value)?.[1];
  return module === undefined ? [arg] : [withValue(arg, '-m'), withValue(arg, module)];
}

/** Options of the interpreter itself that name output files, and settings that name code to load. */
function noteOutputs(options: readonly Option[], language: Language, { state, reader, name }: Call): void {
  for (const { name: option, value } of options) {
    if (value === undefined) continue;
    if (language.kind === 'javascript' && option.startsWith('--') && !language.inline.split(' ').includes(option)) {
      if (option === '--experimental-sea-config') reader.undecidable('A file decides what node writes.');
      else if (!NODE_READS.test(option) && /[/\\~.\uE003]/.test(value.value)) reader.write(state, value);
    }
    const prefix = /^pycache_prefix=(.+)$/s.exec(value.value)?.[1];
    if (option === '-X' && prefix !== undefined) reader.write(state, withValue(value, prefix));
    if (
      name === 'php' &&
      option === '-d' &&
      !/^(?:memory_limit|display_(?:startup_)?errors|error_reporting|xdebug\.mode|zend\.\w+|opcache\.enable(?:_cli)?|max_execution_time|short_open_tag|date\.timezone|phar\.readonly)(?:=|$)/.test(
        value.value,
      )
    )
      reader.undecidable('A setting of php may load code or name a file it writes.');
  }
}
