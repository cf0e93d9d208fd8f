import type { Json } from '../document.ts';

const INTEGER = /^[+-]?\d+$/;
const FLOAT = /^[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?$/;

/**
 * A value of the text form: `true`, `false`, `null`, `none`, a number, JSON in quotes, brackets or braces, else plain text.
 * Broken JSON is plain text: a prompt may begin with a bracket.
 */
export function readValue(text: string): Json {
  const lower = text.toLowerCase();
  if (lower === 'true') return true;
  if (lower === 'false') return false;
  if (lower === 'null' || lower === 'none') return null;
  if (INTEGER.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  if (FLOAT.test(text) && !INTEGER.test(text) && Number.isFinite(Number(text))) return Number(text);
  if (/^["[{]/.test(text)) {
    try {
      return JSON.parse(text) as Json;
    } catch {
      return text;
    }
  }
  return text;
}

/** The lines of a value after its key; `indent` is that of the key. `readValue` of them gives the value back. */
export function printValue(value: Json, indent: string): string {
  if (typeof value !== 'string') return ` ${JSON.stringify(value)}`;
  const isBlock =
    value.includes('\n') &&
    !/^\s|\r|\n\s*$/.test(value) &&
    value.split('\n').every((line) => line === line.trimEnd() || line.trim() !== '');
  if (isBlock)
    return ` |\n${value
      .split('\n')
      .map((line) => (line === '' ? '' : `${indent}  ${line}`))
      .join('\n')}`;
  const isPlain =
    value !== '' && value === value.trim() && value !== '|' && !/[\r\n]/.test(value) && readValue(value) === value;
  return isPlain ? ` ${value}` : ` ${JSON.stringify(value)}`;
}
