import { ComponentError } from '../services.ts';
import { isRow, type Row, toRows } from '../values.ts';
import { endsWithLine, storedText } from './stored-text.ts';

/** Texts that every version of YAML reads as a text without quotes. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z_][\w-]*(?: [\w-]+)*$/i;
/** Characters that JSON has as they are, and that YAML escapes or reads as line breaks. */
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff]/g;
/** A block list at the left edge, after comments and the mark of a document. */
const LIST = /^\ufeff?(?:[ \t]*(?:#[^\n]*|---)?\r?\n)*-\s/;
/** A document that is ended, with nothing but comments after it. */
const ENDED = /(?:^|\n)\.\.\.(?:[ \t][^\n]*)?\r?(?:\n(?:[ \t]*(?:#[^\n]*)?\r?))*$/;
const MAX_HEAD = 65_536;
/** Characters of a key before its colon, by section 7.4.2 of YAML 1.2.2, with room for quotes and escapes. */
const MAX_KEY = 1_000;

/** A record as a mapping, rows as a list of mappings. Values inside of a value are JSON, which is YAML too. */
export function toYaml(value: unknown): string {
  if (isRow(value)) return mapping(value, '', '');
  const rows = toRows(value);
  return rows.length === 0 ? '[]\n' : items(rows);
}

/**
 * The text that adds records to a YAML file with this content, which may lack the end of its last line.
 *
 * @throws ComponentError where the file is not a block list at the left edge, which items after it would break
 */
export function addedYaml(value: unknown, before: Buffer, path: string): string {
  const added = items(toRows(value));
  const head = storedText(before, MAX_HEAD);
  if (added === '' || head.trim() === '') return added;
  if (!LIST.test(head))
    throw new ComponentError(
      `'${path}' is not a list of YAML, so no record was added.`,
      'Add the records to another file: one that begins with an item such as "- name: x", or a new one.',
    );
  const text = storedText(before);
  if (/\n---(?:\s|$)/.test(text.slice(LIST.exec(head)?.[0].length)))
    throw new ComponentError(
      `'${path}' has several documents of YAML, so no record was added.`,
      'Add the records to another file, which has one list.',
    );
  if (ENDED.test(text.slice(-MAX_HEAD)))
    throw new ComponentError(
      `'${path}' ends its list with "...", so no record was added.`,
      'Remove that line, or add the records to another file.',
    );
  return endsWithLine(before) ? added : `\n${added}`;
}

const items = (rows: readonly Row[]): string => rows.map((row) => mapping(row, '- ', '  ')).join('');

function mapping(row: Row, first: string, indent: string): string {
  const lines = Object.entries(row).map(([key, value]) => {
    const name = scalar(key);
    // A longer key needs the mark of a key.
    return name.length > MAX_KEY ? `? ${name}\n${indent}: ${scalar(value)}\n` : `${name}: ${scalar(value)}\n`;
  });
  return lines.length === 0 ? `${first}{}\n` : lines.map((line, at) => `${at === 0 ? first : indent}${line}`).join('');
}

function scalar(value: unknown): string {
  if (typeof value === 'string' && PLAIN.test(value)) return value;
  const text = JSON.stringify(value) ?? 'null';
  return text.replace(ESCAPED, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
