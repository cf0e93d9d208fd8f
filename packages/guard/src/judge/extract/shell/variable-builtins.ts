import { type Call, type Result } from './call.ts';
import { checkAssignment } from './environment.ts';
import { ANY } from './marks.ts';
import { parseOptions } from './options.ts';
import { lookUp } from './parameter.ts';
import { checkEvaluated } from './subscripts.ts';

export function declare({ name: command, args, state, reader }: Call): Result {
  const { operands, has } = parseOptions(args, {});
  const isReadonly = command === 'readonly' || has('-r');
  const isLocal = /^(?:declare|typeset|local)$/.test(command);
  const isExported = command === 'export' ? !has('-n') : has('-x');
  if (has('-n')) reader.undecidable('A name becomes an alias of another variable.');
  const isNumber = has('-i');
  // With a name that is not valid, that is read-only, or that `-p` or `-f` does not find.
  let mayFail = args.some((arg) => /^[-+]/.test(arg.value) && !/^-[xrgia]+$/.test(arg.value));
  for (const { value, written } of operands) {
    const equals = value.indexOf('=');
    checkName(isNumber || equals === -1 ? value : value.slice(0, equals), reader);
    if (isNumber) checkEvaluated(value.slice(equals + 1), state, (reason) => reader.undecidable(reason));
    const match = /^([A-Za-z_]\w*)(\+?)=([^]*)$/.exec(value);
    mayFail ||= match === null ? !/^[A-Za-z_]\w*$/.test(value) : state.readonly.has(match[1] ?? '');
    const [, name = value, plus, text = ''] = match ?? [];
    if (isExported) state.exported.add(name);
    else if (!isLocal || args.some((arg) => /^\+\w*x/.test(arg.value))) state.exported.delete(name);
    if (match === null) {
      if (value.includes(ANY)) reader.undecidable(`It is not known which variable '${written}' sets.`);
      if (isReadonly) state.readonly.add(value);
      // A local variable without a value is empty, or has the value of the caller.
      else if (isLocal && state.hidden !== undefined) {
        state.hide(value);
        state.mayBecome(value, ['']);
      }
      continue;
    }
    const reason = checkAssignment(name, [text]);
    if (reason !== undefined) reader.undecidable(reason);
    state.assign(name, plus === '+' ? [ANY] : [text]);
    if (isReadonly) state.readonly.add(name);
  }
  return { success: state, failure: mayFail ? state : undefined, output: [''] };
}

export function unset({ args, state, reader }: Call): readonly string[] {
  const { operands, has } = parseOptions(args, {});
  for (const { value } of operands) {
    checkName(value, reader);
    const bodies = state.functions.get(value);
    // Without an option, a variable of that name is removed instead.
    if (bodies !== undefined && !has('-v')) state.functions.set(value, [...new Set([...bodies, undefined])]);
    // `PWD`, `HOME` and similar variables have values that the command line did not set.
    if (has('-f') || lookUp(state, value) === undefined) continue;
    const hidden = state.hidden?.get(value);
    state.assign(value, value === 'IFS' ? [' \t\n'] : ['']);
    if (hidden !== undefined) state.mayBecome(value, hidden);
  }
  return [''];
}

export function assignRead(call: Call): readonly string[] {
  return assignOperands(call, '-d -n -N -p -t -u -i');
}

/** `mapfile`: its `-t` takes no value, unlike the `-t` of `read`. */
export function assignLines(call: Call): readonly string[] {
  return assignOperands(call, '-d -n -O -s -u -c -C');
}

function assignOperands({ args, state, reader }: Call, values: string): readonly string[] {
  const { operands, has } = parseOptions(args, { values });
  if (has('-C')) reader.undecidable('A command is run for each line that is read.');
  for (const { value } of operands) {
    checkName(value, reader);
    if (/^[A-Za-z_]\w*$/.test(value)) state.assign(value, [ANY]);
  }
  return [''];
}

/** A variable name may have a subscript, which the shell evaluates. */
export function checkName(value: string, reader: Call['reader']): void {
  if (/\$\(|`/.test(value)) reader.undecidable('A subscript that is evaluated runs a command.');
}
