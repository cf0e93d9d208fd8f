import type { Call, Handler } from '../call.ts';
import { field, ROOT } from '../marks.ts';
import { givePaths } from '../given-paths.ts';
import { otherProgram } from '../other-program.ts';

const ASKS = /^(?:-v|-V|--version|-h|--help|help|version)$/;
const isAnything = (words: readonly string[]): boolean => !words.some((word) => ASKS.test(word));
const verb =
  (verbs: RegExp) =>
  (words: readonly string[]): boolean =>
    words.some((word) => verbs.test(word));
/** `pre-commit --color always install`, but not `pre-commit run install`. */
const installs = (words: readonly string[]): boolean =>
  words.find((word) => !word.startsWith('-')) !== 'run' &&
  words.some((word) => /^(?:un)?install$|^init-template-?dir$/.test(word));

/** Programs that install hooks into the current repository, and the words with which they do it. */
const INSTALLERS: ReadonlyMap<string, (words: readonly string[]) => boolean> = new Map(
  Object.entries({
    'pre-commit': installs,
    pre_commit: installs,
    prek: installs,
    husky: isAnything,
    'husky-init': isAnything,
    'simple-git-hooks': isAnything,
    yorkie: isAnything,
    lefthook: verb(/^(?:un)?install$|^add$/),
    overcommit: verb(/^(?:-[a-z]*[iufs][a-z]*|--(?:un)?install|--force|--sign)$/),
    captainhook: verb(/^(?:un)?install$|^enable$/),
    cghooks: verb(/^(?:add|update|remove)$/),
    grumphp: verb(/^git:/),
    'git-lfs': verb(/^(?:install|uninstall|update)$/),
    'git-secrets': verb(/^--(?:install|register-\w+|add\S*)$/),
    'git-hooks': verb(/^(?:un)?install/),
    'git-annex': verb(/^(?:re|un)?init$/),
    dvc: (words) => words.find((word) => !word.startsWith('-')) === 'install',
    nbstripout: verb(/^--(?:un)?install$/),
    nbdime: verb(/^config-git$/),
    'nbdime-config-git': isAnything,
    'rusty-hook': verb(/^init$/),
    komondor: verb(/^(?:un)?install$/),
    hk: verb(/^(?:un)?install$|^init$/),
    cog: verb(/^install-hook/),
    mrm: verb(/^(?:husky|lint-staged)$/),
    gitmoji: verb(/^(?:-i|-r|--init|--remove)$/),
    aicommits: verb(/^hook$/),
    opencommit: verb(/^hook$/),
    oco: verb(/^hook$/),
    trunk: verb(/^(?:git-hooks|init|actions)$/),
    bd: verb(/^(?:hooks?|init)$/),
  }),
);

/** Records the repository's hooks as written if these words of a program install some. */
export function noteHooks(name: string, { args, state, reader }: Pick<Call, 'args' | 'state' | 'reader'>): void {
  const puts = INSTALLERS.get(name);
  if (puts?.(args.map((arg) => arg.value)) !== true) return;
  // The enclosing repository gets the hooks, whatever the current directory is.
  reader.write(state, field(`${ROOT}/.git/hooks`, [name, ...args.map((arg) => arg.written)].join(' ')));
}

function runInstaller(call: Call): undefined {
  noteHooks(call.name, call);
  otherProgram(call);
  givePaths(call);
}

/** Programs that start another one after words of their own, and the words with which they only fetch it. */
const LAUNCHERS = /^(?:go|dotnet|bun|deno|direnv|nvm|asdf|rtx|proto|pixi|devenv|bazel|bazelisk|rushx|moon|nx|turbo)$/;
const FETCHES =
  /^(?:add|install|i|get|mod|remove|rm|uninstall|update|upgrade|why|info|pm|list|ls|outdated|restore|test|which)$/;

/** Records the hooks of an installer that another program starts: `go run example.org/lefthook@latest install`. */
export function noteLaunched(call: Call): void {
  if (!LAUNCHERS.test(call.name)) return;
  for (const [index, arg] of call.args.entries()) {
    if (FETCHES.test(arg.value)) return;
    const base = /([\w-]+)(?:@[^/]*)?$/.exec(arg.value.replace(/^(?:npm|jsr):/, ''))?.[1] ?? '';
    if (INSTALLERS.has(base)) return noteHooks(base, { ...call, args: call.args.slice(index + 1) });
  }
}

/** Handlers for hook installers, by their command names. */
export const HOOK_HANDLERS: ReadonlyMap<string, Handler> = new Map(
  [...INSTALLERS.keys()].map((name): [string, Handler] => [name, runInstaller]),
);

/** The installer to which a script belongs: `node node_modules/husky/bin.js`. */
export function installerOf(script: string): string | undefined {
  const [, name] = /(?:^|\/)node_modules\/(?:@[\w.-]+\/)?([\w-]+)\//.exec(script) ?? [];
  return name !== undefined && INSTALLERS.has(name) ? name : undefined;
}
