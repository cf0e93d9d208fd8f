import type { Call } from './call.ts';
import { ATOM, type Field, field, GLOB, SPLIT, withValue } from './marks.ts';
import { parseOptions } from './options.ts';
import { noteMade, PLACES, notePlaced } from './placed-files.ts';
import { isRemote, hostOf } from './remote-operand.ts';
import { checkSshOptions, isThisMachine } from './tools/ssh.ts';
import type { Writer } from './writer-table.ts';

/** Records what a command of the table writes and reads. */
export function applyWriter(call: Call, writer: Writer): void {
  const { args, state, reader, name } = call;
  const { options, operands, has, values, isOpen } = parseOptions(args, {
    values: writer.values,
    singleDash: writer.singleDash,
    flags: writer.flags,
  });
  const names = (text: string | undefined): string[] => text?.split(' ') ?? [];
  const isIdle = writer.only !== undefined && !has(...names(writer.only));
  if (!isIdle && (isOpen || args.some((arg) => arg.value.includes(SPLIT))))
    reader.undecidable(`It is not known what '${name}' is given.`);
  for (const field of values(...names(writer.writes))) reader.write(state, field);
  for (const field of values(...names(writer.readsFrom))) reader.read(state, field);
  if (has(...names(writer.runs))) reader.undecidable(`An option of '${name}' runs a command.`);
  if (/^(?:rsync|scp)$/.test(name))
    checkTransport(call, values('-e', '--rsh', '--rsync-path', '-S', '-D', '-M', '--remote-option'));
  if (name === 'scp') checkSshOptions(call, values('-o'), values('-F'));
  // `rename 's/…/…/' files` and `rename -e 's/…/…/' files`: a program in Perl.
  const expressions = name !== 'rename' ? [] : has('-e') ? values('-e') : operands.slice(0, 1);
  if (expressions.some(({ value }) => /\\\/|\.\.|[/}]\w*e\w*$|[`;{]|\$[({]|\(\?/.test(value)))
    reader.undecidable('It is not known which names the expression gives.');
  if (isIdle) return readAll(call, operands);
  if (writer.unless !== undefined && has(...names(writer.unless))) return readAll(call, operands);
  const targets = values(...names(writer.target));
  for (const field of targets) reader.write(state, field);
  if (writer.isHere === true && state.cwds.some((cwd) => cwd !== '')) reader.write(state, field('.', name));
  const last = writer.operands === 'last' ? lastOperand(args, operands) : operands.length - 1;
  // A write through the link changes its target.
  const makesLinks = name === 'cp' && has('-s', '-l', '--symbolic-link', '--link');
  const isDirectories = name === 'install' && has('-d', '--directory');
  const skips =
    writer.operands === 'rest' &&
    (values('--reference').length > 0 ||
      (name === 'rename' && has('-e')) ||
      options.some((o) => /^-[rwxXst]$/.test(o.name) && name === 'chmod'))
      ? 0
      : 1;
  for (const [index, field] of operands.entries()) {
    const isLast = index >= last;
    const isWritten =
      writer.operands === 'all' ||
      makesLinks ||
      isDirectories ||
      (writer.operands === 'last' && isLast && targets.length === 0) ||
      (writer.operands === 'rest' && index >= skips) ||
      (writer.operands === 'first' && index === 0) ||
      (writer.operands === 'second' && index === 1);
    if (writer.remote === true && isRemote(field)) {
      // Files on another machine do not count.
      if (isWritten && isThisMachine(hostOf(field)))
        reader.undecidable(`'${name}' may write on this machine under another name.`);
      continue;
    }
    if (isWritten) writeOperand(call, field, operands, has);
    else if (writer.reads === true) reader.read(state, field);
  }
  if (name === 'rsync' && has('--remove-source-files')) for (const field of operands) reader.write(state, field);
  if (name === 'mkdir') noteMade(call, operands);
  if (PLACES.test(name) && !isDirectories)
    notePlaced(
      call,
      operands,
      [...targets, ...(writer.target === undefined ? values('-t', '--target-directory') : [])],
      has,
    );
}

/**
 * The index of the last operand. It may be the value of an unknown option (`rsync a b --info x`), so an operand after a
 * long option counts both as its value and as an operand.
 */
function lastOperand(args: readonly Field[], operands: readonly Field[]): number {
  let last = operands.length - 1;
  for (; last > 0; last -= 1) {
    const before = args[args.indexOf(operands[last] as Field) - 1]?.value ?? '';
    if (!/^--[\w-]+$/.test(before)) break;
  }
  return last;
}

function writeOperand(
  call: Call,
  field: Field,
  operands: readonly Field[],
  has: (...names: string[]) => boolean,
): void {
  const { state, reader, name } = call;
  const target = operands.length > 1 ? operands.at(-1) : undefined;
  if (
    name === 'ln' &&
    has('-s', '--symbolic') &&
    field !== target &&
    target !== undefined &&
    !/^[/~\uE000-\uE005]/.test(field.value)
  ) {
    // A relative target of a symbolic link starts at the link's directory.
    const link = target.value;
    const base = /(?:^|\/)\.{0,2}\/?$/.test(link)
      ? link.replace(/\/+$/, '')
      : link.includes('/')
        ? link.slice(0, link.lastIndexOf('/'))
        : '';
    const value = base === '' || base === '.' ? field.value : `${base}/${field.value}`;
    // Everything below the target can be written through the link.
    reader.write(state, { value, written: field.written }, 'replaces');
    return;
  }
  const pattern = OWN_WILDCARDS.test(name) ? ownWildcards(field) : field;
  // A pattern that excludes files.
  if (/^(?:prettier|eslint|stylelint|biome)$/.test(name) && /^!.*[*?[]/.test(pattern.value)) return;
  // These commands remove the link, not its target.
  const isLink = /^(?:rm|unlink|trash|rimraf)$/.test(name);
  const written = isLink ? withValue(pattern, pattern.value.replace(/\uE002\*\*$/, ATOM)) : pattern;
  const isMoved = name === 'mv' && target !== undefined && field !== target && !has('-t', '--target-directory');
  reader.write(state, written, REMOVES.test(name) || isMoved ? 'takes' : undefined);
}

/** Commands that remove their operands. */
const REMOVES = /^(?:rm|rmdir|unlink|rimraf|del-cli|trash|trash-put|shred|wipe|srm)$/;

/** Programs that expand wildcards themselves, as the shell would: `prettier --write "src/*.ts"`. */
const OWN_WILDCARDS = /^(?:prettier|eslint|stylelint|biome|rimraf|del-cli|cpx|copyfiles)$/;

function ownWildcards(field: Field): Field {
  return withValue(field, field.value.replace(/(?<!\uE002)[*?[]/g, `${GLOB}$&`));
}

function checkTransport({ reader }: Call, fields: readonly Field[]): void {
  const isPlain = ({ value }: Field): boolean =>
    /^(?:\/usr\/bin\/)?ssh(?: -[A-Za-z0-9]+(?: [\w.@/=~-]+)?)*$/.test(value) && !/command| -[FEI]|include/i.test(value);
  if (fields.some((field) => !isPlain(field))) {
    reader.undecidable('An option names a program that is run for the transport.');
  }
}

function readAll(call: Call, operands: readonly Field[]): void {
  for (const field of operands) call.reader.read(call.state, field);
}
