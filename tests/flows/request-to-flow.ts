import type { FlowDocument } from '@croft/flow';
import { RequestDraft } from './request-draft.ts';
import { programOf } from './request-programs.ts';
import {
  endOf,
  idOf,
  isFile,
  isProgram,
  NotExpressible,
  outputType,
  partOf,
  referencesIn,
  sourceOf,
  word,
} from './request-sources.ts';
import type { Reference, RequestGraph, RequestNode } from './requests.ts';

/** `{{ name }}` in templates. */
const TEMPLATE_NAME = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;

/**
 * Expresses a request's graph as a flow. Code in Python becomes a TypeScript component with the same names of inputs and
 * outputs, and so does a template with statements. An edge that only orders two nodes ends at the port that waits.
 *
 * @throws NotExpressible where the graph names a node or variable that it does not have
 */
export function requestToFlow(name: string, graph: RequestGraph): FlowDocument {
  return new Expression(name, graph).flow();
}

class Expression extends RequestDraft {
  readonly #name: string;

  constructor(name: string, graph: RequestGraph) {
    super(graph);
    this.#name = name;
  }

  flow(): FlowDocument {
    for (const node of this.graph.nodes_info) this.#express(node);
    for (const [from, index, to] of this.graph.edges) this.#order(from, index, to);
    return this.draft.flow(this.#name);
  }

  #express(node: RequestNode): void {
    const { id, type, param } = node;
    const own = idOf(id);
    switch (type) {
      case 'start':
        for (const [variable, kind] of param['variables'] as [string, string][])
          this.draft.add(partOf(id, variable), isFile(kind) ? 'FileInput' : 'TextInput');
        return;
      case 'end':
        return this.#end(node);
      case 'llm':
        return this.#languageModel(node);
      case 'code': {
        const gives = param['outputs'].map(([name]: [string]) => word(name));
        return this.code(node, param['variables'], gives, param['code']);
      }
      case 'template-transform':
        return this.#template(node);
      case 'document-extractor':
        this.draft.add(own, 'DocumentText');
        return this.draft.connect(sourceOf(this.byId, param['variable_selector'], node), own, 'file');
      case 'variable-aggregator':
        this.draft.add(own, 'FirstAvailable');
        for (const each of param['variables'] as Reference[])
          this.draft.connect(sourceOf(this.byId, each, node), own, 'values');
        return;
      case 'knowledge-retrieval':
        this.draft.add(own, 'VectorSearch', { collection: 'documents' });
        return this.draft.connect(sourceOf(this.byId, param['query_variable_selector'], node), own, 'search_query');
      case 'agent':
        return this.reader(node, 'Agent', 'input_value', param['query'] ?? param['user'] ?? '', {
          ...(typeof param['instruction'] === 'string' && { system_prompt: param['instruction'] }),
        });
      case 'list-operator':
        if (param['operator'][0] !== 'extract_by')
          return this.code(node, [['items', param['variable']]], ['result'], JSON.stringify(param['operator']));
        this.draft.add(own, 'ListItem', { index: param['operator'][1] });
        return this.draft.connect(sourceOf(this.byId, param['variable'], node), own, 'items');
      case 'iteration':
        return this.#iteration(node);
      case 'iteration-start':
        return;
      case 'question-classifier':
        this.draft.add(own, 'SmartRouter', {
          routes: param['classes'].map((name: string) => ({ route_category: name })),
        });
        return this.draft.connect(sourceOf(this.byId, param['query_variable_selector'], node), own, 'input_text');
      case 'if-else':
        return this.#switch(node);
      case 'parameter-extractor':
        return this.#extractor(node);
      case 'markdown-exporter':
        return this.reader(node, 'WriteDocument', 'text', param['md_text'], { format: param['target_type'] });
      case 'tts':
        return this.reader(node, 'TextToSpeech', 'text', param['text']);
      case 'google-search':
        return this.reader(node, 'UnifiedWebSearch', 'query', param['query']);
      case 'http-request':
        return this.#request(node);
      case 'loop':
      case 'assigner':
        throw new NotExpressible(`the node type ${type} has no counterpart`);
      default:
        return this.#tool(node);
    }
  }

  #request(node: RequestNode): void {
    const { url, method, body } = node.param as { url: string | Reference; method?: string; body?: unknown };
    const values = method === undefined ? {} : { method: method.toUpperCase() };
    this.reader(
      node,
      'APIRequest',
      'url_input',
      Array.isArray(url) ? `{{#${url[1]}.${url[0]}#}}` : String(url),
      values,
    );
    if (typeof body !== 'string' || body === '') return;
    const text = partOf(node.id, 'body');
    this.draft.add(text, 'PromptTemplate', { template: this.text(body, node, text) });
    this.draft.connect({ node: text, port: 'prompt' }, idOf(node.id), 'body');
  }

  /** A tool of another product is a tool of an MCP server. Code writes its arguments. */
  #tool(node: RequestNode): void {
    const own = idOf(node.id);
    const args = partOf(node.id, 'arguments');
    const read = new Map(
      referencesIn(node.param, this.byId).map((each) => [`v_${word(each[1])}_${word(each[0])}`, each]),
    );
    this.draft.add(args, 'TypeScriptCode', {
      code: programOf([...read.keys()], ['arguments'], JSON.stringify(node.param)),
    });
    for (const [name, reference] of read) this.draft.connect(sourceOf(this.byId, reference, node), args, `in_${name}`);
    this.draft.add(own, 'MCPTools', { url: 'https://tools.example.com/mcp', tool: node.type });
    this.draft.connect({ node: args, port: 'arguments' }, own, 'tool_arguments');
  }

  #languageModel(node: RequestNode): void {
    const { system, user } = node.param as { system: string; user: string };
    const own = idOf(node.id);
    this.reader(node, 'LanguageModelComponent', 'input_value', user === '' ? system : user);
    if (user !== '' && system !== '')
      this.draft.add(own, 'LanguageModelComponent', { system_message: this.text(system, node, own) });
  }

  #template(node: RequestNode): void {
    const { variables, template } = node.param as { variables: [string, Reference][]; template: string };
    if (isProgram(template)) return this.code(node, variables, ['output'], template);
    const own = idOf(node.id);
    const names = new Set(variables.map(([name]) => name));
    for (const [name, reference] of variables)
      this.draft.connect(sourceOf(this.byId, reference, node), own, word(name));
    const named = template.replace(TEMPLATE_NAME, (whole, name: string) =>
      names.has(name) ? `\u0001${name}\u0002` : whole,
    );
    const text = this.text(named, node, own).replaceAll('\u0001', '{').replaceAll('\u0002', '}');
    this.draft.add(own, 'PromptTemplate', { template: text });
    // A value that the template does not use is one that it waits for.
    for (const [name] of variables)
      if (!text.includes(`{${name}}`)) this.draft.moveEdges(own, word(name), 'tool_placeholder');
  }

  /** Conditions over several values are code; what they choose is a switch. */
  #switch(node: RequestNode): void {
    const own = idOf(node.id);
    const cases = node.param['cases'] as [string | null, [Reference, string, string?][]][];
    const read = new Map<string, Reference>();
    for (const [, conditions] of cases)
      for (const [reference] of conditions) read.set(`v_${word(reference[1])}_${word(reference[0])}`, reference);
    const choice = partOf(node.id, 'choice');
    this.draft.add(choice, 'TypeScriptCode', { code: programOf([...read.keys()], ['case'], JSON.stringify(cases)) });
    for (const [name, reference] of read)
      this.draft.connect(sourceOf(this.byId, reference, node), choice, `in_${name}`);
    this.draft.add(own, 'Switch', { cases: cases.map((_, index) => ({ match_text: String(index) })) });
    this.draft.connect({ node: choice, port: 'case' }, own, 'input_value');
  }

  #extractor(node: RequestNode): void {
    const { query, parameters, instruction } = node.param as {
      query: Reference | string;
      parameters: [string, string, string][];
      instruction: string;
    };
    const text = Array.isArray(query) ? `{{#${query[1]}.${query[0]}#}}` : (query as string);
    const types: Readonly<Record<string, string>> = { number: 'float', boolean: 'bool' };
    this.reader(node, 'StructuredOutput', 'input_value', text, {
      ...(instruction !== '' && { system_prompt: instruction }),
      output_schema: parameters.map(([description, name, type]) => ({
        name: word(name),
        description,
        type: types[type] ?? 'str',
        multiple: type.startsWith('array'),
      })),
    });
  }

  #iteration(node: RequestNode): void {
    const own = idOf(node.id);
    this.draft.add(own, 'LoopComponent');
    this.draft.connect(sourceOf(this.byId, node.param['iterator_selector'], node), own, 'data');
    this.draft.connect(sourceOf(this.byId, node.param['output_selector'], node), own, 'item');
  }

  #end(node: RequestNode): void {
    for (const [name, reference] of node.param['outputs'] as [string, Reference][]) {
      const id = partOf(node.id, name);
      const type = outputType(this.byId, reference);
      this.draft.add(id, type);
      this.draft.connect(sourceOf(this.byId, reference, node), id, type === 'FileOutput' ? 'file' : 'input_value');
    }
  }

  /** An edge of a request says what runs after what: the later node waits for the earlier one, or for its branch. */
  #order(fromId: string, index: number, toId: string): void {
    const from = this.byId.get(fromId);
    const to = this.byId.get(toId);
    if (from === undefined || to === undefined) throw new NotExpressible(`an edge names a node that does not exist`);
    const gate = this.#gateOf(to);
    const source = endOf(from, index);
    if (gate !== undefined && source !== undefined) this.draft.connect(source, gate.node, gate.port);
  }

  #gateOf({ id }: RequestNode): { node: string; port: string } | undefined {
    for (const own of [partOf(id, 'prompt'), partOf(id, 'choice'), partOf(id, 'arguments'), idOf(id)]) {
      const type = this.draft.typeOf(own);
      if (type === 'PromptTemplate') return { node: own, port: 'tool_placeholder' };
      if (type === 'ListItem') return { node: own, port: 'after' };
      if (type === 'TypeScriptCode') return { node: own, port: 'wait_for' };
    }
    return undefined;
  }
}
