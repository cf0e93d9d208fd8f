import type { ObservedCall } from '../../decision.ts';
import { readJson } from '../read-arguments.ts';
import { Stop } from '../stop.ts';
import { type EditorOperation, editorOperation } from '../tool-kind.ts';
import { plainText, wordsOf } from '../words.ts';
import { isHint, type KeyMeaning, meaningOf } from './argument-keys.ts';
import { ARGUMENT_KEYS, handedOn, NAME_KEYS } from './dispatchers.ts';

/** A string that may be a path. */
export interface Candidate {
  readonly written: string;
  /** `path`: its argument holds paths. `loose`: its argument usually does. `guess`: it only looks like a path. */
  readonly weight: 'path' | 'loose' | 'guess';
  readonly role: 'plain' | 'base' | 'output';
}

/** Everything in a call's arguments that a judge checks, collected in one pass. */
export interface Findings {
  readonly candidates: readonly Candidate[];
  /** Values of arguments that hold patches or may hold them. */
  readonly patches: readonly string[];
  /** Values of arguments that hold command lines: one each, or a list of words. */
  readonly commands: readonly (string | readonly string[])[];
  /** Other calls inside the arguments. */
  readonly calls: readonly ObservedCall[];
  /** Candidates whose argument says that the tool writes there, and how certainly. */
  readonly outputs: ReadonlyMap<string, 'certain' | 'likely'>;
  /** The arguments contain text to write to a file. */
  readonly hasBody: boolean;
  /** The arguments contain text that may be file content. */
  readonly hasText: boolean;
  /** Values next to file names: contents for most tools, new names for one that renames. */
  readonly mapped: readonly string[];
  /** Words such as `create`, `view` and `delete` under keys such as `command` and `op`. */
  readonly operations: ReadonlySet<EditorOperation>;
  /** Long texts in arguments that do not hold paths: input of tools for code or patches. */
  readonly texts: readonly string[];
  /** Why the arguments may write something that no path in them names. */
  readonly undecidable: string | undefined;
  /** A path that is not a string (`{"path": 7}`): clients convert it differently. */
  readonly odd: string | undefined;
}

/** A call names few paths. More than this cannot be judged in acceptable time. */
const MAX_CANDIDATES = 4_000;
const OPERATION_KEYS = /^(?:command|cmd|op|operation|action|type|kind|method|mode|openmode|accessmode|access)$/i;
/** Options that make a reading tool write. */
const WRITING_SWITCH = /^(?:write|overwrite|append|create|save|truncate|inplace|fix|autofix|createifmissing|delete)$/;
/** Text or bytes next to a path: content for a tool that opens or gets, a search text for a tool that searches. */
const LOADED_TEXT = /^(?:data|text|filedata|textdata|bytes|base64|blob|buffer|binary)$/;
/** A value that is an option: a program that receives it unquoted writes to that place. */
const OUTPUT_OPTION =
  /^\s*(?:--(?:output|out|outfile|out-?file|output-?(?:file|dir|directory|path|document)|dest|destination|export|save|save-to|log-?file|target-directory|git-dir|work-tree|separate-git-dir|directory-prefix)(?:=|\s+)|-[oO]\s*(?=[/~.\\]|[A-Za-z]:))(.+)$/s;
/** An option that names a program. */
const PROGRAM_OPTION =
  /^\s*--(?:upload-pack|receive-pack|exec|exec-batch|exec-path|pre|config|config-env|open-files-in-pager|ext-diff|extcmd|use-compress-program|to-command|checkpoint-action|rsh|hostname-bin|search-zip-bin|template|pager|editor)(?:=|\s+)\S/;
const QUERY_KEYS =
  /^(?:sql|query|queries|statement|statements|sqlquery|querytext|querystring|rawsql|sqltext|sqlstatement)$/;
/** A SQL statement, and the parts of one that write a file or run a program. */
const STATEMENT =
  /^(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:copy|select|with|delete|update|alter|drop|use|if|declare|merge|replace|truncate|vacuum|attach|export|install|load|unload|backup|explain|create|do|exec|execute|call|pragma|insert|begin|set)\b/i;
const FILE_STATEMENT =
  /\bcopy\b[^;]{0,4000}\bto\s+(?!stdout)(?:'|"|\$|program\b)|\bcopy\b[^;]{0,4000}\bfrom\s+program\b|\binto\s+(?:outfile|dumpfile)\b|\bvacuum\b[^;]{0,4000}\binto\b|\battach\s+(?:database\b|['"])|\b(?:writefile|load_extension|lo_export|pg_file_write|xp_cmdshell|sys_exec|sys_eval)\b|\bexport\s+database\b|\bbackup\s+(?:database|log)\b|\binstall\s+['"]|\bunload\b[^;]{0,4000}\bto\b/i;
/** Keys of a link's target, in an object that also has a word for links. */
const LINK_KEY = /^(?:link|symlink|hardlink|softlink|symboliclink|linkto|linktarget|symlinktarget|linksto|pointsto)$/;
const LINK_TARGET = /^(?:content|contents|data|text|value|body|target|to|link|source|src|filetext|existing)$/;
/** Keys of an object under `files` that are not file names. */
const SCHEMA_KEY = /^[a-z_]+$/i;

interface Found {
  readonly candidates: Map<string, Candidate>;
  readonly patches: string[];
  readonly commands: (string | readonly string[])[];
  readonly calls: ObservedCall[];
  readonly texts: string[];
  readonly mapped: string[];
  readonly outputs: Map<string, 'certain' | 'likely'>;
  hasBody: boolean;
  hasText: boolean;
  readonly operations: Set<EditorOperation>;
  odd: string | undefined;
  undecidable: string | undefined;
  readonly hints: ReadonlySet<string>;
}

interface Spot {
  readonly meaning: KeyMeaning;
  /** The value is below a key that holds paths, but not directly. */
  readonly inherited: boolean;
  /** The key names several files: an object below it has file names as keys. */
  readonly isPlural?: boolean;
}

/**
 * Walks a call's arguments once and sorts the values: at any depth, in keys, lists, and in text that is JSON itself.
 *
 * @throws Stop `ambiguous-arguments` or `too-large` for JSON inside the arguments, `too-large` for too many paths
 */
export function collectPaths(args: unknown, hints: ReadonlySet<string> = new Set()): Findings {
  const found: Found = {
    candidates: new Map(),
    patches: [],
    commands: [],
    calls: [],
    texts: [],
    mapped: [],
    outputs: new Map(),
    hasBody: false,
    hasText: false,
    operations: new Set(),
    odd: undefined,
    undecidable: undefined,
    hints,
  };
  visit(found, args, { meaning: 'other', inherited: false });
  return { ...found, candidates: [...found.candidates.values()] };
}

function visit(found: Found, value: unknown, spot: Spot): void {
  if (typeof value === 'string') visitText(found, value, spot);
  else if (Array.isArray(value)) visitList(found, value, spot);
  else if (typeof value === 'object' && value !== null) visitObject(found, value as Record<string, unknown>, spot);
  else if ((typeof value === 'number' || value === true) && spot.meaning === 'path') found.odd ??= String(value);
}

function visitList(found: Found, value: readonly unknown[], spot: Spot): void {
  if ((spot.meaning === 'command' || spot.meaning === 'commands') && value.length > 0) {
    found.commands.push(...commandsIn(value, spot.meaning === 'commands'));
    if (value.every((item) => typeof item === 'string')) return;
  }
  for (const item of value) visit(found, item, spot);
}

/** `{"type": "symlink"}`, `{"symlink": true}` */
function makesLink(key: string, value: unknown): boolean {
  if (value === true) return /^(?:is|create|as)?(?:sym|hard|soft)?link$/.test(key);
  return (
    typeof value === 'string' &&
    /^(?:type|kind|mode|filetype|nodetype|entrytype|action|op|operation|command|method|linktype)$/.test(key) &&
    /^(?:create|make|add)?(?:(?:sym|hard|soft)(?:bolic)?)?(?:link|lnk|junction|reparsepoint|120000)$/.test(
      wordsOf(value).join(''),
    )
  );
}

/** `["bash","-lc","x"]` is one command of three words; `["npm ci", "npm test"]` may be two. Both readings count. */
function commandsIn(value: readonly unknown[], areSeveral: boolean): (string | readonly string[])[] {
  const words = value.filter((item) => typeof item === 'string');
  const [first = ''] = words;
  return areSeveral || /\s/.test(first.trim()) ? [words, ...words] : [words];
}

function visitObject(found: Found, value: Record<string, unknown>, spot: Spot): void {
  const keys = Object.keys(value);
  const inner = callsIn(value, keys);
  found.calls.push(...inner.calls);
  addSplitCommand(found, value);
  const isLink = keys.some((key) => makesLink(wordsOf(key).join(''), value[key]));
  for (const key of keys) {
    const item = value[key];
    if (inner.argumentKeys.includes(key)) continue;
    const known = meaningOf(key);
    // Names from the configuration add to the known meaning of a key.
    const isHinted = isHint(key, known, found.hints);
    const meaning = isHinted && known === 'other' ? 'path' : known;
    if (typeof item === 'string' && item.length < 40 && OPERATION_KEYS.test(key)) {
      const operation = editorOperation(item);
      if (operation !== undefined) found.operations.add(operation);
    } else if (
      typeof item === 'string' &&
      /^flags?$/i.test(key) &&
      /^(?:a[bt+]*|w[bt]*\+[bt]*|r[bt]*\+[bt]*)$/.test(item)
    )
      found.operations.add('write');
    for (const text of Array.isArray(item) ? item : [item])
      if (typeof text === 'string') visitOption(found, text, meaning, wordsOf(key).join(''));
    if (isHinted) visitHinted(found, item, known);
    if (isLink && typeof item === 'string' && !item.includes('\n') && LINK_TARGET.test(wordsOf(key).join('')))
      addCandidate(found, item, 'path', 'plain');
    else if (typeof item === 'string' && LINK_KEY.test(wordsOf(key).join('')) && /^\s*(?:[/~\\]|\.\.)/.test(item))
      addCandidate(found, item, 'guess', 'plain');
    if (item === true && WRITING_SWITCH.test(wordsOf(key).join(''))) found.operations.add('write');
    if (typeof item === 'string' && item !== '' && LOADED_TEXT.test(wordsOf(key).join(''))) found.hasText = true;
    const isNamed = spot.isPlural === true && !(SCHEMA_KEY.test(key) && typeof item !== 'string');
    const isPathLike =
      /[\\/]|^~|^\.\.?$|%2f|%5c|^file:/i.test(key) || /[\u2024\u2044\u2215\uff0e\uff0f\uff3c]/.test(key);
    if (isPathLike || (isNamed && meaning === 'other' && key !== 'value')) {
      addCandidate(found, key, isNamed ? 'path' : 'guess', 'plain');
      if (typeof item === 'string' && meaning === 'other') {
        found.hasBody = true;
        if (item.length <= 4_096 && !item.includes('\n')) {
          if (isNamed) found.mapped.push(item);
          else addCandidate(found, item, 'guess', 'plain');
        }
        continue;
      }
    }
    const isPlural = meaning === 'path' && /(?:s|list|map)$/i.test(key);
    const keeps = meaning === 'other' && keepsMeaning(spot.meaning);
    visit(found, item, keeps ? { meaning: spot.meaning, inherited: true } : { meaning, inherited: false, isPlural });
  }
}

/** Adds the texts of an argument that the configuration names as holding paths, beside its own meaning. */
function visitHinted(found: Found, value: unknown, known: KeyMeaning): void {
  const meaning = known === 'other' ? known : 'path';
  for (const text of Array.isArray(value) ? (value as readonly unknown[]) : [value])
    if (typeof text === 'string' && !isJsonText(text)) visitPath(found, text, { meaning, inherited: true });
}

const PROGRAM_KEYS = /^(?:command|cmd|program|executable|binary|bin|exe|file|tool|process)$/;
const WORD_KEYS = /^(?:args|arguments|argv|parameters|params|arg)$/;
const SHELL_LANGUAGE = /^(?:shell|sh|bash|zsh|shellscript|powershell|pwsh|console|terminal)$/;
/** Git commands that write to a path in their arguments. A tool that is git itself gets them without `git`. */
const GIT_COMMAND =
  /^\s*(?:-C\s|-c\s|--(?:git-dir|work-tree|exec-path)\b|(?:clone|init|worktree|archive|bundle|format-patch|submodule|diff|log|show|apply|am|grep(?=.*\s-(?:O|-o))|bisect|rebase|config|fetch|pull|push|ls-remote|difftool|mergetool|checkout-index)(?:\s|$))/;

/** Adds a command split over arguments, `{"command": "rm", "args": ["-rf", "x"]}`, and a script next to its shell. */
function addSplitCommand(found: Found, value: Record<string, unknown>): void {
  const entries = Object.entries(value).map(([key, item]) => [wordsOf(key).join(''), item] as const);
  const texts = (pattern: RegExp): readonly string[] =>
    entries.flatMap(([key, item]) => (typeof item === 'string' && pattern.test(key) ? [item] : []));
  if (
    texts(/^(?:language|lang|interpreter|shell|runtime|scripttype|dialect)$/).some((text) => SHELL_LANGUAGE.test(text))
  )
    found.commands.push(...texts(/^(?:script|code|source|text|content|snippet|body|input)$/));
  else if (
    texts(/^(?:language|lang|scripttype)$/).some((text) =>
      /^(?:applescript|jxa|python3?|javascript|vbscript)$/i.test(text),
    ) &&
    texts(/^script$/).length > 0
  )
    found.undecidable ??= 'It is not known what a program given as text writes';
  for (const item of handedOn(entries))
    if (Array.isArray(item)) found.commands.push(...commandsIn(item, true));
    else if (typeof item === 'string' && !isJsonText(item)) found.commands.push(item);
  const lists = entries.filter(([key]) => WORD_KEYS.test(key)).map(([, item]) => item);
  for (const command of texts(/^(?:command|cmd)$/))
    if (GIT_COMMAND.test(command)) found.commands.push(`git ${command}`);
  for (const command of texts(PROGRAM_KEYS)) {
    for (const words of lists) {
      if (Array.isArray(words) && words.length > 0) {
        const plain = words.filter((word) => typeof word === 'string');
        found.commands.push(/\s/.test(command.trim()) ? [command, ...plain].join(' ') : [command, ...plain]);
      } else if (typeof words === 'string' && words !== '' && !isJsonText(words) && !/[\n<]/.test(words)) {
        found.commands.push(`${command} ${words}`);
      }
    }
  }
}

function keepsMeaning(meaning: KeyMeaning): boolean {
  return /^(?:path|output|goal|aim|base|loose)$/.test(meaning);
}

/**
 * The calls an object may carry. Dispatchers differ in which key they read: with several names or several arguments,
 * every combination is a call.
 */
function callsIn(
  value: Record<string, unknown>,
  keys: readonly string[],
): { readonly calls: readonly ObservedCall[]; readonly argumentKeys: readonly string[] } {
  const plain = (key: string) => plainText(key).toLowerCase().replace(/[_-]/g, '');
  const names = keys.filter((key) => typeof value[key] === 'string' && NAME_KEYS.test(plain(key)));
  if (names.length === 0) return { calls: [], argumentKeys: [] };
  const argumentKeys = keys.filter((key) => {
    const item = value[key];
    return ARGUMENT_KEYS.test(plain(key)) && ((typeof item === 'object' && !Array.isArray(item)) || isJsonText(item));
  });
  // Judge a tool that is named twice only once: nested calls would otherwise take exponential time.
  const called = new Set(names.map((name) => value[name] as string));
  const calls = [...called].flatMap((name) => argumentKeys.map((key) => ({ name, arguments: value[key] })));
  // `{"action": "create", "input": {…}}` names an operation on the input, not a tool.
  const named = calls.filter(
    (call) => editorOperation(call.name) === undefined || !names.some((key) => /^(?:action|method)$/.test(plain(key))),
  );
  return { calls: named, argumentKeys: named.length > 0 ? argumentKeys : [] };
}

function isJsonText(value: unknown): value is string {
  return typeof value === 'string' && /^\s*[[{"]/.test(value);
}

/** Handles an option or an SQL statement in place of a plain value. */
function visitOption(found: Found, text: string, meaning: KeyMeaning, key: string): void {
  if (/^\s*-/.test(text) && meaning !== 'body' && !/^(?:message|description|title|text|content)$/.test(key)) {
    const to = OUTPUT_OPTION.exec(text)?.[1];
    // A text for a search may look like an option.
    if (to !== undefined && meaning !== 'content') visitPath(found, to, { meaning: 'output', inherited: false });
    else if (PROGRAM_OPTION.test(text))
      found.undecidable ??= `'${text.trim().slice(0, 40)}' is an option that names a program`;
  }
  if (QUERY_KEYS.test(key) && STATEMENT.test(text) && (text.length > 100_000 || FILE_STATEMENT.test(text)))
    found.undecidable ??= 'The statement makes a database write a file or run a program';
}

function visitText(found: Found, text: string, spot: Spot): void {
  const { meaning } = spot;
  if (meaning === 'command' || meaning === 'commands') found.commands.push(text);
  else if (meaning === 'patch') found.patches.push(text);
  else if (meaning === 'content' || meaning === 'body') {
    if (meaning === 'body') found.hasBody = true;
    found.texts.push(text);
  } else if (meaning === 'url') {
    if (/^\s*["'`]?file:/i.test(text)) addCandidate(found, text, 'path', 'plain');
  } else if (!visitJson(found, text, spot)) visitPath(found, text, spot);
}

function visitJson(found: Found, text: string, spot: Spot): boolean {
  if (!/^\s*(?:[[{]|"\s*[[{])/.test(text)) return false;
  let value: unknown;
  try {
    value = readJson(text);
  } catch (error) {
    // Text that only looks like JSON (`[id]/page.tsx`) is plain text. Arguments that should be JSON and are invalid are
    // an error.
    if (!(error instanceof Stop) || error.rule !== 'invalid-arguments') throw error;
    if (spot.meaning === 'arguments' && /^\s*\{\s*["}]/.test(text) && !/^\s*\{\{/.test(text)) throw error;
    return false;
  }
  if (typeof value !== 'object' || value === null) {
    if (typeof value !== 'string') return false;
  }
  visit(found, value, spot);
  // A client that does not decode the text writes to a file of that name.
  if (text.includes('..')) addCandidate(found, text, 'guess', 'plain');
  return true;
}

const TAGGED =
  /<(path|paths|file_?path|file_?name|filename|target_?file|target_?path|dest(?:ination)?(?:_?path)?|new_?path|old_?path|source_?path|relative_?path|absolute_?path|notebook_?path|directory|dir_?path|uri)>([^<>]{1,4096})<\//gi;

/** Reads arguments written as tags: `<file><path>x</path><content>…`, without paths inside the content. */
function visitTags(found: Found, text: string): void {
  if (!text.includes('</')) return;
  const end = text.search(/<(?:content|contents|diff|file_?text|new_?str(?:ing)?|text|data|body)>/i);
  if (end !== -1) found.hasBody = true;
  const rest = outsideContent(text);
  for (const [, , path = ''] of rest.matchAll(TAGGED)) addCandidate(found, path.trim(), 'path', 'plain');
}

/** The text without everything between content tags. Splits at the tags, so that each character is read once. */
function outsideContent(text: string): string {
  let inside = '';
  let kept = '';
  for (const piece of text.split(
    /(<\/?(?:content|contents|diff|file_?text|new_?str(?:ing)?|old_?str(?:ing)?|text|data|body)>)/i,
  )) {
    const tag = /^<(\/?)(\w+)>$/.exec(piece);
    if (tag === null) {
      if (inside === '') kept += piece;
    } else if (tag[1] === '') inside ||= (tag[2] as string).toLowerCase();
    else if (inside === (tag[2] as string).toLowerCase()) inside = '';
  }
  return kept;
}

function visitPath(found: Found, text: string, { meaning, inherited }: Spot): void {
  if (meaning === 'arguments' || meaning === 'other') visitTags(found, text);
  // A URL to fetch, not a place to write. But a client that treats it as a path leaves the project with
  // `https://../../x`.
  if (/^(?:https?|wss?|ssh|git|git\+https|s3|gs|data):/i.test(text.trim()) && !/\.\.|%2e|\\/i.test(text)) return;
  if (meaning === 'arguments') {
    found.texts.push(text);
    if (text.includes('\n')) found.patches.push(text);
    else addCandidate(found, text, 'guess', 'plain');
    return;
  }
  if (meaning === 'path')
    return addCandidate(found, text, inherited && text.includes('\n') ? 'loose' : 'path', 'plain');
  if (meaning === 'output') found.outputs.set(text, 'certain');
  else if ((meaning === 'goal' || meaning === 'aim') && !found.outputs.has(text)) found.outputs.set(text, 'likely');
  if (meaning === 'base' || meaning === 'output' || meaning === 'goal')
    return addCandidate(found, text, text.includes('\n') ? 'loose' : 'path', meaning === 'base' ? 'base' : 'output');
  if (meaning === 'loose' || meaning === 'aim') return addCandidate(found, text, 'loose', 'plain');
  if (text.includes('\n') || text.length > 4_096) {
    found.texts.push(text);
    if (looksLikePatch(text)) found.patches.push(text);
  } else if (text !== '') addCandidate(found, text, 'guess', 'plain');
}

/** Whether a text begins as patches do. Content that has such lines only further down is content. */
function looksLikePatch(text: string): boolean {
  return /^\s*(?:```\w*\s+|<<-?\s*['"]?\w+['"]?\s+)?(?:\*\*\* (?:Begin Patch|Add|Update|Delete)|diff --git |Index: |--- \S+)/.test(
    text,
  );
}

function addCandidate(found: Found, written: string, weight: Candidate['weight'], role: Candidate['role']): void {
  const id = `${role}:${written}`;
  const before = found.candidates.get(id);
  if (before !== undefined && (before.weight === 'path' || weight === 'guess')) return;
  if (found.candidates.size >= MAX_CANDIDATES)
    throw new Stop('too-large', `The call names more than ${MAX_CANDIDATES} paths`);
  found.candidates.set(id, { written, weight, role });
}
