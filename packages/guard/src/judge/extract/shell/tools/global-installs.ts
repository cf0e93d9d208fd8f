import type { Call, Handler } from '../call.ts';
import { giveDirectory, givePaths } from '../given-paths.ts';
import { parseOptions } from '../options.ts';
import { otherProgram } from '../other-program.ts';

/** Subcommands that install for every project, unless an option names a directory. */
const GLOBAL: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    mix: /^(?:archive|escript|local)\./,
    cabal: /^install$/,
    stack: /^(?:install|setup|upgrade)$/,
    opam: /^(?:install|init|switch|remove|upgrade|update|pin)$/,
    dart: /^global$/,
    cpan: /^[A-Za-z]/,
    cpanm: /^[A-Za-z]/,
    luarocks: /^(?:install|remove|make|build)$/,
    nimble: /^(?:install|uninstall)$/,
    zef: /^(?:install|uninstall|upgrade)$/,
    ghcup: /^(?:install|set|rm|upgrade)$/,
    juliaup: /^(?:add|default|remove|update)$/,
    pyenv: /^(?:install|uninstall|global|rehash)$/,
    rbenv: /^(?:install|uninstall|global|rehash)$/,
    nodenv: /^(?:install|uninstall|global|rehash)$/,
    tfenv: /^(?:install|use|uninstall)$/,
    dotnet: /^workload$/,
    elan: /^(?:toolchain|default|self|override)$/,
  }),
);

/** Files of the project in which a command pins a version. */
export const PINNED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'volta pin': ['package.json'],
    'asdf local': ['.tool-versions'],
    'mise use': ['mise.toml'],
    'mise u': ['mise.toml'],
    'mise set': ['mise.toml'],
    'mise unset': ['mise.toml'],
    'mise unuse': ['mise.toml'],
    'mise config': ['mise.toml'],
    'mise tasks': ['mise.toml'],
    'mise generate': ['mise.toml'],
  }),
);

function globalInstall({ args, state, reader, name }: Call): undefined {
  const { operands, values } = parseOptions(args, { values: '-i --install-dir -n --bindir -v --version' });
  for (const file of values('-i', '--install-dir', '-n', '--bindir')) reader.write(state, file);
  if (
    /^(?:install|i|uninstall|update|cleanup|push|signin)$/.test(operands[0]?.value ?? '') &&
    values('-i', '--install-dir').length === 0
  )
    reader.undecidable(`'${name}' installs for every project.`);
}

function installsGlobally(call: Call): undefined {
  const { name, args, reader } = call;
  const words = args.map((arg) => arg.value);
  const isOwn = words.some((word) =>
    /^(?:-l|-L|--local|--local-lib\S*|--tree\S*|--installdir\S*|--prefix\S*)$/.test(word),
  );
  const installs = GLOBAL.get(name);
  const isTool = name === 'dotnet' && words[0] === 'tool' && words.some((word) => /^(?:-g|--global)$/.test(word));
  if (
    isTool ||
    (!isOwn &&
      words
        .filter((word) => !word.startsWith('-'))
        .slice(0, 2)
        .some((word) => installs?.test(word) === true))
  )
    reader.undecidable(`'${name}' installs for every project.`);
  otherProgram(call);
  givePaths(call);
  giveDirectory(call);
}

/** Package managers that install for every project and have no handler of their own. */
export const GLOBAL_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['gem', globalInstall],
  ...[...GLOBAL.keys()].map((name): [string, Handler] => [name, installsGlobally]),
]);
