import type { Call } from '../call.ts';
import { givePaths } from '../given-paths.ts';
import { ANY, type Field, withValue } from '../marks.ts';

/** Options of programs without a handler whose value is written, or is their working directory. */
const WRITTEN: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    bun: /^--cwd$/,
    zig: /^(?:-p|--prefix|--cache-dir|--global-cache-dir|--prefix-(?:lib|exe|include)-dir)$/,
    poetry: /^(?:-C|--directory|-P|--project)$/,
    pnpm: /^--edit-dir$/,
    nix: /^(?:-o|--out-link|--profile)$/,
    ffmpeg: /^-passlogfile$/,
    magick: /^-path$/,
    convert: /^-path$/,
  }),
);

/** Subcommands whose operands cannot be told apart into read and written: new projects, copies, rewritten files. */
const GIVEN: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    poetry: /^(?:new|init|build|export)$/,
    uv: /^(?:init|build|export|format|version)$/,
    hatch: /^(?:new|build|fmt)$/,
    pdm: /^(?:init|build|export)$/,
    rye: /^(?:init|build|fmt)$/,
    conda: /^(?:env|export)$/,
    mamba: /^(?:env|export)$/,
    pnpm: /^(?:deploy|patch|patch-commit)$/,
    cargo: /^(?:vendor|generate|clean|fix|fmt|package|update)$/,
    go: /^(?:mod|work|fmt|fix|generate)$/,
    deno: /^(?:fmt|lint|init|create|vendor|bundle)$/,
    bun: /^(?:create|init)$/,
    nix: /^(?:flake|profile|copy)$/,
    composer: /^(?:create-project|init|archive)$/,
    gem: /^(?:unpack|build|fetch)$/,
    zig: /^(?:fmt|init|fetch)$/,
    git: /^lfs$/,
  }),
);

/** Options whose value is a program in a language that the guard cannot read. */
const EVALUATES: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    ghc: /^-e$/,
    ghci: /^-e$/,
    scala: /^(?:-e|--execute-script\w*)$/,
    'scala-cli': /^(?:-e|--execute-script\w*)$/,
    clojure: /^(?:-e|--eval)$/,
    clj: /^(?:-e|--eval)$/,
    bb: /^(?:-e|--eval)$/,
    erl: /^-eval$/,
    swift: /^-e$/,
    racket: /^(?:-[a-z]*e|--eval)$/,
    sbcl: /^--eval$/,
    kotlin: /^-e$/,
    kotlinc: /^-e$/,
    raku: /^-e$/,
    ocaml: /^-e$/,
    gjs: /^(?:-c|--command)$/,
    qjs: /^(?:-e|--eval)$/,
    hy: /^-c$/,
    coffee: /^(?:-[a-z]*e|--eval)$/,
    nim: /^--eval(?::|$)/,
    puppet: /^(?:-e|--execute)$/,
    'chef-apply': /^(?:-e|--execute)$/,
    mix: /^(?:-e|--eval|eval)$/,
    iex: /^(?:-e|--eval)$/,
    rails: /^(?:r|runner)$/,
    octave: /^--eval$/,
    matlab: /^-(?:batch|r)$/,
    sage: /^-c$/,
    gnuplot: /^-e$/,
    dc: /^(?:-e|--expression)/,
    m4: /^--debugfile/,
    mongosh: /^--eval$/,
    mongo: /^--eval$/,
    swipl: /^-[gt]$/,
    gprolog: /^--(?:query|entry)-goal$/,
    luajit: /^-[eb]$/,
    fennel: /^(?:-e|--eval)$/,
    janet: /^-e$/,
    csi: /^-e/,
    gsi: /^-e/,
    clisp: /^-x$/,
    ecl: /^-?-eval$/,
    runghc: /^-e$/,
    stack: /^eval$/,
    'rust-script': /^(?:-e|-l|--expr|--loop)$/,
    micropython: /^-c$/,
    jython: /^-c$/,
    lldb: /^(?:-[oOsSkK]|--(?:one-line|source)\S*)$/,
    sbt: /\s/,
    lein: /^-e$/,
    jrunscript: /^-e$/,
    rhino: /^-e$/,
    d8: /^-e$/,
    maxima: /^--batch-string$/,
    'clickhouse-local': /^(?:-q|--query)$/,
    tclsh: /^-c$/,
  }),
);

/** Programs in a language that are harmless if they match, for commands that take any. */
const HARMLESS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({ dc: /^[^!]*$/, m4: /^(?![^]*(?:syscmd|include|paste|debugfile))/ }),
);

/** Records what the options and operands of a command show, in addition to other handlers. */
export function noteOptionEffects(call: Call): void {
  const { name, args, state, input, reader } = call;
  const written = WRITTEN.get(name);
  if (written !== undefined) for (const file of valuesOf(args, written)) reader.write(state, file);
  if (name === 'cargo')
    // The build output is next to the manifest.
    for (const file of valuesOf(args, /^--manifest-path$/))
      reader.write(state, withValue(file, file.value.replace(/[^/\\]*$/, 'target')));
  const verb = args.find((arg) => !/^[-+]/.test(arg.value))?.value ?? '';
  if (GIVEN.get(name)?.test(verb) === true) givePaths(call);
  const evaluates = EVALUATES.get(name);
  if (evaluates === undefined) return;
  const harmless = HARMLESS.get(name);
  const isFed =
    input !== undefined &&
    args.every((arg) => arg.value.startsWith('-')) &&
    input.some((text) => harmless === undefined || text.includes(ANY) || !harmless.test(text));
  if (isFed || args.some((arg) => evaluates.test(/^[^=]*/.exec(arg.value)?.[0] ?? '')))
    reader.undecidable(`A program is written into the command line of '${name}'.`);
}

/** Programs for which options of these names hold settings, not code. */
const SETTINGS =
  /^(?:ansible\S*|cypress|newman|act|docker|podman|nerdctl|helm|serverless|sls|playwright|vitest|jest|pytest|mocha|jq|xq|dasel|eslint|ssh|tsc)$/;
const CODE_OPTION = /^(?:-e|-E|-c|-eval|--eval|--evaluate|--execute|--expr|--expression|--code|--run-code|--command)$/;

/** Reports an unknown program or script that gets code in an option. */
export function noteCode(call: Call): void {
  if (SETTINGS.test(call.name)) return;
  // A value that looks like JSON or a setting is not code.
  for (const { value } of valuesOf(call.args, CODE_OPTION))
    if (/\(|["'`].*["'`]|;\s*\S/s.test(value) && !/^\s*[[{]|^\w+=/.test(value))
      call.reader.undecidable(`A program is written into the command line of '${call.name}'.`);
}

function valuesOf(args: readonly Field[], option: RegExp): Field[] {
  return args.flatMap((arg, index) => {
    const equals = arg.value.indexOf('=');
    if (equals !== -1 && option.test(arg.value.slice(0, equals))) return [withValue(arg, arg.value.slice(equals + 1))];
    return option.test(args[index - 1]?.value ?? '') ? [arg] : [];
  });
}
