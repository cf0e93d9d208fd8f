import { readCmd } from './cmd.ts';
import { Interpreter } from './interpreter.ts';
import { isKnownCommand } from './dispatch.ts';
import { MAX_COMMAND_LENGTH, TooLong } from './limits.ts';
import { ANY, field, HAS_MARK, SPLIT } from './marks.ts';
import { readPowerShell } from './powershell.ts';
import { Gathered } from './reading.ts';
import type { ShellContext, ShellReading } from './shell-reading.ts';
import { ShellState } from './state.ts';

const TOO_LONG = 'it is longer than 256 KiB';

export type { ShellContext, ShellPath, ShellReading } from './shell-reading.ts';

/**
 * Determines what a command line writes and reads, and what remains unknown, without running anything.
 *
 * Follows bash (and zsh where it differs): redirections, `cd`, variables, loops and functions with static values,
 * wrappers, substitutions, here-documents, and the commands that write (`writers.ts`, `tools/`). PowerShell and cmd
 * have their own tokenizers, used on request or if the line looks like theirs. A list of words is read as the words of
 * one command; if a word is a shell operator (`>`, `&&`), also as a line.
 *
 * Does not determine what a started program does (`npm test`, `./x.sh`), except for options that name an output.
 *
 * Pure, and never throws: text that cannot be parsed is reported in `undecidable`, and text above a limit in `cut`,
 * together with everything found before.
 */
export function readCommand(command: string | readonly string[], context: ShellContext): ShellReading {
  const gathered = new Gathered();
  try {
    const state = new ShellState([context.cwd === '.' ? '' : context.cwd]);
    state.isDirectory = context.isDirectory;
    state.isFile = context.isFile;
    state.realPath = context.realPath;
    state.temporary = context.temporary ?? state.temporary;
    if (typeof command === 'string') readText(command, state, context.dialect, gathered);
    else readWords(command, state, context.dialect, gathered);
  } catch (error) {
    if (error instanceof TooLong) gathered.cutShort(error.message);
    gathered.undecidable(`The command could not be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  return gathered.result();
}

function readText(text: string, state: ShellState, dialect: ShellContext['dialect'], gathered: Gathered): void {
  if (text.length > MAX_COMMAND_LENGTH) throw new TooLong(TOO_LONG);
  const clean = cleaned(text, gathered);
  const reader = new Interpreter(gathered);
  if (dialect === 'powershell') readPowerShell(clean, state, reader);
  else if (dialect === 'cmd') readCmd(clean, state, reader);
  if (dialect === 'powershell' || dialect === 'cmd') return reader.leave(state);
  if (looksLikePowerShell(clean)) readPowerShell(clean, state.copy(), new Interpreter(gathered), true);
  if (looksLikeCmd(clean)) readCmd(clean, state.copy(), new Interpreter(gathered));
  const start = state.cwds;
  reader.runText([clean], state, true);
  reader.leave(state);
  keepDefinitions(state, start, gathered);
}

/**
 * Functions and aliases outlive the line in a shell that keeps running. A name that is read as a command must not get
 * another meaning. Any other name is read as an unknown program later, so its body is read now, with unknown arguments,
 * from the directory in which the shell started.
 */
function keepDefinitions(state: ShellState, start: readonly string[], gathered: Gathered): void {
  for (const name of new Set([...state.functions.keys(), ...state.aliases.keys()])) {
    if (isKnownCommand(name)) gathered.undecidable(`'${name}' gets another meaning for later commands.`);
    const own = state.copy();
    own.cwds = start;
    const later = new Gathered();
    const reader = new Interpreter(later);
    const alias = state.aliases.get(name);
    if (alias !== undefined) reader.runText([alias], own, true);
    reader.runFunction(name, [field(ANY + SPLIT, '$@')], own);
    reader.leave(own);
    gathered.mayTouch(later.result(), name);
  }
}

function readWords(
  words: readonly string[],
  state: ShellState,
  dialect: ShellContext['dialect'],
  gathered: Gathered,
): void {
  if (words.reduce((sum, word) => sum + word.length, 0) > MAX_COMMAND_LENGTH) throw new TooLong(TOO_LONG);
  const [first = ''] = words;
  if (dialect === 'powershell' || dialect === 'cmd') return readText(words.join(' '), state, dialect, gathered);
  if (words.length === 1 || /\s/.test(first.trim())) {
    // A list of lines rather than of words.
    for (const line of words) readText(line, state, dialect, gathered);
    return;
  }
  const plain = words.map((word) => cleaned(word, gathered));
  if (plain.some((word) => /^(?:\d*(?:>>?|>\||&>>?|<>)|&&|\|\|?|;|&)$|^\d*>>?[^=\s]\S*$/.test(word)))
    readText(plain.join(' '), state.copy(), dialect, gathered);
  new Interpreter(gathered).runWords(
    plain.map((word) => field(word)),
    state,
    undefined,
  );
}

/** Removes characters that terminals and other systems insert. Two programs may read such a line differently. */
function cleaned(text: string, gathered: Gathered): string {
  let clean = text;
  if (HAS_MARK.test(clean)) {
    gathered.undecidable('The command holds characters of the private use area.');
    clean = clean.replace(/[\uE000-\uE00F]/g, '?');
  }
  clean = clean.replace(/\r\n?/g, '\n');
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(clean)) {
    gathered.undecidable('The command holds control characters.');
    clean = clean.replace(/\x1b\[[0-?]*[ -/]*[@-~]/g, '').replace(/[\0-\x08\x0b-\x1f\x7f]/g, '');
  }
  return clean;
}

function looksLikePowerShell(text: string): boolean {
  return /\b(?:set|add|clear|out|new|remove|copy|move|rename|get|export|expand|compress|invoke|start|import|select|write|tee)-(?:content|file|item\w*|expression|object|csv|clixml|archive|webrequest|restmethod|command|process|childitem|location|host|output|transcript|bitstransfer)\b|\$env:\w|\[(?:system\.)?io\.\w+\]::/i.test(
    text,
  );
}

function looksLikeCmd(text: string): boolean {
  return /(?:^|[&|(\n][^\S\n]*)@?(?:copy|xcopy|robocopy|move|del|erase|rd|ren|mklink|md)\s|%(?:userprofile|appdata|windir|temp|systemroot|homepath)%/i.test(
    text,
  );
}
