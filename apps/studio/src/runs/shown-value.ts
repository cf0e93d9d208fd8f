import { type Json, tableOf } from '@croft/flow';
import { isJsonText, withoutJsonFences } from '../canvas/result-text.ts';

/** How a page shows a value of a run. */
export type ShownValue =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text' | 'json'; readonly text: string }
  | { readonly kind: 'files'; readonly files: readonly ShownFile[]; readonly more?: string }
  | {
      readonly kind: 'rows';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
      /** Of rows that are left out. */
      readonly more?: string;
    };

/** A file of the workspace, as it was when the component had it. */
export interface ShownFile {
  readonly path: string;
  readonly version: string;
}

const MAX_FILES = 20;

type JsonRecord = Readonly<Record<string, Json>>;

/** Chooses how to show a value. Lists of records are rows; the history replaces further items by a text. */
export function shownValue(value: Json): ShownValue {
  if (value === null || value === '') return { kind: 'empty' };
  if (typeof value !== 'object') return shownText(`${value}`);
  if (Array.isArray(value)) return shownList(value as readonly Json[]);
  const record = value as JsonRecord;
  if (isFileRow(record)) return { kind: 'files', files: [record] };
  const { text } = record;
  if (typeof text === 'string' && isMessage(record))
    return text === '' ? { kind: 'empty' } : shownText(withoutJsonFences(text));
  return { kind: 'json', text: JSON.stringify(value, null, 2) };
}

const shownText = (text: string): ShownValue => ({ kind: isJsonText(text) ? 'json' : 'text', text });

const isFile = (value: Json): value is JsonRecord & ShownFile =>
  isRecord(value) && typeof value['path'] === 'string' && value['path'] !== '' && typeof value['version'] === 'string';

const OF_FILE: ReadonlySet<string> = new Set(['path', 'version', 'type']);

/** A file and nothing else: pages show only its path. */
const isFileRow = (value: Json): value is JsonRecord & ShownFile =>
  isFile(value) && Object.keys(value).every((key) => OF_FILE.has(key));

/** Fields of a message beside its text. */
const OF_MESSAGE: ReadonlySet<string> = new Set(['text', 'sender', 'sender_name', 'session_id', 'timestamp']);

const isMessage = (record: JsonRecord): boolean => Object.keys(record).every((key) => OF_MESSAGE.has(key));

const isRecord = (value: Json | undefined): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function shownList(list: readonly Json[]): ShownValue {
  const last = list.at(-1);
  const more = typeof last === 'string' && /^\(\d+ more items\)$/.test(last) ? last : undefined;
  const rows = more === undefined ? list : list.slice(0, -1);
  if (rows.length > 0 && rows.every(isFileRow)) {
    const left = rows.length - MAX_FILES;
    const text = left > 0 ? `${left} more files${more ? `, and ${notKept(more)}` : ''}` : more && notKept(more);
    return { kind: 'files', files: rows.slice(0, MAX_FILES), ...(text && { more: text }) };
  }
  if (rows.length === 0 || !rows.every(isRecord)) return { kind: 'json', text: JSON.stringify(list, null, 2) };
  const { columns, rows: cells } = tableOf(rows);
  return { kind: 'rows', columns, rows: cells, ...(more && { more: notKept(more) }) };
}

const notKept = (more: string): string => `${more.slice(1, -1)} are not kept`;
