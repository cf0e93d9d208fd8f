import { enterDirectory } from '../enter-directory.ts';
import type { Call, Handler } from '../call.ts';
import { givePaths } from '../given-paths.ts';
import { ANY, changeDirectory, field, withValue } from '../marks.ts';
import { parseOptions } from '../options.ts';
import { fromRoot, lookUp } from '../parameter.ts';
import { runAwk } from './awk.ts';
import { make, cmake, compile } from './build-tools.ts';
import { runSed } from './sed.ts';
import { runTar, unzip, sevenZip, cpio } from './unpackers.ts';

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

function patch({ args, state, input, reader }: Call): undefined {
  const { operands, values, has } = parseOptions(args, {
    values:
      '-p -d -i -o -r -B -F -D -g -V -Y -z --strip --directory --input --output --reject-file --prefix --fuzz --basename-prefix --suffix',
  });
  if (has('--dry-run', '-C', '--check')) return;
  const own = state.copy();
  for (const directory of values('-d', '--directory')) {
    reader.write(state, directory);
    own.cwds = own.cwds.map((cwd) => enterDirectory(state, cwd, directory.value));
  }
  for (const file of values('-o', '--output', '-r', '--reject-file', '-B', '--prefix', '-Y', '--basename-prefix'))
    reader.write(own, file);
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
