import { applyEdits, createScanner, type Edit, getNodeValue, type Node, parseTree } from 'jsonc-parser';

/**
 * Adds a property to an object or an item to an array of a JSON text, or removes one. Keeps every other byte: comments, trailing
 * commas, indentation, line endings, and an object or array on one line. (`modify` of jsonc-parser formats what is around its
 * edit, and moves a comment at the end of a line to the property that it adds after it.) The caller must have parsed the text
 * before.
 */

// The tokens of jsonc-parser's scanner; its enum cannot be imported with `isolatedModules`.
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const LINE_BREAK = 14;

/** An object of a JSON text. */
export type JsonObject = { readonly [key: string]: unknown };
/** The way to a value: names of properties and indexes of items. */
type JsonPath = readonly (string | number)[];

/** Parses a text into a syntax tree. Allows comments and trailing commas. */
export function jsonTree(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true });
}

/** Finds the last property with a name: JSON parsers use the last one of several. */
export function findProperty(object: Node, name: string): Node | undefined {
  return object.children?.findLast((property) => property.children?.[0]?.value === name);
}

/** Returns the text with `key` set to `value` in the object at `path`. Merges objects in `value` into existing ones. */
export function setProperty(text: string, path: JsonPath, key: string, value: unknown): string {
  const object = nodeAt(text, path, 'object');
  const property = findProperty(object, key);
  const existing = property?.children?.[1];
  if (existing === undefined) return insertChild(text, object, value, key);
  if (isObject(value) && existing.type === 'object') {
    let result = text;
    for (const [inner, innerValue] of Object.entries(value)) {
      result = setProperty(result, [...path, key], inner, innerValue);
    }
    return result;
  }
  if (JSON.stringify(getNodeValue(existing)) === JSON.stringify(value)) return text;
  const multiline = text.slice(object.offset, object.offset + object.length).includes('\n');
  const content = renderValue(value, text, multiline ? indentOfLine(text, (property as Node).offset) : undefined);
  return applyEdits(text, [{ offset: existing.offset, length: existing.length, content }]);
}

/** Returns the text with `value` as the last item of the array at `path`. */
export function appendItem(text: string, path: JsonPath, value: unknown): string {
  return insertChild(text, nodeAt(text, path, 'array'), value);
}

/** Returns the text without `key` in the object at `path`. An object with only white space left becomes `{}`. */
export function removeProperty(text: string, path: JsonPath, key: string): string {
  const object = nodeAt(text, path, 'object');
  return removeChild(text, object, findProperty(object, key));
}

/** Returns the text without the item at `index` of the array at `path`. An array with only white space left becomes `[]`. */
export function removeItem(text: string, path: JsonPath, index: number): string {
  const array = nodeAt(text, path, 'array');
  return removeChild(text, array, array.children?.[index]);
}

function removeChild(text: string, parent: Node, child: Node | undefined): string {
  if (child === undefined) return text;
  const siblings = parent.children as Node[];
  const end = parent.offset + parent.length - 1;
  const index = siblings.indexOf(child);
  if (siblings.length === 1) {
    const { from, to } = removalRange(text, child, end);
    const rest = text.slice(parent.offset + 1, from) + text.slice(to, end);
    if (rest.trim() === '') return `${text.slice(0, parent.offset + 1)}${text.slice(end)}`;
    return text.slice(0, from) + text.slice(to);
  }
  const { from, to, commaBehind } = removalRange(text, child, siblings[index + 1]?.offset ?? end);
  const edits: Edit[] = [{ offset: from, length: to - from, content: '' }];
  const before = siblings[index - 1];
  if (!commaBehind && before !== undefined) {
    const comma = findComma(text, endOf(before), child.offset);
    if (comma !== undefined) edits.unshift({ offset: comma, length: 1, content: '' });
  }
  return applyEdits(text, edits);
}

/** @param key the name of a property; `undefined` for an item */
function insertChild(text: string, parent: Node, value: unknown, key?: string): string {
  const close = parent.offset + parent.length - 1;
  const last = parent.children?.at(-1);
  const start = last === undefined ? parent.offset + 1 : endOf(last);
  const { anchor, hasComma } = endOfLineAfter(text, start, close);
  const multiline =
    last === undefined ? text.includes('\n') || parent.parent === undefined : text.slice(start, close).includes('\n');
  const indent = multiline ? indentFor(text, parent) : undefined;
  const name = key === undefined ? '' : `${JSON.stringify(key)}:${multiline ? ' ' : ''}`;
  const child = name + renderValue(value, text, indent);
  const lead = indent === undefined ? '' : eolOf(text) + indent;
  if (last === undefined) {
    const rest = text.slice(anchor, close);
    const closing = indent === undefined ? '' : eolOf(text) + indentOfLine(text, parent.offset);
    const blank = rest.trim() === '';
    const content = lead + child + (blank ? closing : '');
    return applyEdits(text, [{ offset: anchor, length: blank ? rest.length : 0, content }]);
  }
  const content = lead + child + (hasComma ? ',' : '');
  if (hasComma) return applyEdits(text, [{ offset: anchor, length: 0, content }]);
  if (anchor === start) return applyEdits(text, [{ offset: start, length: 0, content: `,${content}` }]);
  return applyEdits(text, [
    { offset: start, length: 0, content: ',' },
    { offset: anchor, length: 0, content },
  ]);
}

/** Finds the end of the comma and comments on the same line, where a new line can start. */
function endOfLineAfter(text: string, start: number, close: number): { anchor: number; hasComma: boolean } {
  let anchor = start;
  let hasComma = false;
  let sameLine = true;
  for (const { kind, end } of tokens(text, start, close)) {
    if (kind === LINE_BREAK) sameLine = false;
    if (kind === COMMA) {
      hasComma = true;
      sameLine = true;
      anchor = end;
    }
    if ((kind === LINE_COMMENT || kind === BLOCK_COMMENT) && sameLine) anchor = end;
  }
  return { anchor, hasComma };
}

/** The range to remove with a property: its line if it has its own, the comma after it, the comment at its end. */
function removalRange(text: string, property: Node, limit: number): { from: number; to: number; commaBehind: boolean } {
  const ownLine = /\r?\n[ \t]*$/.exec(text.slice(0, property.offset));
  const from = ownLine?.index ?? property.offset - (/[ \t]*$/.exec(text.slice(0, property.offset))?.[0].length ?? 0);
  let to = endOf(property);
  let commaBehind = false;
  let sameLine = true;
  for (const { kind, start, end } of tokens(text, to, limit)) {
    if (kind === COMMA) {
      commaBehind = true;
      to = end;
    } else if (kind === LINE_BREAK) {
      // The comma may be on a later line.
      if (sameLine && ownLine) to = start;
      sameLine = false;
    }
  }
  return { from, to, commaBehind };
}

function findComma(text: string, start: number, limit: number): number | undefined {
  for (const { kind, start: at } of tokens(text, start, limit)) if (kind === COMMA) return at;
  return undefined;
}

function* tokens(text: string, start: number, limit: number): Generator<{ kind: number; start: number; end: number }> {
  const scanner = createScanner(text, false);
  scanner.setPosition(start);
  for (;;) {
    const kind: number = scanner.scan();
    const at = scanner.getTokenOffset();
    if (at >= limit || scanner.getTokenLength() === 0) return;
    yield { kind, start: at, end: at + scanner.getTokenLength() };
  }
}

/** The indentation for a new property: that of the last property, else one level deeper than the object's own line. */
function indentFor(text: string, object: Node): string {
  const last = object.children?.at(-1);
  const ownLine = last && /\n([ \t]*)$/.exec(text.slice(0, last.offset));
  return ownLine?.[1] ?? indentOfLine(text, object.offset) + indentUnit(text);
}

function indentOfLine(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
}

function indentUnit(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function renderValue(value: unknown, text: string, indent: string | undefined): string {
  if (indent === undefined) return JSON.stringify(value);
  return JSON.stringify(value, null, indentUnit(text)).replaceAll('\n', eolOf(text) + indent);
}

function nodeAt(text: string, path: JsonPath, type: 'object' | 'array'): Node {
  let node = jsonTree(text);
  for (const name of path)
    node = typeof name === 'number' ? node?.children?.[name] : node && findProperty(node, name)?.children?.[1];
  if (node?.type !== type) throw new TypeError(`no ${type} at ${path.join('.')}`);
  return node;
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

/** Whether a value is a JSON object, not an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
