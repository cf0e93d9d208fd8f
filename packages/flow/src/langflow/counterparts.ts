import type { Json } from '../document.ts';
import type { Registry } from '../registry.ts';
import type { Finding } from '../validate.ts';
import { mcpServerFields } from './mcp-server.ts';
import type { ExportedEdge, ExportedField, ExportedNode, LangflowExport } from './read-export.ts';
import { asTextOperation, TEXT_OPERATIONS } from './text-operations.ts';
import { asVectorStore, type Counterpart, VECTOR_STORES, writesBeforeSearches } from './vector-stores.ts';

const EMBEDDINGS: Counterpart = { type: 'EmbeddingModel' };
const LANGUAGE_MODEL: Counterpart = { type: 'LanguageModelComponent' };
const PARSER: Counterpart = {
  type: 'ParserComponent',
  fields: { data: 'input_data', df: 'input_data', template: 'pattern' },
  outputs: { text: 'parsed_text' },
};
const MCP: Counterpart = { outputs: { response: 'data' } };

/** By type in an export. A component with the same names on both sides is found by its type or alias alone. */
const COUNTERPARTS: Readonly<Record<string, Counterpart>> = {
  Agent: { fields: { agent_llm: 'model' } },
  StructuredOutput: { fields: { llm: 'model' } },
  File: { fields: { file_path: 'path', file_path_str: 'path' } },
  MCPTools: MCP,
  MCP,
  ParseData: PARSER,
  ParseDataFrame: PARSER,
  MessagetoData: {
    type: 'TypeConverterComponent',
    fields: { message: 'input_data' },
    outputs: { data: 'data_output' },
  },
  DataToDataFrame: {
    type: 'TypeConverterComponent',
    fields: { data_list: 'input_data' },
    outputs: { dataframe: 'dataframe_output' },
  },
  OpenAIModel: LANGUAGE_MODEL,
  AnthropicModel: LANGUAGE_MODEL,
  GoogleGenerativeAIModel: LANGUAGE_MODEL,
  GroqModel: LANGUAGE_MODEL,
  OllamaModel: LANGUAGE_MODEL,
  OpenAIEmbeddings: EMBEDDINGS,
  OllamaEmbeddings: EMBEDDINGS,
  'Google Generative AI Embeddings': EMBEDDINGS,
};
/** A file whose rows a flow uses is read as data. */
const READ_DATA: Counterpart = {
  type: 'ReadData',
  fields: { file_path: 'path', file_path_str: 'path' },
  outputs: { dataframe: 'dataframe' },
};

/** The nodes, edges and findings of an export in Croft's names. */
export interface Renamed {
  readonly exported: LangflowExport;
  readonly findings: readonly Finding[];
}

/**
 * Gives the nodes of an export the types, fields and outputs that Croft has for them. A type of the registry's own, such
 * as a component of the user, keeps its name.
 */
export function withCounterparts(exported: LangflowExport, registry: Registry): Renamed {
  const findings: Finding[] = [];
  const renamed = new Map<string, Counterpart>();
  const nodes: ExportedNode[] = [];
  const edges: ExportedEdge[] = [...exported.edges];
  for (const node of exported.nodes) {
    const isOwn = (type: string | undefined) => type !== undefined && registry.get(type)?.descriptor.type === type;
    if (VECTOR_STORES.has(node.type) && !isOwn(node.type)) {
      const store = asVectorStore(node, edges);
      findings.push(store.finding);
      edges.splice(0, edges.length, ...store.edges);
      for (const [each, counterpart] of store.nodes) {
        renamed.set(each.id, counterpart);
        nodes.push(withNames(each, counterpart));
      }
      continue;
    }
    if (node.type === TEXT_OPERATIONS) {
      const operation = asTextOperation(node, findings);
      renamed.set(node.id, operation.counterpart);
      nodes.push(withNames(operation.node, operation.counterpart));
      continue;
    }
    const counterpart = ofRows(node, edges) ?? COUNTERPARTS[node.type] ?? {};
    const applies = counterpart.type === undefined || counterpart === READ_DATA || !isOwn(node.type);
    if (applies) renamed.set(node.id, counterpart);
    const named = applies ? withNames(node, counterpart) : node;
    nodes.push({
      ...named,
      fields: { ...named.fields, ...chosenModel(node, findings), ...mcpServerFields(node, findings) },
    });
  }
  const named = edges.map((edge) => withPorts(edge, renamed));
  return { exported: { ...exported, nodes, edges: [...named, ...writesBeforeSearches(nodes, named)] }, findings };
}

function withNames(node: ExportedNode, { type, fields = {}, outputs = {} }: Counterpart): ExportedNode {
  const named = Object.entries(node.fields).map(([name, field]) => [fields[name] ?? name, field] as const);
  const selected = node.selectedOutput;
  return {
    ...node,
    type: type ?? node.type,
    selectedOutput: selected === undefined ? undefined : (outputs[selected] ?? selected),
    // A field that two names lead to keeps the value that is set.
    fields: Object.fromEntries(named.sort(([, a], [, b]) => Number(isSet(a)) - Number(isSet(b)))),
  };
}

const isSet = ({ value }: ExportedField): boolean => value !== null && value !== '';

function withPorts(edge: ExportedEdge, renamed: ReadonlyMap<string, Counterpart>): ExportedEdge {
  const { from, to } = edge;
  const target = renamed.get(to.node);
  return {
    ...edge,
    from: { ...from, port: renamed.get(from.node)?.outputs?.[from.port] ?? from.port },
    // The end of an edge at a loop is an output.
    to: { ...to, port: target?.fields?.[to.port] ?? to.port },
  };
}

function ofRows({ id, type }: ExportedNode, edges: readonly ExportedEdge[]): Counterpart | undefined {
  const used = type === 'File' ? edges.filter(({ from }) => from.node === id) : [];
  return used.length > 0 && used.every(({ from }) => from.port === 'dataframe') ? READ_DATA : undefined;
}

/** Components with a provider in their type. */
const PROVIDERS: Readonly<Record<string, string>> = {
  OpenAIModel: 'OpenAI',
  AnthropicModel: 'Anthropic',
  GoogleGenerativeAIModel: 'Google',
  GroqModel: 'Groq',
  OllamaModel: 'Ollama',
};

/** Providers of embedding models, by a component with a provider in its type, or by the provider's name there. */
const EMBEDDING_PROVIDERS: Readonly<Record<string, string>> = {
  OpenAIEmbeddings: 'OpenAI',
  OpenAI: 'OpenAI',
  OllamaEmbeddings: 'Ollama',
  Ollama: 'Ollama',
  'Google Generative AI Embeddings': 'Google Generative AI',
  'Google Generative AI': 'Google Generative AI',
  Google: 'Google Generative AI',
};

/** The model of exports that keep provider and name in two fields, and of embedding models. */
function chosenModel(node: ExportedNode, findings: Finding[]): Readonly<Record<string, ExportedField>> {
  const { id, type, fields } = node;
  const text = (name: string): string => {
    const value = fields[name]?.value;
    return typeof value === 'string' ? value : '';
  };
  const chosen = (value: Json) => ({ model: { value, isSecret: false, isVariable: false } });
  if (type === 'EmbeddingModel' || COUNTERPARTS[type] === EMBEDDINGS) {
    const listed = listedModel(fields['model']?.value);
    const name = (text('model') || text('model_name') || listed.name).replace(/^models\//, '');
    const provider = EMBEDDING_PROVIDERS[type] ?? EMBEDDING_PROVIDERS[text('provider') || listed.provider];
    if (provider !== undefined) return chosen(name === '' ? provider : `${provider}/${name}`);
    if (name !== '')
      findings.push({
        severity: 'warning',
        code: 'wrong_value',
        node: id,
        field: 'model',
        message: `The embedding model '${name}' of ${id} is left out: Croft has no embedding models of its provider.`,
        fix: 'Choose another one, or nothing for croft/lexical, which needs no key. Then write the collection again.',
      });
    return chosen(null);
  }
  const provider = PROVIDERS[type] ?? (text('provider') || text('agent_llm'));
  const name = text('model_name') || (PROVIDERS[type] === undefined ? '' : text('model'));
  const has = fields['model'] !== undefined && PROVIDERS[type] === undefined;
  return has || provider === '' || name === '' ? {} : chosen([{ provider, name }]);
}

/** Provider and name of the first model of a list; empty where the value is not one. */
function listedModel(value: Json | undefined): { readonly provider: string; readonly name: string } {
  const [first] = Array.isArray(value) ? value : [];
  const { provider, name } = (typeof first === 'object' && !Array.isArray(first) ? first : null) ?? {};
  return { provider: typeof provider === 'string' ? provider : '', name: typeof name === 'string' ? name : '' };
}
