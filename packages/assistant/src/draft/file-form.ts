import type { FlowSpec, PortType, Registry } from '@croft/flow';
import type { RequestParts } from './request-parts.ts';
import { stemsOf } from './words.ts';

/** The component that writes files. */
export const WRITER = 'SaveToFile';
/** Its field for the path. */
export const FILE_NAME = 'file_name';

/** Endings for which the writer gives records a form of their own. */
const RECORDS = /\.(?:jsonl?|ndjson|csv|tsv|ya?ml)$/i;
/** Those of files that are one value: most texts are not such a value. */
const ONE_VALUE = /\.(json|ya?ml)$/i;
/** Files for people to read: rows are a table or a line each. */
const PLAIN = /(?:^|\/)[^.]*$|\.(?:md|txt|text|log)$/i;
/** Files that the writer cannot make, because they are not texts. */
const NOT_TEXT = /\.(?:docx?|xlsx?|pptx?|od[pst]|pdf|png|jpe?g|gif|zip)$/i;
const ROWS: readonly PortType[] = ['Table', 'Data', 'Any'];
const PARSER = 'ParserComponent';
const APPROVAL = 'HumanApproval';

/** The parts of a flow that say what a value is made from. */
export type Wires = {
  readonly nodes: readonly { readonly id: string; readonly type: string }[];
  readonly edges: readonly { readonly from: Port; readonly to: Port }[];
};
type Port = FlowSpec['edges'][number]['from'];

/**
 * The port that a file is written from, for a flow that shows what comes from `shown`. A file of records gets the rows that the
 * same component gives, because their text has no such form.
 *
 * @param isOwnText whether the user chose the text that the flow shows. Otherwise the rows behind that text count
 */
export function portForFile(
  path: string,
  shown: Port,
  flow: Wires,
  { registry, isOwnText }: { readonly registry: Registry; readonly isOwnText: boolean },
): Port {
  if (!RECORDS.test(path) || typesOf(shown, flow, registry).some((type) => ROWS.includes(type))) return shown;
  const type = typeIn(flow, shown);
  const rows = registry.get(type)?.descriptor.outputs.find(({ types }) => types.includes('Table'));
  if (rows !== undefined) return { node: shown.node, port: rows.name };
  const before = flow.edges.find(({ to }) => to.node === shown.node)?.from;
  return type === PARSER && !isOwnText && before !== undefined ? before : shown;
}

/** The files of a flow that would have a content of another form than their endings say. */
export const misfitsIn = (spec: FlowSpec, registry: Registry, parts: RequestParts): readonly string[] =>
  spec.config.flatMap(({ node, field, value }) => {
    const from = spec.edges.find(({ to }) => to.node === node && to.port === 'input')?.from;
    const isFile = field === FILE_NAME && typeof value === 'string' && typeIn(spec, { node }) === WRITER;
    return isFile && from !== undefined && !fitsFile(value, from, spec, { registry, parts }) ? [value] : [];
  });

/** Whether the writer can put what comes from a port into a file with this ending. */
export function fitsFile(
  path: string,
  from: Port,
  flow: Wires,
  {
    registry,
    parts,
  }: { readonly registry: Registry; readonly parts: Pick<RequestParts, 'pattern' | 'paths' | 'words'> },
): boolean {
  if (NOT_TEXT.test(path)) return false;
  if (typesOf(from, flow, registry).some((type) => ROWS.includes(type))) return RECORDS.test(path) || PLAIN.test(path);
  const ending = ONE_VALUE.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined || parts.pattern !== undefined) return true;
  // A changed text of a JSON file is JSON, and a model is asked for JSON by that word.
  return (
    parts.paths.some((each) => each.toLowerCase().endsWith(`.${ending}`)) || parts.words.has(stemsOf(ending)[0] ?? '')
  );
}

const typeIn = ({ nodes }: Pick<Wires, 'nodes'>, { node }: Pick<Port, 'node'>): string =>
  nodes.find(({ id }) => id === node)?.type ?? '';

function typesOf(port: Port, flow: Wires, registry: Registry): readonly PortType[] {
  const type = typeIn(flow, port);
  // An approval passes on what it gets.
  const before = type === APPROVAL ? flow.edges.find(({ to }) => to.node === port.node)?.from : undefined;
  if (before !== undefined) return typesOf(before, flow, registry);
  return registry.get(type)?.descriptor.outputs.find(({ name }) => name === port.port)?.types ?? [];
}

/** The sentence about files that a flow cannot write in the form of their endings; empty without such files. */
export const otherForm = (misfits: readonly string[]): string =>
  misfits.length === 0
    ? ''
    : `${misfits.map((each) => `“${each}”`).join(', ')} ${misfits.length === 1 ? 'has' : 'have'} another form. A flow writes texts, and rows as .json, .jsonl, .csv, .tsv, .yaml or .md: name a file with one of these endings.`;
