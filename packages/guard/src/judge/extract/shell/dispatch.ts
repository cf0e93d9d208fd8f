import { BUILTINS } from './builtins.ts';
import { type Call, either, type Input, plainResult, type Reader, type Result } from './call.ts';
import { runCmdText, runPowerShellText } from './other-shells.ts';
import { ARCHIVE_HANDLERS } from './tools/archives.ts';
import { CLOUD_HANDLERS } from './tools/cloud.ts';
import { CONTAINER_HANDLERS } from './tools/containers.ts';
import { DATABASE_HANDLERS } from './tools/databases.ts';
import { EDITOR_HANDLERS } from './tools/editors.ts';
import { noteAgents } from './tools/agent-settings.ts';
import { EXTRACTOR_HANDLERS } from './tools/extractors.ts';
import { FILE_HANDLERS } from './tools/files.ts';
import { FIND_HANDLERS } from './tools/find.ts';
import { GIT_HANDLERS } from './tools/git.ts';
import { HOOK_HANDLERS, noteLaunched } from './tools/hook-installers.ts';
import { INLINE_HANDLERS } from './tools/interpreters.ts';
import { PATCH_HANDLERS } from './tools/apply-patch.ts';
import { listedNames } from './tools/names.ts';
import { NETWORK_HANDLERS } from './tools/network.ts';
import { PACKAGE_HANDLERS } from './tools/packages.ts';
import { KNOWN_OUTPUT } from './known-output.ts';
import { ANY, changeDirectory, type Field, field, GLOB, withoutGlobMarks } from './marks.ts';
import { PIPE_FILE } from './evaluate-word.ts';
import type { Handler } from './call.ts';
import { SHELLS } from './shells.ts';
import { type ShellState, whileFed } from './state.ts';
import { noteCode, noteOptionEffects } from './tools/option-effects.ts';
import { WRAPPERS } from './wrappers.ts';
import { applyWriter } from './apply-writer.ts';
import { forgetMade } from './placed-files.ts';
import { isReader, readsOf } from './reading-commands.ts';
import { WRITERS } from './writer-table.ts';
import { hiddenCommand } from './hidden-command.ts';
import { giveDirectory, giveOptionValues, givePaths, onlyReads } from './given-paths.ts';
import { otherProgram } from './other-program.ts';

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...KNOWN_OUTPUT,
  ...WRAPPERS,
  ...BUILTINS,
  ...SHELLS,
  ...FILE_HANDLERS,
  ...ARCHIVE_HANDLERS,
  ...FIND_HANDLERS,
  ...GIT_HANDLERS,
  ...EDITOR_HANDLERS,
  ...INLINE_HANDLERS,
  ...NETWORK_HANDLERS,
  ...CLOUD_HANDLERS,
  ...PACKAGE_HANDLERS,
  ...DATABASE_HANDLERS,
  ...CONTAINER_HANDLERS,
  ...PATCH_HANDLERS,
  ...HOOK_HANDLERS,
  ...EXTRACTOR_HANDLERS,
  ['pwsh', runPowerShellText],
  ['powershell', runPowerShellText],
  ['cmd', runCmdText],
]);

/**
 * Handled commands whose options may name files of this machine. Those of the others belong to an inner command, name
 * paths in a container, or are all known to their handler.
 */
const TAKES_PATHS: ReadonlySet<string> = new Set(
  [
    FILE_HANDLERS,
    ARCHIVE_HANDLERS,
    EDITOR_HANDLERS,
    INLINE_HANDLERS,
    NETWORK_HANDLERS,
    CLOUD_HANDLERS,
    PACKAGE_HANDLERS,
    DATABASE_HANDLERS,
    HOOK_HANDLERS,
    EXTRACTOR_HANDLERS,
  ].flatMap((handlers) => [...handlers.keys()]),
);

/** Commands with a handler that also run other commands. */
const RUNS_OTHERS: ReadonlySet<string> = new Set(
  'cmake mise asdf nix rustup volta fnm nvm man yarn npm pnpm composer gdb lldb'.split(' '),
);

/** Names with a version: `python3.12`, `gcc-13`, `pip3`. */
const VERSIONED = /^(python|pypy|pip|gcc|g\+\+|clang|clang\+\+|node|ruby|perl|php|lua)-?\d[\d.]*$/;

/** Names of GNU tools where the system has its own: `grm`, `gsed`. */
const GNU =
  /^g(rm|rmdir|mv|cp|ln|dd|tee|touch|mkdir|mkfifo|mknod|chmod|chown|chgrp|chcon|truncate|shred|split|csplit|install|link|unlink|sort|shuf|uniq|base64|mktemp|env|nice|nohup|timeout|stdbuf|chroot|sed|awk|tar|find|xargs|make|patch|cpio|ar|ranlib|strip|objcopy|cat|echo|printf|pwd|basename|dirname|readlink|realpath|date|seq|head|tail|cut|paste|wc|od|nl|tac|tr|fold|fmt|expand|unexpand|join|comm|stat|ls|du|df|test|time|grep|egrep|fgrep|diff|cmp|ed|as|ld)$/;

/**
 * Reads one command with expanded words: for the shell (`isInShell`) functions and aliases first, then known commands,
 * then any other program, of which only the options that name an output are read.
 */
export function dispatch(
  words: readonly Field[],
  state: ShellState,
  input: Input,
  reader: Reader,
  isInShell: boolean,
): Result {
  return whileFed(state, input, () =>
    isInShell ? runInShell(words, state, input, reader) : run(words, state, input, reader),
  );
}

/** Shells expand an alias where they read the line, and only some of them do, so the command may also mean its own name. */
function runInShell(words: readonly Field[], state: ShellState, input: Input, reader: Reader): Result {
  const text = withoutGlobMarks(words[0]?.value ?? '');
  const alias = state.aliases.get(text);
  if (alias === undefined) return runFunction(text, words, state, input, reader);
  const own = state.copy();
  own.aliases.delete(text);
  const output = reader.runText([withArguments(alias, words.slice(1), state)], own, true);
  own.aliases.set(text, alias);
  return either(runFunction(text, words, state, input, reader), plainResult(own, output));
}

/** An alias with the other words of its command. After a final blank, the next word may be an alias as well. */
function withArguments(alias: string, args: readonly Field[], { aliases }: ShellState): string {
  const texts = [alias];
  while (/\s$/.test(texts.at(-1) ?? '')) {
    const next = aliases.get(args[texts.length - 1]?.value ?? '');
    if (next === undefined) break;
    texts.push(next);
  }
  return [...texts, ...args.slice(texts.length - 1).map((arg) => quote(arg.value))].join(' ');
}

function runFunction(name: string, words: readonly Field[], state: ShellState, input: Input, reader: Reader): Result {
  const mayBeNone = state.functions.get(name)?.includes(undefined) !== false;
  const before = mayBeNone && state.functions.has(name) ? state.copy() : state;
  const called = reader.runFunction(name, words.slice(1), state);
  if (called === undefined) return run(words, before, input, reader);
  return mayBeNone ? either(called, run(words, before, input, reader)) : called;
}

function run(words: readonly Field[], state: ShellState, input: Input, reader: Reader): Result {
  const [command, ...args] = words;
  if (command === undefined || command.value === '') return plainResult(state, ['']);
  const text = withoutGlobMarks(command.value);
  if (command.value.includes(GLOB)) reader.undecidable(`It is not known which command '${text}' is.`);
  if (text.startsWith(PIPE_FILE)) reader.undecidable('A command is run that another one made.');
  const base = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  if (base === '' || base.includes(ANY)) {
    reader.undecidable('The command that runs is not known.');
    return plainResult(state, [ANY]);
  }
  // `time -o file command`: a keyword in bash, a program elsewhere.
  if (text.startsWith('-')) return reader.runWords([field('time'), ...words], state, input);
  const own = ownScript(text, command, args, state, reader);
  if (own !== undefined) return own;
  // `npx rimraf@5 dist`, `uvx pre-commit==3.5 install`
  const lower = base
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|ps1|com)$/, '')
    .replace(/(?<=\w)(?:@|[=~<>!]=)[\w.^~<>=*+-]*$/, '');
  const name = VERSIONED.exec(lower)?.[1] ?? GNU.exec(lower)?.[1] ?? (lower.startsWith('mkfs.') ? 'mkfs' : lower);
  // Copies, because several commands may share a word, and what is known about it belongs to one of them.
  const copies = args.map((arg) => ({ ...arg }));
  return runKnown({ name, command, args: copies, state, input, reader });
}

function runKnown(call: Call): Result {
  const { name, state } = call;
  const handler = HANDLERS.get(name);
  if (/^(?:rm|rmdir|mv|chmod|rimraf|rename|shred|trash)$/.test(name)) {
    state.hasRemoved = true;
    forgetMade(call);
  }
  noteOptionEffects(call);
  noteLaunched(call);
  noteAgents(call);
  // A later reader of the pipe gets whatever is written then.
  if (name === 'mkfifo' || name === 'mknod') call.reader.undecidable('The later input of a named pipe is not known.');
  if (RUNS_OTHERS.has(name)) hiddenCommand(call, isKnown);
  if (handler !== undefined) {
    const result =
      BUILTINS.has(name) && withoutGlobMarks(call.command.value) !== name ? asProgram(handler, call) : handler(call);
    if (TAKES_PATHS.has(name)) giveOptionValues(call);
    if (result === undefined) return plainResult(state, [ANY]);
    return 'output' in result ? result : plainResult(state, result);
  }
  const writer = WRITERS.get(name);
  if (writer !== undefined) {
    applyWriter(call, writer);
    giveOptionValues(call);
  } else if (!readsOf(call)) {
    otherProgram(call);
    noteCode(call);
    hiddenCommand(call, isKnown);
    givePaths(call);
    giveDirectory(call);
  }
  return plainResult(state, listedNames(call) ?? [ANY]);
}

/** A shell does not take `/bin/cd`, `CD` and `exit.exe` for builtins: such a program changes nothing in the shell, or is missing. */
function asProgram(handler: Handler, call: Call): Result {
  const state = call.state.copy();
  const result = handler({ ...call, state });
  if (result === undefined || !('output' in result)) {
    state.join(call.state);
    return plainResult(state, result ?? [ANY]);
  }
  for (const end of [result.success, result.failure]) end?.join(call.state);
  return { success: result.success ?? call.state, failure: result.failure ?? call.state, output: result.output };
}

function isKnown(name: string): boolean {
  return HANDLERS.has(name) || WRITERS.has(name);
}

/** Whether the reader handles a command of this name; any other is an unknown program. */
export function isKnownCommand(name: string): boolean {
  const lower = name.toLowerCase();
  return isKnown(lower) || isReader(lower) || onlyReads(lower);
}

/** Reads a script, instead of treating it as unknown, if this command line wrote its content. */
function ownScript(
  text: string,
  command: Field,
  args: readonly Field[],
  state: ShellState,
  reader: Reader,
): Result | undefined {
  if (!text.includes('/') || state.contents.size === 0) return undefined;
  for (const cwd of state.cwds) {
    const content = state.contents.get(changeDirectory(cwd, text));
    if (content === undefined || /^#!.*(?:python|node|perl|ruby|php)/.test(content)) continue;
    const own = state.copy();
    own.parameters = args;
    own.zeroth = command;
    return plainResult(state, reader.runText([content], own));
  }
  return undefined;
}

function quote(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}
