import type { Call, Handler } from '../call.ts';
import { ANY, changeDirectory, type Field, field, withValue } from '../marks.ts';
import { givePath, givePaths } from '../given-paths.ts';
import { hiddenCommand } from '../hidden-command.ts';
import { parseOptions } from '../options.ts';
import { fromRoot, lookUp } from '../parameter.ts';
import { runAwk } from './awk.ts';
import { runSed } from './sed.ts';

/** Commands on files whose operands have a syntax of their own. */
export const FILE_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['dd', runDd],
  ['dcfldd', runDd],
  ['dc3dd', runDd],
  ['tar', runTar],
  ['gtar', runTar],
  ['bsdtar', runTar],
  ['unzip', unzip],
  ['7z', sevenZip],
  ['7za', sevenZip],
  ['7zr', sevenZip],
  ['7zz', sevenZip],
  ['cpio', cpio],
  ['patch', patch],
  ['sed', runSed],
  ['gsed', runSed],
  ['awk', runAwk],
  ['gawk', runAwk],
  ['mawk', runAwk],
  ['nawk', runAwk],
  ['mktemp', makeTemporary],
  ['crontab', crontab],
  ['at', later],
  ['batch', later],
  ['make', make],
  ['gmake', make],
  ['ninja', make],
  ['cmake', cmake],
  ...[
    'gcc',
    'g++',
    'cc',
    'c++',
    'clang',
    'clang++',
    'ld',
    'as',
    'rustc',
    'javac',
    'gfortran',
    'nvcc',
    'zig',
    'ghc',
    'ocamlc',
    'protoc',
    'swiftc',
    'kotlinc',
  ].map((name): [string, Handler] => [name, compile]),
  ...['openssl', 'gpg', 'gpg2', 'ssh-keygen', 'pandoc', 'inkscape', 'wkhtmltopdf'].map((name): [string, Handler] => [
    name,
    namedOutput,
  ]),
]);

function runDd({ args, state, reader }: Call): undefined {
  for (const arg of args) {
    const match = /^(of|if|log|errlog|hashlog|hlog|hof|mlog|ofs|hofs):?=(.*)$/s.exec(arg.value);
    if (/^\w+:=/.test(arg.value)) reader.runText([arg.value.replace(/^\w+:=/, '')], state.copy());
    if (match !== null && match[1] !== 'if') reader.write(state, withValue(arg, match[2] ?? ''));
    else if (match?.[1] === 'if') reader.read(state, withValue(arg, match[2] ?? ''));
    else if (arg.value.includes(ANY) && !/^\w+=/.test(arg.value))
      reader.undecidable("It is not known what 'dd' is given.");
  }
}

const TAR_VALUES =
  '-f -C -T -X -I -b -F -H -K -N -V -g -L --file --directory --files-from --exclude --exclude-from --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script --transform --xform --one-top-level --listed-incremental --owner --group --mode --mtime --strip-components --rsh-command --rmt-command --index-file --suffix --format';

function runTar(call: Call): undefined {
  const { state, reader } = call;
  const { options, operands, has, values, isOpen } = parseOptions(bundled(call.args), {
    values: TAR_VALUES,
    flags: '--list',
  });
  if (isOpen) reader.undecidable("It is not known what 'tar' is given.");
  for (const name of [
    '-I',
    '-F',
    '--use-compress-program',
    '--to-command',
    '--info-script',
    '--new-volume-script',
    '--rsh-command',
    '--rmt-command',
  ]) {
    for (const { value } of values(name)) {
      if (!/^(?:pigz|gzip|zstd|xz|bzip2|lz4|pixz|pbzip2|lzip|zstdmt)(?: -[\w-]+)*$/.test(value))
        reader.runText([value], state.copy());
    }
  }
  for (const { value } of values('--checkpoint-action'))
    if (value.startsWith('exec=')) reader.runText([value.slice(5)], state.copy());
  for (const file of values('--index-file', '-g', '--listed-incremental')) reader.write(state, file);
  const archives = values('-f', '--file');
  if (has('-t', '--list', '-d', '--diff', '--compare')) {
    for (const file of archives) reader.read(state, file);
    return;
  }
  if (has('-x', '--extract', '--get')) {
    for (const file of archives) reader.read(state, file);
    if (has('-O', '--to-stdout')) return;
    if (has('-P', '--absolute-names'))
      reader.undecidable('Names of the archive are taken as they are, absolute ones too.');
    if (values('--transform', '--xform').length > 0) reader.undecidable('Names of the archive are rewritten.');
    let own = state;
    for (const directory of options.filter((option) => /^(?:-C|--directory|--one-top-level)$/.test(option.name))) {
      if (directory.value === undefined) continue;
      reader.write(own, directory.value, 'fills');
      own = own.copy();
      own.cwds = own.cwds.map((cwd) => changeDirectory(cwd, directory.value?.value ?? ''));
    }
    // Only the named members appear, if options do not change their names.
    const isNamed = values('--strip-components', '--transform', '--xform', '-T', '--files-from').length === 0;
    return into(call, own, isNamed && !has('--wildcards') ? operands : []);
  }
  for (const file of archives) if (file.value !== '-' && !/^[\w.-]{2,}:/.test(file.value)) reader.write(state, file);
  const from = state.copy();
  for (const directory of values('-C', '--directory'))
    from.cwds = from.cwds.map((cwd) => changeDirectory(cwd, directory.value));
  for (const operand of operands) reader.read(from, operand);
  if (has('--remove-files')) for (const operand of operands) reader.write(from, operand);
}

/** `tar xzf a.tgz`: the first word is a cluster without a dash, and its letters take the following words in order. */
function bundled(args: readonly Field[]): readonly Field[] {
  const [first, ...rest] = args;
  if (first === undefined || first.value.startsWith('-') || !/^[A-Za-z]+$/.test(first.value)) return args;
  const result: Field[] = [];
  let left = rest;
  for (const letter of first.value) {
    result.push(field(`-${letter}`, first.written));
    if (!'fCTXIbFHKNVgL'.includes(letter) || left[0] === undefined) continue;
    result.push(left[0]);
    left = left.slice(1);
  }
  return [...result, ...left];
}

/** Records files with unknown names; in the root, one of them may be a protected file. */
function into({ reader }: Call, state: Call['state'], members: readonly Field[] = []): undefined {
  if (members.length === 0) reader.write(state, field('.'), 'fills');
  for (const member of members) reader.write(state, member, 'fills');
}

function unzip(call: Call): undefined {
  const { state, reader } = call;
  const { operands, has, values } = parseOptions(call.args, { values: '-d -x -P' });
  if (operands[0] !== undefined) reader.read(state, operands[0]);
  if (has('-l', '-t', '-p', '-Z', '-v', '-c', '-z')) return;
  if (has('-:')) reader.undecidable('Names of the archive may leave the directory.');
  const targets = values('-d');
  for (const target of targets) reader.write(state, target, 'fills');
  if (targets.length === 0) into(call, state, has('-j') ? [] : operands.slice(1));
}

function sevenZip(call: Call): undefined {
  const { args, state, reader } = call;
  const mode = args[0]?.value ?? '';
  for (const arg of args)
    if (/^-[ow]./.test(arg.value))
      reader.write(state, withValue(arg, arg.value.slice(2)), arg.value.startsWith('-o') ? 'fills' : undefined);
  const operands = args.slice(1).filter((arg) => !arg.value.startsWith('-'));
  if (/^[audr]/.test(mode) && operands[0] !== undefined) reader.write(state, operands[0]);
  if (/^[ex]/.test(mode) && !args.some((arg) => arg.value.startsWith('-o'))) into(call, state);
}

function cpio(call: Call): undefined {
  const { operands, has, values } = parseOptions(call.args, { values: '-D -E -F -O -I -H -C --directory --file' });
  for (const file of values('-O')) call.reader.write(call.state, file);
  for (const file of values('-D', '--directory')) call.reader.write(call.state, file, 'fills');
  if (has('-p', '--pass-through')) for (const file of operands) call.reader.write(call.state, file);
  if (has('-i', '--extract') && !has('--no-absolute-filenames', '-t', '--list'))
    call.reader.undecidable('Names of the archive are taken as they are.');
  if (has('-i', '--extract') && !has('-t', '--list') && values('-D', '--directory').length === 0)
    into(call, call.state);
}

function patch({ args, state, input, reader }: Call): undefined {
  const { operands, values, has } = parseOptions(args, {
    values:
      '-p -d -i -o -r -B -F -D -g -V -Y -z --strip --directory --input --output --reject-file --prefix --fuzz --basename-prefix --suffix',
  });
  if (has('--dry-run', '-C', '--check')) return;
  const own = state.copy();
  for (const directory of values('-d', '--directory')) {
    reader.write(state, directory);
    own.cwds = own.cwds.map((cwd) => changeDirectory(cwd, directory.value));
  }
  for (const file of values('-o', '--output', '-r', '--reject-file', '-B', '--prefix')) reader.write(own, file);
  for (const file of values('-i', '--input')) reader.read(own, file);
  if (operands[0] !== undefined) {
    reader.write(own, operands[0]);
    return;
  }
  for (const text of input ?? []) {
    for (const [, name = ''] of text.matchAll(/^(?:\+\+\+|---|Index:|rename to|copy to) +([^\t\n]+)/gm)) {
      if (name !== '/dev/null') reader.write(own, field(name.replace(/^[ab]\//, '').trim(), name));
    }
  }
}

function makeTemporary({ args, state, reader }: Call): readonly string[] {
  const { operands, values, has } = parseOptions(args, { values: '-p --tmpdir --suffix' });
  const [template] = operands;
  const directory =
    values('-p', '--tmpdir')[0]?.value ??
    (template === undefined || has('-t', '--tmpdir') ? temporaryDirectory(state) : '');
  const name = (template?.value ?? 'tmp.XXXXXX').replace(/X{3,}/, 'XXXXXX');
  const path = directory === '' ? name : `${directory}/${name}`;
  if (!has('-u', '--dry-run')) reader.write(state, field(path, template?.written ?? 'mktemp'));
  return state.cwds.map((cwd) => (path.startsWith('/') ? path : fromRoot(changeDirectory(cwd, path))));
}

function temporaryDirectory(state: Call['state']): string {
  const value = lookUp(state, 'TMPDIR');
  return value === undefined || 'items' in value ? ANY : (value[0] ?? '/tmp');
}

function crontab({ args, state, reader }: Call): undefined {
  const { has } = parseOptions(args, { values: '-u' });
  if (!has('-l')) reader.write(state, field('/var/spool/cron/crontabs', 'crontab'));
}

function later({ args, state, input, reader, name }: Call): undefined {
  const { has, values } = parseOptions(args, { values: '-f -q -t' });
  if (has('-l', '-c', '-V')) return;
  for (const file of values('-f')) reader.read(state, file);
  reader.write(state, field('/var/spool/cron/atjobs', name));
  if (input !== undefined) reader.runText(input, state.copy());
}

function make(call: Call): undefined {
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

function cmake({ args, state, reader }: Call): undefined {
  const { values, has, operands } = parseOptions(args, {
    values: '-B -S -G -C -P -T -A --build --install --prefix --target --preset -j --config --graphviz',
  });
  for (const file of values('-B', '--build', '--install', '--prefix', '--graphviz'))
    if (file.value !== '.') reader.write(state, file);
  if (has('--install') && values('--prefix').length === 0)
    reader.undecidable('cmake installs to the prefix it was configured with.');
  if (has('-E') && operands[0]?.value === 'chdir') {
    const own = state.copy();
    own.cwds = own.cwds.map((cwd) => changeDirectory(cwd, operands[1]?.value ?? ANY));
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

function compile(call: Call): undefined {
  const { args, state, reader, name } = call;
  const giveOutside = (value: string): void => {
    if (/^(?:[/~\uE003]|\.\.\/)/.test(value)) givePath(call, field(value));
  };
  for (const [index, arg] of args.entries()) {
    const glued = /^-(?:o[f=:]?|J)(.+)$/s.exec(arg.value);
    const next = args[index + 1];
    if (
      /^(?:-o|--output|-d|--out-dir|-MF|-dumpdir|--emit-dir|-h|-s)$/.test(arg.value) &&
      next !== undefined &&
      !(name !== 'javac' && /^-[dhs]$/.test(arg.value))
    )
      reader.write(state, next);
    else if (glued?.[1] !== undefined && /[/~\\.]/.test(glued[1])) reader.write(state, withValue(arg, glued[1]));
    const outputs = /^(?:--out-dir|--output|--\w+_out|--emit|-femit-bin|--prefix)=(?:[\w,=]*[:=])?(.+)$/s.exec(
      arg.value,
    );
    if (outputs?.[1] !== undefined && /[/~.]/.test(outputs[1])) reader.write(state, withValue(arg, outputs[1]));
    const mapped = /^-W[lpa],(?:[^]*,)?(?:-{1,2}(?:Map|out-implib|dependency-file|MM?D|MF)|-a\w*)[=,]([^,]+)/.exec(
      arg.value,
    );
    if (mapped?.[1] !== undefined) reader.write(state, withValue(arg, mapped[1]));
    // Any other option may name an output, unless it is known to be read.
    const named = /^(-{1,2}[A-Za-z][\w-]*|-Wl,-[\w-]+)[=,](.+)$/s.exec(arg.value);
    if (named?.[2] !== undefined && !COMPILER_READS.test(named[1] ?? '')) giveOutside(named[2]);
    const before = args[index - 1]?.value ?? '';
    if (before.startsWith('-') && !before.includes('=') && !arg.value.startsWith('-') && !COMPILER_READS.test(before))
      giveOutside(arg.value);
    if (/^-f?plugin|^-wrapper$|^-B./.test(arg.value))
      reader.undecidable(`'${arg.value}' makes the compiler run other code.`);
  }
}

function namedOutput(call: Call): undefined {
  const { args, state, reader, name } = call;
  const words = args.map((arg) => arg.value);
  // Keys without a given name, and key rings, are in the home directory.
  if (name === 'ssh-keygen' && !words.some((word) => /^-[a-zA-Z]*[flyFLBYQie]/.test(word)))
    reader.write(state, { value: '\uE003/.ssh', written: 'ssh-keygen' });
  if (
    name.startsWith('gpg') &&
    words.some((word) =>
      /^--(?:gen|full-gen|quick|import|delete|edit|recv|receive|sign-key|lsign|refresh|card)/.test(word),
    )
  )
    reader.undecidable('gpg changes its own keys.');
  if (/^(?:pandoc|inkscape|wkhtmltopdf)$/.test(name)) givePaths(call);
  const { options } = parseOptions(args, {
    values: '-out -keyout -o --output -f --output-file -writerand -CAserial --homedir',
    singleDash: true,
  });
  for (const { name: option, value } of options) {
    if (value === undefined || (option === '-f' && name !== 'ssh-keygen')) continue;
    if (/^(?:-out|-keyout|-o|--output|--output-file|-f|-writerand|-CAserial|--homedir)$/.test(option))
      reader.write(state, value);
  }
}
