import type { Json } from '@croft/flow';

/** A node's result in a few words: its first output that has a value. */
export function resultText(outputs: Json | undefined): string {
  if (typeof outputs !== 'object' || outputs === null || Array.isArray(outputs)) return '';
  for (const value of Object.values(outputs)) {
    const text = valueText(value);
    if (text !== '') return text;
  }
  return '';
}

/** A value in a few words: the text of a message, a count of rows, or JSON. */
export function valueText(value: Json): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.length === 1 ? '1 row' : `${value.length} rows`;
  if (typeof value !== 'object') return `${value}`;
  const { text } = value as { readonly [key: string]: Json };
  return typeof text === 'string' ? withoutJsonFences(text) : JSON.stringify(value);
}

/** A text for a place that shows no Markdown: JSON without the fences that an answer has around it. */
export function withoutJsonFences(text: string): string {
  let isInside = false;
  const lines = text.split('\n').filter((line) => {
    if (line !== (isInside ? '```' : '```json')) return true;
    isInside = !isInside;
    return false;
  });
  return lines.join('\n');
}

/** Whether a text has a table in Markdown, as the answer of a flow has for rows. */
export const hasTable = (text: string): boolean => /^\|(?: -{3,} \|)+$/m.test(text);

/** A longer text is not read. */
const MAX_JSON = 100_000;

/** Whether a text is a JSON object or list, which pages set in the font of code. */
export function isJsonText(text: string): boolean {
  if (text.length > MAX_JSON || !/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A duration, for example `1.2 s` or `2 h 5 min`. */
export function formatMs(ms: number): string {
  if (ms < 1) return '<1 ms';
  // Below each limit by half of the last digit: 59.96 s is a minute.
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const hours = Math.round(ms / 3_600_000);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
