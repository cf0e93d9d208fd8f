import { enterDirectory } from '../enter-directory.ts';
import type { Call } from '../call.ts';
import { giveOptionValues, givePath } from '../given-paths.ts';
import { hiddenCommand } from '../hidden-command.ts';
import { ANY, type Field, withValue } from '../marks.ts';
import { parseOptions, understand } from '../options.ts';

/** Handles `make`: directories, rule files and variables that run commands. */
export function make(call: Call): undefined {
  const { args, state, input, reader, name } = call;
  const { operands, values } = parseOptions(args, {
    values: '-C -f -I -o -W -j --directory --file --makefile --eval -E',
  });
  for (const directory of values('-C', '--directory'))
    if (!/^\.?$|^\uE004\/?$/.test(directory.value)) reader.write(state, directory);
  for (const file of values('-f', '--file', '--makefile')) {
    reader.read(state, file);
    if ((file.value === '-' && input !== undefined) || file.value === '/dev/fd/63')
      reader.undecidable('The rules of make are not known.');
  }
  for (const text of values('--eval', ...(name === 'make' ? ['-E'] : [])))
    reader.undecidable(`'${text.written}' gives make rules of its own.`);
  for (const operand of operands) {
    const match = /^(\w+)(?:[:+?]|::|:::|!)?=(.*)$/s.exec(operand.value);
    if (match === null) continue;
    const [, key = '', text = ''] = match;
    if (/^(?:SHELL|MAKEFLAGS|\.SHELLFLAGS)$/.test(key)) reader.undecidable(`'${key}' decides what make runs.`);
    if (/^[/~\uE003]|^[A-Za-z]:[/\\]|(?:^|\/)\.\.(?:\/|$)/.test(text)) reader.write(state, withValue(operand, text));
    if (/\$[({]\s*(?:shell|eval|file|call|guile|load)\b/.test(text) || /^\w+!=/.test(operand.value))
      reader.undecidable('A variable of make runs a command.');
    // `CC='rm x'`: the commands that make runs begin with it.
    hiddenCommand({ ...call, args: [withValue(operand, text)] }, () => false);
  }
}

/** Handles `cmake`: build and install directories, and the commands of `-E`. */
export function cmake({ args, state, reader }: Call): undefined {
  const { values, has, operands } = parseOptions(args, {
    values: '-B -S -G -C -P -T -A --build --install --prefix --target --preset -j --config --graphviz',
  });
  for (const file of values('-B', '--build', '--install', '--prefix', '--graphviz'))
    if (file.value !== '.') reader.write(state, file);
  if (has('--install') && values('--prefix').length === 0)
    reader.undecidable('cmake installs to the prefix it was configured with.');
  if (has('-E') && operands[0]?.value === 'chdir') {
    const own = state.copy();
    own.cwds = own.cwds.map((cwd) => enterDirectory(state, cwd, operands[1]?.value ?? ANY));
    reader.runWords(operands.slice(2), own, undefined);
  } else if (has('-E'))
    reader.runWords(
      operands.flatMap((one, index) => (index === 0 ? [withValue(one, CMAKE_NAMES[one.value] ?? one.value)] : [one])),
      state.copy(),
      undefined,
    );
}

const CMAKE_NAMES: Readonly<Record<string, string>> = {
  copy: 'cp',
  copy_directory: 'cp',
  copy_if_different: 'cp',
  make_directory: 'mkdir',
  remove: 'rm',
  remove_directory: 'rm',
  rm: 'rm',
  rename: 'mv',
  create_symlink: 'ln',
  create_hardlink: 'ln',
  touch: 'touch',
  cat: 'cat',
  echo: 'echo',
};

/** Options of compilers and linkers whose value is read, or that take none. */
const COMPILER_READS =
  /^-(?:[ILFDUlxTgOWcSEv]|I.*|L.*|W.*|O.*|g\d?|std|isystem|include|idirafter|iquote|imacros|isysroot|-sysroot|sysroot|framework|rpath|Xlinker|Wl,-rpath\S*|rpath-link|f[\w-]+-prefix-map|classpath|cp|-class-path|-module-path|p|-source-path|sourcepath|-extern|-edition|-crate-\w+|proto_path|-proto_path|-target|target|march|mtune|shared|static|fPIC|pthread|pipe|s|w)$/;

/** Handles compilers and linkers: options that name an output or other code. */
export function compile(call: Call): undefined {
  const { args, state, reader, name } = call;
  const words = args.flatMap(passedOn);
  for (const [index, arg] of words.entries()) {
    const glued = /^-(?:o[f=:]?|J)(.+)$/s.exec(arg.value);
    const next = words[index + 1];
    if (
      /^(?:-o|--output|-d|--out-dir|-MF|-dumpdir|--emit-dir|-h|-s)$/.test(arg.value) &&
      next !== undefined &&
      !(name !== 'javac' && /^-[dhs]$/.test(arg.value) && !(name === 'kotlinc' && arg.value === '-d'))
    )
      reader.write(state, next);
    else if (glued?.[1] !== undefined && /[/~\\.]/.test(glued[1])) reader.write(state, withValue(arg, glued[1]));
    const outputs = /^(?:--out-dir|--output|--\w+_out|--emit|-femit-bin|--prefix)=(?:[\w,=]*[:=])?(.+)$/s.exec(
      arg.value,
    );
    if (outputs?.[1] !== undefined && /[/~.]/.test(outputs[1])) reader.write(state, withValue(arg, outputs[1]));
    // Any other option may name an output, unless it is known to be read.
    const before = words[index - 1]?.value ?? '';
    const option = arg.value.startsWith('-') ? arg.value : before;
    if (COMPILER_READS.test(option) || COMPILER_READS.test(/^[^=]*/.exec(option)?.[0] ?? '')) understand(arg);
    else if (/^-[^=]+$/.test(before) && /^(?:[/~\uE003]|\.\.\/)/.test(arg.value)) givePath(call, arg);
    if (/^-f?plugin/.test(arg.value)) reader.undecidable(`'${arg.value}' makes the compiler run other code.`);
  }
  for (const arg of args) {
    const mapped = /^-W[lpa],(?:[^]*,)?(?:-{1,2}(?:Map|out-implib|dependency-file|MM?D|MF)|-a\w*)[=,]([^,]+)/.exec(
      arg.value,
    );
    if (mapped?.[1] !== undefined) reader.write(state, withValue(arg, mapped[1]));
    if (/^-wrapper$|^-B./.test(arg.value)) reader.undecidable(`'${arg.value}' makes the compiler run other code.`);
  }
  giveOptionValues({ ...call, args: words });
  understand(...args);
}

/** `-Wl,a,b` and `-Xlinker a`: the words that a compiler passes to another program. */
function passedOn(arg: Field): Field[] {
  if (/^-X(?:linker|assembler|preprocessor|clang)$/.test(arg.value)) return [];
  const list = /^-W[lpa],(.+)$/s.exec(arg.value)?.[1];
  return list === undefined ? [arg] : list.split(',').map((word) => withValue(arg, word));
}
