import { enterDirectory } from '../enter-directory.ts';
import type { Call } from '../call.ts';
import { type Field, field, withValue } from '../marks.ts';
import { parseOptions } from '../options.ts';

const TAR_VALUES =
  '-f -C -T -X -I -b -F -H -K -N -V -g -L --file --directory --files-from --exclude --exclude-from --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script --transform --xform --one-top-level --listed-incremental --owner --group --mode --mtime --strip-components --rsh-command --rmt-command --index-file --suffix --format';

/** Handles `tar`: archives, directories, and options that run programs. */
export function runTar(call: Call): undefined {
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
      own.cwds = own.cwds.map((cwd) => enterDirectory(state, cwd, directory.value?.value ?? ''));
    }
    // Only the named members appear, if options do not change their names.
    const isNamed = values('--strip-components', '--transform', '--xform', '-T', '--files-from').length === 0;
    return into(call, own, isNamed && !has('--wildcards') ? operands : []);
  }
  for (const file of archives) if (file.value !== '-' && !/^[\w.-]{2,}:/.test(file.value)) reader.write(state, file);
  const from = state.copy();
  for (const directory of values('-C', '--directory'))
    from.cwds = from.cwds.map((cwd) => enterDirectory(state, cwd, directory.value));
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

/** Handles `unzip`. */
export function unzip(call: Call): undefined {
  const { state, reader } = call;
  const { operands, has, values } = parseOptions(call.args, { values: '-d -x -P' });
  if (operands[0] !== undefined) reader.read(state, operands[0]);
  if (has('-l', '-t', '-p', '-Z', '-v', '-c', '-z')) return;
  if (has('-:')) reader.undecidable('Names of the archive may leave the directory.');
  const targets = values('-d');
  for (const target of targets) reader.write(state, target, 'fills');
  if (targets.length === 0) into(call, state, has('-j') ? [] : operands.slice(1));
}

/** Handles `7z`. */
export function sevenZip(call: Call): undefined {
  const { args, state, reader } = call;
  const mode = args[0]?.value ?? '';
  for (const arg of args)
    if (/^-[ow]./.test(arg.value))
      reader.write(state, withValue(arg, arg.value.slice(2)), arg.value.startsWith('-o') ? 'fills' : undefined);
  const operands = args.slice(1).filter((arg) => !arg.value.startsWith('-'));
  if (/^[audr]/.test(mode) && operands[0] !== undefined) reader.write(state, operands[0]);
  if (/^[ex]/.test(mode) && !args.some((arg) => arg.value.startsWith('-o'))) into(call, state);
}

/** Handles `cpio`. */
export function cpio(call: Call): undefined {
  const { operands, has, values } = parseOptions(call.args, { values: '-D -E -F -O -I -H -C --directory --file' });
  for (const file of values('-O')) call.reader.write(call.state, file);
  // The archive: `-o` creates it.
  for (const file of values('-F', '--file'))
    if (has('-i', '--extract', '-t', '--list')) call.reader.read(call.state, file);
    else call.reader.write(call.state, file);
  for (const file of values('-I')) call.reader.read(call.state, file);
  for (const file of values('-D', '--directory')) call.reader.write(call.state, file, 'fills');
  if (has('-p', '--pass-through')) for (const file of operands) call.reader.write(call.state, file);
  if (has('-i', '--extract') && !has('--no-absolute-filenames', '-t', '--list'))
    call.reader.undecidable('Names of the archive are taken as they are.');
  if (has('-i', '--extract') && !has('-t', '--list') && values('-D', '--directory').length === 0)
    into(call, call.state);
}
