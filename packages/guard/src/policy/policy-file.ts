import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { type ConfigPlace, GuardConfigError } from './guard-config-error.ts';

/** A configuration is a few lines long; a larger one is a mistake or an attack on the parser. */
const MAX_CONFIG_BYTES = 64 * 1024;
const MAX_DEPTH = 6;

/** One value of a file, and its position. `null` is a key without a value. */
export interface Setting extends ConfigPlace {
  readonly value: string | number | boolean | null | readonly Setting[] | SettingsMap;
}

/** The keys of a map, in the order of the file. */
export class SettingsMap {
  readonly entries: readonly SettingsEntry[];

  constructor(entries: readonly SettingsEntry[]) {
    this.entries = entries;
  }
}

/** One key of a map: its position and its value. */
export interface SettingsEntry extends ConfigPlace {
  readonly key: string;
  readonly setting: Setting;
}

/**
 * Parses YAML into a tree with the position of every value. An empty file is an empty map. Refuses anchors, aliases and
 * tags: a reader must see what a policy means without looking elsewhere.
 *
 * @throws GuardConfigError if the text is not valid YAML, is not a map, repeats a key, or is too large
 */
export function readPolicyFile(file: string, text: string): SettingsMap {
  if (Buffer.byteLength(text) > MAX_CONFIG_BYTES)
    throw new GuardConfigError('', `is larger than ${MAX_CONFIG_BYTES} bytes`, { file, line: 1, column: 1 });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number | undefined): ConfigPlace => {
    const { line, col } = lines.linePos(offset ?? 0);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw new GuardConfigError('', firstLine(problem.message), placeOf(problem.pos[0]));
  if (document.contents === null) return new SettingsMap([]);
  const { value, ...place } = toSetting(document.contents as Node, placeOf, 0);
  if (value === null) return new SettingsMap([]);
  if (!(value instanceof SettingsMap)) throw new GuardConfigError('', 'must be a list of "key: value" lines', place);
  return value;
}

function toSetting(node: Node | null, placeOf: (offset: number | undefined) => ConfigPlace, depth: number): Setting {
  const place = placeOf(node?.range?.[0]);
  if (node === null) return { ...place, value: null };
  if (isAlias(node) || node.anchor !== undefined)
    throw new GuardConfigError('', 'anchors and aliases are not understood here: write the value out', place);
  if (node.tag?.startsWith('!')) throw new GuardConfigError('', 'tags are not understood here', place);
  if (depth > MAX_DEPTH) throw new GuardConfigError('', 'is nested too deeply', place);
  if (isSeq(node))
    return { ...place, value: node.items.map((item) => toSetting(item as Node | null, placeOf, depth + 1)) };
  if (isMap(node)) {
    const entries = node.items.map((pair): SettingsEntry => {
      const key = pair.key as Node | null;
      const keyPlace = placeOf(key?.range?.[0]);
      if (!isScalar(key)) throw new GuardConfigError('', 'a key must be a plain text', keyPlace);
      const setting =
        pair.value === null ? { ...keyPlace, value: null } : toSetting(pair.value as Node, placeOf, depth + 1);
      return { ...keyPlace, key: String(key.value), setting };
    });
    return { ...place, value: new SettingsMap(entries) };
  }
  const { value } = node as { value?: unknown };
  if (value === null || value === undefined) return { ...place, value: null };
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return { ...place, value };
  throw new GuardConfigError('', 'is a kind of value that is not understood here', place);
}

function firstLine(message: string): string {
  return message.split('\n')[0] as string;
}
