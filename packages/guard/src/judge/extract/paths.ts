import type { ObservedCall } from '../../decision.ts';
import { readJson } from '../read-arguments.ts';
import { Stop } from '../stop.ts';
import { editorOperation } from '../tool-kind.ts';
import { plainText, wordsOf } from '../words.ts';
import { isHint, type KeyMeaning, meaningOf } from './argument-keys.ts';
import { ARGUMENT_KEYS, NAME_KEYS } from './dispatchers.ts';
import { type Findings, type Found, type Spot, addCandidate } from './findings.ts';
import { commandsIn, addSplitCommand, isJsonText } from './split-command.ts';
import { visitOption, visitPath } from './text-findings.ts';

const OPERATION_KEYS = /^(?:command|cmd|op|operation|action|type|kind|method|mode|openmode|accessmode|access)$/i;

/** Options that make a reading tool write. */
const WRITING_SWITCH = /^(?:write|overwrite|append|create|save|truncate|inplace|fix|autofix|createifmissing|delete)$/;

/** Text or bytes next to a path: content for a tool that opens or gets, a search text for a tool that searches. */
const LOADED_TEXT = /^(?:data|text|filedata|textdata|bytes|base64|blob|buffer|binary)$/;

/** Keys of a link's target, in an object that also has a word for links. */
const LINK_KEY = /^(?:link|symlink|hardlink|softlink|symboliclink|linkto|linktarget|symlinktarget|linksto|pointsto)$/;

const LINK_TARGET = /^(?:content|contents|data|text|value|body|target|to|link|source|src|filetext|existing)$/;

/** Keys of a list of changes, or of an object with the changed files as keys. */
const CHANGES_KEY =
  /^(?:changes|edits|documentchanges|documentedits|fileedits|filechanges|textedits|workspaceedit|workspaceedits|modifications)$/;

/** Keys of an object under `files` that are not file names. */
const SCHEMA_KEY = /^[a-z_]+$/i;

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
    changed: new Set(),
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

function visitObject(found: Found, value: Record<string, unknown>, spot: Spot): void {
  const keys = Object.keys(value);
  const inner = callsIn(value, keys);
  found.calls.push(...inner.calls);
  addSplitCommand(found, value);
  const isLink = keys.some((key) => makesLink(wordsOf(key).join(''), value[key]));
  for (const key of keys) {
    const item = value[key];
    if (inner.argumentKeys.includes(key)) continue;
    const plain = wordsOf(key).join('');
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
    const isChange = spot.isChange === true || CHANGES_KEY.test(plain);
    if (isChange && meaning === 'path' && typeof item === 'string') found.changed.add(item);
    for (const text of Array.isArray(item) ? item : [item])
      if (typeof text === 'string') visitOption(found, text, meaning, plain);
    if (isHinted) visitHinted(found, item, known);
    if (isLink && typeof item === 'string' && !item.includes('\n') && LINK_TARGET.test(plain))
      addCandidate(found, item, 'path', 'plain');
    else if (typeof item === 'string' && LINK_KEY.test(plain) && /^\s*(?:[/~\\]|\.\.)/.test(item))
      addCandidate(found, item, 'guess', 'plain');
    if (item === true && WRITING_SWITCH.test(plain)) found.operations.add('write');
    if (typeof item === 'string' && item !== '' && LOADED_TEXT.test(plain)) found.hasText = true;
    const isNamed = spot.isPlural === true && !(SCHEMA_KEY.test(key) && typeof item !== 'string');
    const isPathLike =
      /[\\/]|^~|^\.\.?$|%2f|%5c|^file:/i.test(key) || /[\u2024\u2044\u2215\uff0e\uff0f\uff3c]/.test(key);
    if (isPathLike || (isNamed && meaning === 'other' && key !== 'value')) {
      addCandidate(found, key, isNamed ? 'path' : 'guess', 'plain');
      if (isChange) found.changed.add(key);
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
    visit(
      found,
      item,
      keeps ? { meaning: spot.meaning, inherited: true, isChange } : { meaning, inherited: false, isPlural, isChange },
    );
  }
}

/** Adds the texts of an argument that the configuration names as holding paths, beside its own meaning. */
function visitHinted(found: Found, value: unknown, known: KeyMeaning): void {
  const meaning = known === 'other' ? known : 'path';
  for (const text of Array.isArray(value) ? (value as readonly unknown[]) : [value])
    if (typeof text === 'string' && !isJsonText(text)) visitPath(found, text, { meaning, inherited: true });
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
