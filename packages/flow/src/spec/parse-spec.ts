import type { Json } from '../document.ts';
import { FlowError } from '../errors.ts';
import { type Parts, toEnd } from '../parts.ts';
import { readValue } from './spec-values.ts';

/** A flow as text: nodes by short ids, edges between ports, values. */
export interface FlowSpec {
  readonly name?: string;
  readonly description?: string;
  readonly nodes: readonly { readonly id: string; readonly type: string }[];
  readonly edges: readonly {
    readonly from: { readonly node: string; readonly port: string };
    readonly to: { readonly node: string; readonly port: string };
  }[];
  readonly config: readonly { readonly node: string; readonly field: string; readonly value: Json }[];
}

/** Each edge is checked and added alone, which reads all edges before it. */
const MAX_NODES = 2_000;
const MAX_EDGES = 10_000;

type Section = 'nodes' | 'edges' | 'config';

const HEADERS = new Map<string, Section>([
  ['nodes:', 'nodes'],
  ['edges:', 'edges'],
  ['config:', 'config'],
]);

/** Whether a text is to be read as the text form of a flow, and not as JSON. */
export const isSpecText = (text: string): boolean => !/^\s*[{[]/.test(text);

/**
 * Reads the text form of a flow.
 *
 * Grammar: optional `name:` and `description:`, then the sections `nodes:` (`ID: Type`), `edges:`
 * (`Node.output -> Node.input`) and `config:` (`Node.field: value`) in any order. Indentation counts in `config:` alone:
 * `|` or an empty value after the colon starts a text of the deeper lines that follow. Values are read as `readValue` says.
 *
 * @throws FlowError `invalid_spec` for too many components or edges, or with the line that is not understood; the texts are a contract (docs/contracts)
 */
export function parseSpec(text: string): FlowSpec {
  return toEnd(parseSpecInParts(text));
}

const LINES_OF_PART = 500;

/** As {@link parseSpec}, in parts. */
export function* parseSpecInParts(text: string): Parts<FlowSpec> {
  const lines = text.split(/\r?\n/);
  const nodes: { id: string; type: string }[] = [];
  const edges: FlowSpec['edges'][number][] = [];
  const config: FlowSpec['config'][number][] = [];
  let name: string | undefined;
  let description: string | undefined;
  let section: Section | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const trimmed = line.trim();
    if (at % LINES_OF_PART === 0) yield;
    if (trimmed === '') continue;
    const header = HEADERS.get(trimmed);
    if (header !== undefined) section = header;
    else if (section === undefined) {
      if (trimmed.startsWith('name:')) name = trimmed.slice(5).trim();
      else if (trimmed.startsWith('description:')) description = trimmed.slice(12).trim();
      else throw invalid(`Unrecognized line: '${trimmed}'. Expected 'name:', 'description:', or a section header.`);
    } else if (section === 'nodes') nodes.push(readNode(trimmed));
    else if (section === 'edges') edges.push(readEdge(trimmed));
    else {
      const { entry, last } = readConfig(lines, at);
      config.push(entry);
      at = last;
    }
    if (nodes.length > MAX_NODES || edges.length > MAX_EDGES)
      throw invalid(
        `A text has at most ${MAX_NODES} components and ${MAX_EDGES} edges. Use a document for a larger flow.`,
      );
  }
  if (nodes.length === 0) throw invalid("No nodes found in spec. Expected 'nodes:' section with 'ID: Type' entries.");
  checkReferences(nodes, edges, config);
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    nodes,
    edges,
    config,
  };
}

const invalid = (message: string): FlowError => new FlowError('invalid_spec', message);

function readNode(line: string): { id: string; type: string } {
  const match = /^([^\s:]+)\s*:\s*(\S+)$/.exec(line);
  if (!match) throw invalid(`Invalid node definition: '${line}'. Expected format: 'ID: ComponentType'`);
  return { id: match[1] as string, type: match[2] as string };
}

function readEdge(line: string): FlowSpec['edges'][number] {
  const sides = line.split(' -> ');
  const [left, right] = sides;
  if (sides.length !== 2 || left === undefined || right === undefined)
    throw invalid(`Invalid edge definition: '${line}'. Expected format: 'Node.output -> Node.input'`);
  const from = /^([^.\s]+)\.(\S+)$/.exec(left.trim());
  const to = /^([^.\s]+)\.(\S+)$/.exec(right.trim());
  if (!from || !to) throw invalid(`Invalid edge definition: '${line}'. Both sides must be 'Node.port'`);
  return {
    from: { node: from[1] as string, port: from[2] as string },
    to: { node: to[1] as string, port: to[2] as string },
  };
}

function readConfig(lines: readonly string[], at: number): { entry: FlowSpec['config'][number]; last: number } {
  const line = lines[at] as string;
  const match = /^(\s*)([\w-]+)\.([\w-]+)\s*:(.*)$/.exec(line);
  if (!match) throw invalid(`Invalid config entry: '${line.trim()}'. Expected format: 'Node.field: value'`);
  const [, indent, node, field, rest] = match as unknown as [string, string, string, string, string];
  const value = rest.trim();
  if (value !== '|' && value !== '') return { entry: { node, field, value: readValue(value) }, last: at };
  const { text, last } = readBlock(lines, at, indent.length);
  if (value === '' && last === at) return { entry: { node, field, value: '' }, last };
  return { entry: { node, field, value: text }, last };
}

/** The deeper lines after a key. Blank lines count inside of the text; up to four spaces below the key's own go. */
function readBlock(lines: readonly string[], at: number, indent: number): { text: string; last: number } {
  const block: string[] = [];
  let last = at;
  for (let index = at + 1; index < lines.length; index++) {
    const line = lines[index] as string;
    if (line.trim() === '') block.push('');
    else if (indentOf(line) > indent) {
      block.push(line);
      last = index;
    } else break;
  }
  const own = block.slice(0, last - at);
  const depth = own.reduce((least, line) => (line === '' ? least : Math.min(least, indentOf(line))), indent + 4);
  return { text: own.map((line) => line.slice(depth)).join('\n'), last };
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

function checkReferences(nodes: FlowSpec['nodes'], edges: FlowSpec['edges'], config: FlowSpec['config']): void {
  const ids = new Set<string>();
  for (const { id } of nodes) {
    if (ids.has(id))
      throw new FlowError('invalid_spec', `Node '${id}' is defined twice. Give one of them another ID.`, { node: id });
    ids.add(id);
  }
  const available = `[${[...ids].map((id) => `'${id}'`).join(', ')}]`;
  for (const { node, field } of config)
    if (!ids.has(node))
      throw new FlowError('invalid_spec', `Config references unknown node '${node}'. Available: ${available}`, {
        node,
        field,
      });
  for (const { from, to } of edges) {
    if (!ids.has(from.node))
      throw new FlowError('invalid_spec', `Edge references unknown source '${from.node}'. Available: ${available}`, {
        node: from.node,
      });
    if (!ids.has(to.node))
      throw new FlowError('invalid_spec', `Edge references unknown target '${to.node}'. Available: ${available}`, {
        node: to.node,
      });
  }
}
