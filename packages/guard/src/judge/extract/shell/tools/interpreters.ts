import type { Call, Handler } from '../call.ts';
import { ANY, changeDirectory, type Field, field, STANDARD_INPUT, withValue } from '../marks.ts';
import { type Option, parseOptions } from '../options.ts';
import { givePath, givePaths } from '../given-paths.ts';
import { checkPackage } from './check-package.ts';
import { installerOf, noteHooks } from './hook-installers.ts';
import { noteCode } from './option-effects.ts';
import { otherProgram } from '../other-program.ts';
import { PIPE_FILE } from '../evaluate-word.ts';
import { isPlainCode } from './plain-code.ts';

interface Language {
  readonly kind: 'python' | 'javascript' | 'other';
  /** Options whose value is a program. */
  readonly inline: string;
  /** Other options with a value. */
  readonly values: string;
  readonly hasInPlace?: boolean;
}

const NODE: Language = {
  kind: 'javascript',
  inline: '-e -p -pe --eval --print',
  values:
    '-r --require --import --loader --experimental-loader -C --conditions --env-file --env-file-if-exists --input-type --test-name-pattern --test-skip-pattern --test-reporter --test-reporter-destination --watch-path --report-dir --report-directory --report-filename --redirect-warnings --cpu-prof-dir --cpu-prof-name --heap-prof-dir --heap-prof-name --diagnostic-dir --trace-event-file-pattern --trace-event-categories --snapshot-blob --localstorage-file --tls-keylog --experimental-sea-config --icu-data-dir --openssl-config --stack-trace-limit --max-http-header-size --title --unhandled-rejections --inspect-port --dns-result-order --disable-warning --test-concurrency --test-timeout --test-shard --run --logfile',
};
/** Options of node whose value is read or is not a path; the value of any other counts as a file that is written. */
const NODE_READS =
  /^(?:-r|-C|--(?:require|import|loader|experimental-loader|conditions|env-file(?:-if-exists)?|input-type|test-(?:name-pattern|skip-pattern|reporter|concurrency|timeout|shard|only)|watch-path|icu-data-dir|openssl-config|title|trace-event-categories|stack-trace-limit|unhandled-rejections|dns-result-order|disable-warning|allow-fs-read|project|tsconfig|config|preload|cwd|import-map|lock|allow-\w+|deny-\w+|run))$/;
const PYTHON: Language = { kind: 'python', inline: '-c', values: '-W -X -Q --check-hash-based-pycs' };

const LANGUAGES: Readonly<Record<string, Language>> = {
  python: PYTHON,
  pypy: PYTHON,
  py: PYTHON,
  ipython: PYTHON,
  node: NODE,
  nodejs: NODE,
  tsx: NODE,
  'ts-node': NODE,
  bun: { ...NODE, inline: '-e -p --eval --print', values: '-r --preload --cwd --config -c' },
  deno: { ...NODE, inline: '', values: '--config -c --import-map --lock' },
  perl: { kind: 'other', inline: '-e -E', values: '-I -M -m -x', hasInPlace: true },
  ruby: { kind: 'other', inline: '-e', values: '-I -r -C -E', hasInPlace: true },
  php: { kind: 'other', inline: '-r -B -R -E --run', values: '-d -c -f -S -t' },
  lua: { kind: 'other', inline: '-e', values: '-l' },
  osascript: { kind: 'other', inline: '-e', values: '-l' },
  r: { kind: 'other', inline: '-e', values: '-f' },
  rscript: { kind: 'other', inline: '-e', values: '' },
  julia: { kind: 'other', inline: '-e -E --eval --print', values: '-L' },
  elixir: { kind: 'other', inline: '-e --eval', values: '-r' },
  tclsh: { kind: 'other', inline: '', values: '' },
  expect: { kind: 'other', inline: '-c', values: '-f' },
  groovy: { kind: 'other', inline: '-e', values: '' },
  jshell: { kind: 'other', inline: '', values: '' },
  guile: { kind: 'other', inline: '-c', values: '' },
};

export const INLINE_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>(
  Object.entries(LANGUAGES).map(([name, language]) => [name, (call) => interpret(call, language)]),
);

/**
 * AppleScript that only shows, plays or says something to a person: words and strings, and no requests to other
 * programs.
 */
const SHOWS_ONLY =
  /^\s*(?:display (?:notification|dialog|alert)|say|beep)(?:\s+(?:"(?:[^"\\]|\\.)*"|with|title|subtitle|sound|name|message|as|critical|informational|warning|buttons|default|button|answer|giving|up|after|icon|note|stop|caution|using|and|\d+|\{(?:\s*"(?:[^"\\]|\\.)*"\s*,?)*\}))*\s*$/;

/**
 * Words that indicate writing, running or removing; with one of them, an outside path in the text counts as a write.
 */
const WRITING =
  /write|append|open|unlink|remove|rename|replace|rmtree|rmdir|mkdir|makedirs|touch|chmod|chown|link|copy|move|truncate|save|dump|create|system|exec|spawn|popen|subprocess|run|delete|cp\b|mv\b|rm\b|fs\.|shutil|>|do shell script/i;

function interpret(given: Call, language: Language): readonly string[] | undefined {
  const call = language.kind === 'python' ? { ...given, args: given.args.flatMap(modulesApart) } : given;
  const { args, state, input, reader, name } = call;
  if (name === 'bun' || name === 'deno') {
    const inner = subcommand(call);
    if (inner !== undefined) return inner;
  }
  if (language.kind === 'python') {
    const at = args.findIndex((arg) => arg.value === '-m' || /^-[A-Za-z]*m$/.test(arg.value));
    const before = args.slice(0, Math.max(0, at));
    const module = args[at + 1];
    if (at !== -1 && module !== undefined && before.every((arg) => arg.value.startsWith('-') && arg.value !== '-c'))
      return runModule(call, args.slice(at + 1));
  }
  // `-pe` of node and `-ne`, `-lane` of perl end in the letter that takes the program.
  const { options, operands, values } = parseOptions(
    language.kind === 'javascript' ? args.map((arg) => (arg.value === '-pe' ? withValue(arg, '-p') : arg)) : args,
    { values: `${language.inline} ${language.values}`.trim(), stopsAtOperand: true },
  );
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

/** `-mpip` is `-m pip`. */
function modulesApart(arg: Field): Field[] {
  const module = /^-[bBdEiIOPqsSuvx]*m([A-Za-z_][\w.]*)$/.exec(arg.value)?.[1];
  return module === undefined ? [arg] : [withValue(arg, '-m'), withValue(arg, module)];
}

/** Options of the interpreter itself that name output files, and settings that name code to load. */
function noteOutputs(options: readonly Option[], language: Language, { state, reader, name }: Call): void {
  for (const { name: option, value } of options) {
    if (value === undefined) continue;
    const long = option.replaceAll('_', '-');
    if (language.kind === 'javascript' && long.startsWith('--') && !language.inline.split(' ').includes(long)) {
      if (long === '--experimental-sea-config') reader.undecidable('A file decides what node writes.');
      else if (!NODE_READS.test(long) && /[/\\~.\uE003]/.test(value.value)) reader.write(state, value);
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

/** Reads a program in the command line: it is harmless if it is plain code; else its paths are checked. */
function readCode(code: string, language: Language, { state, reader, name }: Call): void {
  const text = code.replaceAll(/[\uE002]/g, '');
  for (const [, , path = ''] of text.matchAll(/(["'`])((?:~|\/|\.{1,2}\/|[A-Za-z]:[\\/])?[\w.~@/\\ -]{1,300}?)\1/g)) {
    if (/[/.~\\]/.test(path))
      reader.read(state, withValue(field(path), path.startsWith('~') ? `\uE003${path.slice(1)}` : path));
  }
  if (!text.includes(ANY) && (name === 'osascript' ? SHOWS_ONLY.test(text) : isPlainCode(language.kind, text))) return;
  reader.undecidable(`A program is written into the command line of '${name}'.`);
  if (!WRITING.test(text)) return;
  const path =
    /(?<![\w.:/\\<*)\]}~-])(~(?:\w*)\/[^\s"'`,;)\\]*|\/(?!\/)(?:[\w.@+-]+\/)*[\w.@+-]+|(?:\.\.\/)+[^\s"'`,;)]*|[A-Za-z]:[\\/][^\s"'`,;)]*)/g;
  for (const [, found = ''] of text.matchAll(path)) {
    const isQuoted =
      /["'`]\s*$/.test(text.slice(0, text.indexOf(found))) || /^(?:~|\.\.)/.test(found) || found.split('/').length > 2;
    if (isQuoted)
      reader.write(state, { value: found.startsWith('~') ? `\uE003${found.slice(1)}` : found, written: found });
  }
  if (/expanduser|homedir\(\)|Path\.home|\$?ENV\[?\{?["']?HOME|environ\W+HOME|process\.env\.HOME/.test(text))
    reader.write(state, { value: '\uE003', written: 'the home directory' });
}

/** `python -m X`: the modules that write to paths in their arguments. */
function runModule(call: Call, words: readonly Field[]): undefined {
  const { state, reader } = call;
  const [module, ...rest] = words;
  const { operands, values } = parseOptions(rest, { values: '--prompt --upgrade-deps' });
  const files = operands;
  switch (module?.value) {
    case 'venv':
    case 'virtualenv':
      for (const file of files) reader.write(state, file);
      return undefined;
    case 'zipfile':
    case 'tarfile':
      for (const [index, arg] of rest.entries()) {
        const next = rest[index + 1];
        if (/^(?:-c|--create)$/.test(arg.value) && next !== undefined) reader.write(state, next);
        if (/^(?:-e|--extract)$/.test(arg.value)) {
          const [to = field('.', 'the archive')] = rest.slice(index + 2, index + 3);
          reader.write(state, to, 'fills');
        }
      }
      return undefined;
    case 'timeit': {
      const code = parseOptions(rest, { values: '-n -r -s -u --number --repeat --setup --unit' });
      for (const one of [...code.operands, ...code.values('-s', '--setup')]) readCode(one.value, PYTHON, call);
      return undefined;
    }
    case 'pdb':
    case 'ipdb':
    case 'idlelib':
    case 'code':
    case 'asyncio':
    case 'IPython': {
      const code = parseOptions(rest, { values: '-c --command -r' }).values('-c', '--command', '-r');
      for (const one of code) readCode(one.value, PYTHON, call);
      for (const text of call.input ?? []) readCode(text, PYTHON, call);
      return undefined;
    }
    case 'gzip':
    case 'compileall':
      for (const file of files) reader.write(state, file);
      return undefined;
    case 'pip':
    case 'black':
    case 'isort':
    case 'ruff':
    case 'autopep8':
    case 'uv':
    case 'site':
      if (module !== undefined) reader.runWords(words, state.copy(), undefined);
      return undefined;
    default:
      if (module?.value.includes(ANY) === true) reader.undecidable('It is not known which module runs.');
      noteHooks(module?.value ?? '', { ...call, args: rest });
      if (values('--prompt').length === 0) {
        otherProgram({ ...call, args: rest });
        givePaths({ ...call, name: `${call.name} -m ${module?.value ?? ''}`, args: rest });
      }
      return undefined;
  }
}

function subcommand(call: Call): readonly string[] | undefined {
  const { args, state, reader, name } = call;
  const [verb, ...rest] = args;
  if (verb?.value === 'eval' && name === 'deno') {
    for (const code of rest) if (!code.value.startsWith('-')) readCode(code.value, NODE, call);
    return [ANY];
  }
  if (verb !== undefined && /^(?:x)$/.test(verb.value) && name === 'bun') {
    checkPackage(
      rest.find((one) => !one.value.startsWith('-')),
      reader,
    );
    reader.runWords(rest, state.copy(), undefined);
    return [ANY];
  }
  if (verb !== undefined && /^(?:run|serve|test|bench|x|exec|cache|install)$/.test(verb.value)) {
    if (rest.some((one) => /^(?:https?|data|blob):/.test(one.value)))
      reader.undecidable('A program is loaded from a URL.');
    if (verb.value === 'run' && rest.some((one) => one.value === '-'))
      for (const code of call.input ?? [ANY]) readCode(code, NODE, call);
    if (verb.value === 'run') givePaths({ ...call, args: rest });
  }
  if (
    verb !== undefined &&
    /^(?:add|install|i|remove|rm|update|link|unlink|create|init|pm|upgrade|outdated|audit|publish|patch|run|test|build|task|check|lint|fmt|cache|compile|bench|doc)$/.test(
      verb.value,
    )
  ) {
    const { values, has } = parseOptions(rest, {
      values: '--cwd --outdir --outfile --output -o --root --out-dir --global-dir --coverage-dir --reporter-outfile',
    });
    const own = state.copy();
    for (const directory of values('--cwd', '--root')) {
      reader.write(state, directory);
      own.cwds = own.cwds.map((cwd) => changeDirectory(cwd, directory.value));
    }
    for (const file of values('--outdir', '--outfile', '--output', '-o', '--coverage-dir', '--reporter-outfile'))
      reader.write(own, file);
    if (
      (has('-g', '--global') && !/^(?:pm|run|test)$/.test(verb.value)) ||
      (name === 'deno' && verb.value === 'install') ||
      verb.value === 'link' ||
      verb.value === 'upgrade'
    ) {
      reader.undecidable(`'${name} ${verb.value}' writes outside the project.`);
    }
    return [ANY];
  }
  return undefined;
}
