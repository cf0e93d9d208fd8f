import { endOfString } from './end-of-string.ts';
import { Stop } from './stop.ts';

/** Longest argument text that is judged, in UTF-16 units. Longer ones are blocked unread. */
export const MAX_ARGUMENT_CHARS = 16 * 1024 * 1024;
/** Deepest structure that is judged. Real calls stay below ten. */
export const MAX_ARGUMENT_DEPTH = 64;

/** Keys that change an object's prototype in a client that assigns instead of defining. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Reads a call's arguments as the strictest client would. Missing arguments and blank text become an empty object, as
 * in every client. Refuses text that clients would read differently (a duplicate key, a key that reaches the
 * prototype).
 *
 * @throws Stop `invalid-arguments` for text that is not JSON, `ambiguous-arguments`, `too-large`
 */
export function readArguments(given: unknown): unknown {
  if (given === undefined || given === null) return {};
  if (typeof given === 'string') return given.trim() === '' ? {} : readJson(given);
  checkStructure(given);
  return given;
}

/**
 * Parses JSON text and refuses what two parsers read differently.
 *
 * @throws Stop like {@link readArguments}
 */
export function readJson(text: string): unknown {
  if (text.length > MAX_ARGUMENT_CHARS) throw tooLarge();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Stop('invalid-arguments', 'The arguments are not valid JSON, so their meaning is not known');
  }
  // `JSON.parse` silently keeps the last of two equal keys.
  checkKeys(text);
  return value;
}

/** Checks depth and every object's keys, in one pass over text that is known to be JSON. */
function checkKeys(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22 /* " */:
        {
          const end = endOfString(text, i);
          if (isKey) checkKey(text.slice(i, end + 1), open.at(-1));
          isKey = false;
          i = end;
          break;
        }
      case 0x7b /* { */:
        open.push(new Set());
        isKey = true;
        break;
      case 0x5b /* [ */:
        open.push(undefined);
        isKey = false;
        break;
      case 0x7d /* } */:
      case 0x5d /* ] */:
        open.pop();
        isKey = false;
        break;
      case 0x2c /* , */:
        isKey = open.at(-1) !== undefined;
        break;
    }
    if (open.length > MAX_ARGUMENT_DEPTH) throw tooDeep();
  }
}

function checkKey(quoted: string, seen: Set<string> | undefined): void {
  const key = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  if (PROTOTYPE_KEYS.has(key)) throw prototypeKey(key);
  if (seen?.has(key))
    throw new Stop(
      'ambiguous-arguments',
      `The arguments name ${JSON.stringify(shortKey(key))} twice, and clients differ in which one they take`,
    );
  seen?.add(key);
}

/** Checks arguments that a client already parsed: depth, size and prototype keys still need limits. */
function checkStructure(given: unknown): void {
  const todo: { value: unknown; depth: number }[] = [{ value: given, depth: 0 }];
  let chars = 0;
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') chars += value.length;
    else if (typeof value === 'object' && value !== null) {
      if (depth >= MAX_ARGUMENT_DEPTH) throw tooDeep();
      const isList = Array.isArray(value);
      for (const key of Object.keys(value)) {
        if (!isList && PROTOTYPE_KEYS.has(key)) throw prototypeKey(key);
        chars += isList ? 1 : key.length;
        todo.push({ value: (value as Record<string, unknown>)[key], depth: depth + 1 });
      }
    }
    if (chars > MAX_ARGUMENT_CHARS) throw tooLarge();
  }
}

function shortKey(key: string): string {
  return key.length > 80 ? `${key.slice(0, 80)}…` : key;
}

function prototypeKey(key: string): Stop {
  return new Stop('ambiguous-arguments', `The arguments hold the key "${key}", which clients read differently`);
}

function tooLarge(): Stop {
  return new Stop('too-large', `The arguments are longer than ${MAX_ARGUMENT_CHARS / 1024 / 1024} MiB`);
}

function tooDeep(): Stop {
  return new Stop('too-large', `The arguments are nested deeper than ${MAX_ARGUMENT_DEPTH} levels`);
}
