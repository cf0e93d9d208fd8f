import { asSentence, type FlowDocument, type FlowNode, validateNodes } from '@croft/flow';
import type { ComponentsRegistry, Finding } from '../api/flows.ts';
import { inWords } from './finding-words.ts';

/** Codes about connections. The page does not know the ports that some components make from their values. */
const OF_EDGES: ReadonlySet<string> = new Set(['type_mismatch', 'unknown_port', 'cycle']);

/**
 * The problems of a flow while it is edited, errors first: those of nodes are checked here and now, those of connections
 * and of code come from the server's check of the latest saved version.
 */
export function liveFindings(
  flow: FlowDocument,
  registry: ComponentsRegistry,
  checked: readonly Finding[],
): readonly Finding[] {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
  const isOfServer = (id: string | undefined) => {
    const node = id === undefined ? undefined : nodes.get(id);
    return node !== undefined && hasCode(node, registry);
  };
  const now = validateNodes(flow, registry).filter(({ node }) => !isOfServer(node));
  const stored = checked.filter(
    ({ code, node }) => (OF_EDGES.has(code) || isOfServer(node)) && (node === undefined || nodes.has(node)),
  );
  const all = [...now, ...stored].map((finding) => asSentences(inWords(finding, flow.edges, nodes, registry)));
  return [...all.filter(({ severity }) => severity === 'error'), ...all.filter(({ severity }) => severity !== 'error')];
}

/** Pages show the fix after the message. */
const asSentences = (finding: Finding): Finding => ({
  ...finding,
  message: asSentence(finding.message),
  fix: asSentence(finding.fix),
});

/** Whether code decides the fields of a node: only the server reads it. */
export function hasCode(node: FlowNode, registry: ComponentsRegistry): boolean {
  if (node.code !== undefined) return true;
  const fields = registry.get(node.type)?.descriptor.fields ?? [];
  return fields.some(({ kind, language }) => kind === 'code' && language === 'typescript');
}
