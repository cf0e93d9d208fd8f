import type { Outputs } from '../component.ts';
import type { FlowDocument } from '../document.ts';
import type { Registry } from '../registry.ts';
import { textOf } from '../variables.ts';

/**
 * The texts of the flow's outputs, in the order of the nodes. A file is shown by its path, and only where its node has no
 * other output: its version is for components.
 */
export function resultText(flow: FlowDocument, outputs: Readonly<Record<string, Outputs>>, registry: Registry): string {
  const texts: string[] = [];
  for (const { id, type } of flow.nodes) {
    const own = outputs[id];
    if (own === undefined) continue;
    const files = filePorts(registry, type);
    const others = Object.entries(own).filter(([port]) => !files.has(port));
    const shown = others.length > 0 ? others.map(([, value]) => textOf(value)) : Object.values(own).map(pathOf);
    texts.push(shown.join('\n'));
  }
  const text = texts.join('\n');
  return text === '' ? '(no output)' : text;
}

function filePorts(registry: Registry, type: string): ReadonlySet<string> {
  const outputs = registry.get(type)?.descriptor.outputs ?? [];
  return new Set(outputs.filter(({ types }) => types.every((each) => each === 'File')).map(({ name }) => name));
}

function pathOf(value: unknown): string {
  const path = (value as { readonly path?: unknown } | null)?.path;
  return typeof path === 'string' ? path : textOf(value);
}
