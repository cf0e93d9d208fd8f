import { meaningOf } from './extract/argument-keys.ts';
import { wordSet, wordsOf } from './words.ts';

/** Program names that are not ordinary words: a tool whose name begins with one is that program. */
const PROGRAMS =
  wordSet(`git npm pnpm yarn npx pnpx bunx bun deno pip pip3 pipx uv uvx poetry pdm cargo rustc docker podman
  kubectl helm terraform tofu aws gcloud az gsutil gh composer gem brew apt apk dnf yum pacman rsync scp sftp ssh curl
  wget tar unzip zip gzip 7z sed awk xargs ffmpeg conda mamba systemctl crontab rg fd gradle mvn dotnet nix rm mv cp ln
  mkdir rmdir chmod chown dd tee truncate rimraf sqlite3 psql mysql pandoc openssl gpg cmake ninja gcc clang tsc eslint
  prettier biome vim ed husky lefthook`);
/** Program names that are ordinary words too: a tool is that program only if the word is its whole name. */
const WORDS = wordSet(
  'make go find sort install convert magick split touch bundle patchelf sudo env time watch tmux tree',
);
const RUNNING = wordSet('run exec execute command cmd cli tool call invoke raw');
/** Arguments that hold the words of a command line. */
const WORD_KEYS =
  /(?:^(?:input|line|words|rest|value|tokens|parts|text|raw|query|verb|action|operation|op|run|exec)|args?|arguments?|argv|params|parameters|command|commandline|cmd|subcmd|options?|opts?|flags?|switches|list|string)$/;
/** The arguments that hold the subcommand. */
const VERB_KEYS = /^(?:subcommand|subcmd|command|cmd|verb|action|operation|op)$/;
/** Arguments for people or for the client, which are not part of a command. */
const PROSE_KEYS =
  /^(?:description|explanation|reason|justification|title|summary|notes?|comment|message|commitmessage|prompt|id|name|session|sessionid|timeout|cwd|workdir|workingdirectory|dir|directory|path|repopath|url|content|body|data)$/;
/** Programs that run a package, and the arguments that name it. */
const RUNNERS = wordSet('npx pnpx bunx uvx pipx');
const PACKAGE_KEYS = /^(?:package|packagename|pkg|bin|binary|tool|module|program|executable|from)$/;
const MAX_WORDS = 2_000;

/**
 * The program a tool is named for, and the words of its name that follow: `npm`, `run_git`, `git_clone`,
 * `mcp__npm__run`.
 *
 * @param local the words of its name
 * @param all the words of its name and of the namespaces before it
 */
export function programOf(local: readonly string[], all: readonly string[]): readonly string[] | undefined {
  const isRunning = (word: string): boolean => RUNNING.has(word);
  const from = local.findIndex((word) => !isRunning(word));
  const bare = from === -1 ? [] : local.slice(from, local.findLastIndex((word) => !isRunning(word)) + 1);
  const [first] = bare;
  if (first === undefined) {
    const before = all.at(-local.length - 1);
    return before !== undefined && (PROGRAMS.has(before) || WORDS.has(before)) ? [before] : undefined;
  }
  if (PROGRAMS.has(first)) return bare.length <= 3 ? bare : undefined;
  return WORDS.has(first) && bare.length === 1 ? bare : undefined;
}

/** The command lines that the arguments of a tool named for a program may represent, each as words or as a text. */
export function programLines(program: readonly string[], args: unknown): readonly (string | readonly string[])[] {
  const prefix = program.join(' ');
  if (typeof args === 'string') return [`${prefix} ${args}`];
  if (Array.isArray(args)) return [[...program, ...plainWords(args)]];
  if (typeof args !== 'object' || args === null) return [];
  const lines: (string | readonly string[])[] = [];
  const verbs: string[] = [];
  const rest: string[] = [];
  for (const [key, value] of Object.entries(args)) {
    const plain = wordsOf(key).join('');
    const isPackage = typeof value === 'string' && PACKAGE_KEYS.test(plain) && RUNNERS.has(program[0] ?? '');
    const words = isPackage ? [value] : wordsUnder(plain, key, value);
    if (words === undefined) continue;
    (isPackage || VERB_KEYS.test(plain) ? verbs : rest).push(...words);
    if (typeof value === 'string' && WORD_KEYS.test(plain)) lines.push(withProgram(prefix, value));
    else lines.push([...program, ...words]);
  }
  if (verbs.length + rest.length > MAX_WORDS) return [`${prefix} "`];
  const [first] = verbs;
  const own = first === program[0] ? verbs.slice(1) : verbs;
  if (verbs.length > 0 && rest.length > 0) lines.push([...program, ...own, ...rest]);
  return lines;
}

/** Adds the program's name unless the command line begins with it. */
function withProgram(prefix: string, text: string): string {
  return text.trim().startsWith(`${prefix} `) ? text : `${prefix} ${text}`;
}

/** The words that an argument represents; undefined if it is not part of a command line. */
function wordsUnder(plain: string, key: string, value: unknown): readonly string[] | undefined {
  const isWords = WORD_KEYS.test(plain);
  if (!isWords && (PROSE_KEYS.test(plain) || !/^(?:other|loose|aim|goal|command|commands)$/.test(meaningOf(key))))
    return undefined;
  if (Array.isArray(value)) return isWords || value.some(isWordLike) ? plainWords(value) : undefined;
  if (typeof value === 'object' && value !== null) return optionsOf(value as Record<string, unknown>);
  if (typeof value !== 'string' || value === '') return undefined;
  return isWords || isWordLike(value) ? split(value) : undefined;
}

/** Whether a value is an option, or text that contains an option or a path outside. */
function isWordLike(value: unknown): boolean {
  return typeof value === 'string' && /(?:^|\s)-{1,2}\w|(?:^|\s)(?:\.\.|[~/])/.test(value) && value.length < 4_000;
}

/** `{"prefix": "../x", "force": true}` represents `--prefix ../x --force`. */
function optionsOf(value: Record<string, unknown>): readonly string[] {
  return Object.entries(value).flatMap(([key, item]) => {
    const option = key.startsWith('-') ? key : `${key.length === 1 ? '-' : '--'}${key.replaceAll('_', '-')}`;
    const items = Array.isArray(item) ? plainWords(item) : [item];
    if (item === false || item === null) return [];
    return item === true ? [option] : items.flatMap((one) => [option, String(one)]);
  });
}

function plainWords(value: readonly unknown[]): readonly string[] {
  return value.filter((item) => typeof item === 'string' || typeof item === 'number').map(String);
}

/** Splits a text into words as a shell would, with operators as ordinary words. */
function split(text: string): readonly string[] {
  const words = text.match(/(?:[^\s"']|"(?:[^"\\]|\\.)*"|'[^']*'|["'])+/g) ?? [];
  return words.map((word) => word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double, single) => double ?? single));
}
