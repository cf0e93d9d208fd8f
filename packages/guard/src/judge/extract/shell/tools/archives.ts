import type { Call, Handler } from '../call.ts';
import { type Field, field, withValue } from '../marks.ts';
import { parseOptions } from '../options.ts';

/** `zip`, `ar` and `pax`, whose operands have a syntax of their own. */
export const ARCHIVE_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['zip', runZip],
  ['ar', runAr],
  ['pax', runPax],
]);

function runZip({ args, state, reader }: Call): undefined {
  const rest: Field[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as Field;
    // In zip, `lf` and `tt` are one option of two letters each, also at the end of a cluster.
    const [, cluster, letters] = /^-(\w*)(lf|tt)$/.exec(arg.value) ?? [];
    if (letters !== undefined) {
      if (cluster !== '') rest.push(withValue(arg, `-${cluster}`));
      const next = args[(at += 1)];
      if (letters === 'lf' && next !== undefined) reader.write(state, next);
      continue;
    }
    // `-TT cmd`, also at the end of a cluster; the command tests the archive.
    const tests = /^(?:-\w*TT|--unz?i?p?-?\w*)(?:=?)([^]*)$/.exec(arg.value);
    if (tests === null) rest.push(arg);
    else {
      reader.undecidable('zip runs a command to test the archive.');
      const command = tests[1] === '' ? args[(at += 1)] : withValue(arg, tests[1] ?? '');
      if (command !== undefined) reader.runText([command.value], state.copy());
    }
  }
  const { operands, values, has } = parseOptions(rest, {
    values: '-b -O --output-file --out --temp-path -P --password -n --suffixes -s --split-size -t --logfile-path -Z',
  });
  for (const file of values('-b', '--temp-path', '-O', '--output-file', '--out', '--logfile-path'))
    reader.write(state, file);
  const [archive, ...files] = operands;
  if (archive !== undefined && archive.value !== '-') reader.write(state, archive);
  const moves = has('-m', '--move');
  for (const file of files) {
    if (moves) reader.write(state, file, 'removes');
    else reader.read(state, file);
  }
}

function runAr({ args, state, reader }: Call): undefined {
  const { options, operands, values } = parseOptions(args, { values: '--plugin --target --output --record-libdeps' });
  for (const file of values('--output')) reader.write(state, file, 'fills');
  for (const file of values('--plugin')) reader.undecidable(`'${file.written}' is code that ar loads.`);
  const dashed = options.filter(({ name }) => /^-[a-zA-Z]$/.test(name)).map(({ name }) => name.slice(1));
  const key = dashed.join('') || (operands[0]?.value ?? '');
  const files = dashed.length > 0 ? operands : operands.slice(1);
  if (key.includes('M')) {
    reader.undecidable('ar takes its commands from its input.');
    return;
  }
  if (/[tp]/.test(key) && !/[dmqrsx]/.test(key)) {
    for (const file of files) reader.read(state, file);
    return;
  }
  // A member may precede the archive (`ar rb member lib.a`): one of the first three operands is written.
  const count = /[abiN]/.test(key) ? 3 : 1;
  if (!key.includes('x')) for (const file of files.slice(0, count)) reader.write(state, file);
  else {
    for (const file of files) reader.read(state, file);
    if (values('--output').length === 0) for (const member of files.slice(1)) reader.write(state, member);
    if (files.length < 2 && values('--output').length === 0) reader.write(state, field('.', 'ar x'), 'fills');
  }
}

function runPax({ args, state, reader }: Call): undefined {
  const { operands, values, has } = parseOptions(args, { values: '-f -s -x -b -B -E -G -U -T -o -p' });
  if (values('-s').length > 0) reader.undecidable('Names of the archive are rewritten.');
  if (has('-w') && has('-r')) {
    const to = operands.at(-1);
    if (to !== undefined) reader.write(state, to, 'fills');
  } else if (has('-w')) for (const file of values('-f')) reader.write(state, file);
  else if (has('-r')) {
    reader.undecidable('Names of the archive are taken as they are.');
    reader.write(state, field('.', 'pax -r'), 'fills');
  }
}
