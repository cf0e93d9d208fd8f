import type { Outputs } from '../component.ts';
import type { FlowDocument } from '../document.ts';
import type { Registry } from '../registry.ts';
import { textBeginning } from '../variables.ts';

/** Of one value, and of all. Callers show less. */
const MAX_CHARS = 1024 * 1024;

/**
 * The texts of the flow's outputs, in the order of the nodes, with a blank line around a text of several lines. A file is shown
 * by its path, and only where its node has no other output: its version is for components. Reads no outputs behind the first {@link MAX_CHARS} characters.
 */
export function resultText(
  flow: FlowDocument,
  outputs: Readonly<Record<string, Outputs>>,
  registry: Registry,
  decisions: ReadonlyMap<string, string> = new Map(),
): string {
  const texts: string[] = [];
  let left = MAX_CHARS;
  for (const { id, type } of flow.nodes) {
    const own = outputs[id];
    if (left < 0) break;
    if (own === undefined) continue;
    const files = filePorts(registry, type);
    const others = Object.entries(own).filter(([port]) => !files.has(port));
    const shown = others.length > 0 ? others.map(([, value]) => shownText(value)) : Object.values(own).map(pathOf);
    left -= shown.reduce((sum, { length }) => sum + length, 0);
    texts.push(...shown);
  }
  const text = joinTexts(texts);
  return text || [...decisions.values()].join('\n') || '(no output)';
}

/** A text of several lines has a blank line around it: the line after a Markdown table would be a row of it. */
const joinTexts = (texts: readonly string[]): string =>
  texts.map((text, at) => `${at === 0 ? '' : breakBetween(texts[at - 1] ?? '', text)}${text}`).join('');

function breakBetween(before: string, after: string): string {
  const isBlock = hasLines(before) || hasLines(after);
  return isBlock && !before.endsWith('\n') ? '\n\n' : '\n';
}

const hasLines = (text: string): boolean => text.trimEnd().includes('\n');

const shownText = (value: unknown): string => textBeginning(value, MAX_CHARS).slice(0, MAX_CHARS);

function filePorts(registry: Registry, type: string): ReadonlySet<string> {
  const outputs = registry.get(type)?.descriptor.outputs ?? [];
  return new Set(outputs.filter(({ types }) => types.every((each) => each === 'File')).map(({ name }) => name));
}

function pathOf(value: unknown): string {
  const path = (value as { readonly path?: unknown } | null)?.path;
  return typeof path === 'string' ? path : shownText(value);
}
