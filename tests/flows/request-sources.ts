import type { Reference, RequestNode } from './requests.ts';

/** Why a graph is not a flow that could run, in its own terms. */
export class NotExpressible extends Error {}

/** An output of a flow's node; with a path where the value is a field of a record. */
export interface Source {
  readonly node: string;
  readonly port: string;
  readonly path?: string;
}

/** `{{#node.variable#}}`, with or without quotes around the node. */
export const REFERENCE = /\{\{#\\?['"]?([^#.'"\\]+)\\?['"]?\.([^#]+)#\}\}/g;

export const word = (text: string): string => text.replace(/\W/g, '_');
export const idOf = (id: string): string => `n${word(id)}`;
export const partOf = (id: string, part: string): string => `${idOf(id)}__${word(part)}`;
export const isFile = (kind: string): boolean => kind.includes('file');
export const isProgram = (template: string): boolean => template.includes('{%');

type RequestNodes = ReadonlyMap<string, RequestNode>;

/** The output of a node type that has one. */
const MAIN: Readonly<Record<string, string>> = {
  llm: 'text_output',
  'document-extractor': 'text',
  'template-transform': 'prompt',
  'variable-aggregator': 'value',
  'markdown-exporter': 'file',
  tts: 'file',
  'http-request': 'data',
  'list-operator': 'item',
  'google-search': 'results',
  'knowledge-retrieval': 'dataframe',
  agent: 'response',
  'parameter-extractor': 'structured_output',
};

/** The output of an input of a flow, by the type of the variable; a file otherwise. */
const startPort = (kind: string): string => (kind === 'array[file]' ? 'files' : isFile(kind) ? 'file' : 'text');

const GIVES_FILE = new Set(['markdown-exporter', 'tts', 'list-operator']);

/**
 * The output that a reference names.
 *
 * @throws NotExpressible if there is none
 */
export function sourceOf(nodes: RequestNodes, [variable, id]: Reference, reader: RequestNode): Source {
  const node = nodes.get(id);
  const unknown = () => new NotExpressible(`${reader.type} ${reader.id} reads ${id}.${variable}, which does not exist`);
  if (node === undefined) throw unknown();
  const { type, param } = node;
  const has = (list: readonly (readonly string[])[], at: number) => list.some((each) => each[at] === variable);
  if (type === 'start') {
    if (!has(param['variables'], 0)) throw unknown();
    const [, kind] = param['variables'].find(([each]: [string]) => each === variable);
    return { node: partOf(id, variable), port: startPort(kind) };
  }
  if (type === 'code') {
    if (!has(param['outputs'], 0)) throw unknown();
    return { node: idOf(id), port: word(variable) };
  }
  if (type === 'template-transform' && variable !== 'output') throw unknown();
  if (type === 'template-transform' && isProgram(param['template'])) return { node: idOf(id), port: 'output' };
  if (type === 'parameter-extractor') {
    if (!has(param['parameters'], 1)) throw unknown();
    return { node: idOf(id), port: 'structured_output', path: variable };
  }
  if (type === 'list-operator' && param['operator'][0] !== 'extract_by') return { node: idOf(id), port: 'result' };
  if (type === 'iteration') return { node: idOf(id), port: variable === 'item' ? 'item' : 'done' };
  // Text, or files and JSON, of a tool.
  const port = MAIN[type] ?? (variable === 'text' ? 'message' : 'data');
  return { node: idOf(id), port };
}

/** The type of the node that shows the value of a reference as a result of the flow. */
export function outputType(nodes: RequestNodes, [variable, id]: Reference): string {
  const node = nodes.get(id);
  if (node === undefined) return 'TextOutput';
  if (node.type === 'variable-aggregator') return outputType(nodes, node.param['variables'][0]);
  if (GIVES_FILE.has(node.type)) return 'FileOutput';
  if (node.type === 'start')
    return node.param['variables'].some(([name, kind]: [string, string]) => name === variable && kind !== 'string')
      ? 'FileOutput'
      : 'TextOutput';
  if (MAIN[node.type] === undefined && variable !== 'text' && node.type !== 'code') return 'ChatOutput';
  return ['iteration', 'http-request', 'google-search', 'knowledge-retrieval'].includes(node.type)
    ? 'ChatOutput'
    : 'TextOutput';
}

/** The output that ends a node: the branch with this index, where it has several. */
export function endOf({ id, type, param }: RequestNode, index: number): Source | undefined {
  const own = idOf(id);
  if (type === 'start' || type === 'end') return undefined;
  if (type === 'question-classifier') return { node: own, port: `category_${index + 1}_result` };
  if (type === 'if-else')
    return { node: own, port: index < param['cases'].length ? `case_${index + 1}_result` : 'default_result' };
  if (type === 'iteration') return { node: own, port: 'done' };
  if (type === 'iteration-start') return { node: idOf(id.replace(/-\d+$/, '')), port: 'item' };
  if (type === 'code') return { node: own, port: word(param['outputs'][0][0]) };
  if (type === 'template-transform' && isProgram(param['template'])) return { node: own, port: 'output' };
  if (type === 'list-operator' && param['operator'][0] !== 'extract_by') return { node: own, port: 'result' };
  return { node: own, port: MAIN[type] ?? 'message' };
}

/** All references of a request's parameters: in texts, and as pairs that name another node. */
export function referencesIn(value: unknown, nodes: RequestNodes): readonly Reference[] {
  if (typeof value === 'string')
    return [...value.matchAll(REFERENCE)].map(([, id, variable]) => [variable, id] as never);
  if (!Array.isArray(value))
    return typeof value === 'object' && value !== null
      ? Object.values(value).flatMap((each) => referencesIn(each, nodes))
      : [];
  const [variable, id] = value as unknown[];
  const isPair = value.length === 2 && typeof variable === 'string' && typeof id === 'string' && nodes.has(id);
  return isPair ? [[variable, id]] : value.flatMap((each) => referencesIn(each, nodes));
}
