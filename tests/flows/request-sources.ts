import type { Reference, RequestNode } from './requests.ts';

/** Why a graph is not a flow that could run, in its own terms. */
export class NotExpressible extends Error {}

/** An output of a flow's node; with a path where the value is a field of a record. */
export interface Source {
  readonly node: string;
  readonly port: string;
  readonly path?: string;
}

export const word = (text: string): string => text.replace(/\W/g, '_');
export const idOf = (id: string): string => `n${word(id)}`;
export const partOf = (id: string, part: string): string => `${idOf(id)}__${word(part)}`;
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
  'parameter-extractor': 'structured_output',
};

/** The output of an input of a flow, by the type of the variable; a file otherwise. */
const START_PORT: Readonly<Record<string, string>> = { string: 'text', 'array[file]': 'files' };

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
    return { node: partOf(id, variable), port: START_PORT[kind] ?? 'file' };
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
  if (type === 'iteration') return { node: idOf(id), port: variable === 'item' ? 'item' : 'done' };
  const port = MAIN[type];
  if (port === undefined) throw unknown();
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
  return ['iteration', 'http-request', 'google-search'].includes(node.type) ? 'ChatOutput' : 'TextOutput';
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
  return { node: own, port: MAIN[type] as string };
}
