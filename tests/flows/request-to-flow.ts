import type { FlowDocument, Json } from '@croft/flow';
import { FlowDraft } from './flow-draft.ts';
import { programOf } from './request-programs.ts';
import { endOf, idOf, isProgram, NotExpressible, outputType, partOf, sourceOf, word } from './request-sources.ts';
import type { Reference, RequestGraph, RequestNode } from './requests.ts';

const escaped = (text: string): string => text.replace(/[{}]/g, (brace) => brace + brace);

/** `{{#node.variable#}}`, with or without quotes around the node; `{{ name }}` in templates. */
const REFERENCE = /\{\{#\\?['"]?([^#.'"\\]+)\\?['"]?\.([^#]+)#\}\}/g;
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

class Expression {
  readonly #name: string;
  readonly #graph: RequestGraph;
  readonly #byId: ReadonlyMap<string, RequestNode>;
  readonly #draft = new FlowDraft();

  constructor(name: string, graph: RequestGraph) {
    this.#name = name;
    this.#graph = graph;
    this.#byId = new Map(graph.nodes_info.map((node) => [node.id, node]));
  }

  flow(): FlowDocument {
    for (const node of this.#graph.nodes_info) this.#express(node);
    for (const [from, index, to] of this.#graph.edges) this.#order(from, index, to);
    return this.#draft.flow(this.#name);
  }

  /** Replaces references by variables and connects their ports of `node`. */
  #text(text: string, reader: RequestNode, node: string): string {
    const parts: string[] = [];
    let end = 0;
    for (const match of text.matchAll(REFERENCE)) {
      const [whole, id, variable] = match as unknown as [string, string, string];
      const source = sourceOf(this.#byId, [variable, id], reader);
      const name = `v_${word(id)}_${word(variable)}`;
      this.#draft.connect(
        { node: source.node, port: source.port },
        node,
        source.path === undefined ? name : `v_${word(id)}`,
      );
      parts.push(escaped(text.slice(end, match.index)));
      parts.push(source.path === undefined ? `{${name}}` : `{v_${word(id)}.${word(source.path)}}`);
      end = match.index + whole.length;
    }
    return parts.join('') + escaped(text.slice(end));
  }

  #express(node: RequestNode): void {
    const { id, type, param } = node;
    const own = idOf(id);
    switch (type) {
      case 'start':
        for (const [variable, kind] of param['variables'] as [string, string][])
          this.#draft.add(partOf(id, variable), kind === 'string' ? 'TextInput' : 'FileInput');
        return;
      case 'end':
        return this.#end(node);
      case 'llm':
        return this.#languageModel(node);
      case 'code': {
        const gives = param['outputs'].map(([name]: [string]) => word(name));
        return this.#code(node, param['variables'], gives, param['code']);
      }
      case 'template-transform':
        return this.#template(node);
      case 'document-extractor':
        this.#draft.add(own, 'DocumentText');
        return this.#draft.connect(sourceOf(this.#byId, param['variable_selector'], node), own, 'file');
      case 'variable-aggregator':
        this.#draft.add(own, 'FirstAvailable');
        for (const each of param['variables'] as Reference[])
          this.#draft.connect(sourceOf(this.#byId, each, node), own, 'values');
        return;
      case 'list-operator':
        this.#draft.add(own, 'ListItem', { index: param['operator'][1] });
        return this.#draft.connect(sourceOf(this.#byId, param['variable'], node), own, 'items');
      case 'iteration':
        return this.#iteration(node);
      case 'iteration-start':
        return;
      case 'question-classifier':
        this.#draft.add(own, 'SmartRouter', {
          routes: param['classes'].map((name: string) => ({ route_category: name })),
        });
        return this.#draft.connect(sourceOf(this.#byId, param['query_variable_selector'], node), own, 'input_text');
      case 'if-else':
        return this.#switch(node);
      case 'parameter-extractor':
        return this.#extractor(node);
      case 'markdown-exporter':
        return this.#reader(node, 'WriteDocument', 'text', param['md_text'], { format: param['target_type'] });
      case 'tts':
        return this.#reader(node, 'TextToSpeech', 'text', param['text']);
      case 'google-search':
        return this.#reader(node, 'UnifiedWebSearch', 'query', param['query']);
      case 'http-request':
        return this.#reader(
          node,
          'APIRequest',
          'url_input',
          Array.isArray(param['url']) ? `{{#${param['url'][1]}.${param['url'][0]}#}}` : param['url'],
        );
      default:
        throw new NotExpressible(`the node type ${type} has no counterpart`);
    }
  }

  /** A node that reads one text: a template writes it. */
  #reader(node: RequestNode, type: string, port: string, text: string, values: Record<string, Json> = {}): void {
    const own = idOf(node.id);
    const template = partOf(node.id, 'prompt');
    this.#draft.add(own, type, values);
    this.#draft.add(template, 'PromptTemplate', {});
    this.#draft.add(template, 'PromptTemplate', { template: this.#text(text, node, template) });
    this.#draft.connect({ node: template, port: 'prompt' }, own, port);
  }

  #languageModel(node: RequestNode): void {
    const { system, user } = node.param as { system: string; user: string };
    const own = idOf(node.id);
    this.#reader(node, 'LanguageModelComponent', 'input_value', user === '' ? system : user);
    if (user !== '' && system !== '')
      this.#draft.add(own, 'LanguageModelComponent', { system_message: this.#text(system, node, own) });
  }

  #template(node: RequestNode): void {
    const { variables, template } = node.param as { variables: [string, Reference][]; template: string };
    if (isProgram(template)) return this.#code(node, variables, ['output'], template);
    const own = idOf(node.id);
    const names = new Set(variables.map(([name]) => name));
    for (const [name, reference] of variables)
      this.#draft.connect(sourceOf(this.#byId, reference, node), own, word(name));
    const named = template.replace(TEMPLATE_NAME, (whole, name: string) =>
      names.has(name) ? `\u0001${name}\u0002` : whole,
    );
    const text = this.#text(named, node, own).replaceAll('\u0001', '{').replaceAll('\u0002', '}');
    this.#draft.add(own, 'PromptTemplate', { template: text });
    // A value that the template does not use is one that it waits for.
    for (const [name] of variables)
      if (!text.includes(`{${name}}`)) this.#draft.moveEdges(own, word(name), 'tool_placeholder');
  }

  #code(node: RequestNode, variables: readonly [string, Reference][], gives: readonly string[], code: string): void {
    const own = idOf(node.id);
    this.#draft.add(own, 'TypeScriptCode', {
      code: programOf(
        variables.map(([name]) => word(name)),
        gives,
        code,
      ),
    });
    for (const [name, reference] of variables)
      this.#draft.connect(sourceOf(this.#byId, reference, node), own, `in_${word(name)}`);
  }

  /** Conditions over several values are code; what they choose is a switch. */
  #switch(node: RequestNode): void {
    const own = idOf(node.id);
    const cases = node.param['cases'] as [string | null, [Reference, string, string?][]][];
    const read = new Map<string, Reference>();
    for (const [, conditions] of cases)
      for (const [reference] of conditions) read.set(`v_${word(reference[1])}_${word(reference[0])}`, reference);
    const choice = partOf(node.id, 'choice');
    this.#draft.add(choice, 'TypeScriptCode', { code: programOf([...read.keys()], ['case'], JSON.stringify(cases)) });
    for (const [name, reference] of read)
      this.#draft.connect(sourceOf(this.#byId, reference, node), choice, `in_${name}`);
    this.#draft.add(own, 'Switch', { cases: cases.map((_, index) => ({ match_text: String(index) })) });
    this.#draft.connect({ node: choice, port: 'case' }, own, 'input_value');
  }

  #extractor(node: RequestNode): void {
    const { query, parameters, instruction } = node.param as {
      query: Reference | string;
      parameters: [string, string, string][];
      instruction: string;
    };
    const text = Array.isArray(query) ? `{{#${query[1]}.${query[0]}#}}` : (query as string);
    const types: Readonly<Record<string, string>> = { number: 'float', boolean: 'bool' };
    this.#reader(node, 'StructuredOutput', 'input_value', text, {
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
    this.#draft.add(own, 'LoopComponent');
    this.#draft.connect(sourceOf(this.#byId, node.param['iterator_selector'], node), own, 'data');
    this.#draft.connect(sourceOf(this.#byId, node.param['output_selector'], node), own, 'item');
  }

  #end(node: RequestNode): void {
    for (const [name, reference] of node.param['outputs'] as [string, Reference][]) {
      const id = partOf(node.id, name);
      const type = outputType(this.#byId, reference);
      this.#draft.add(id, type);
      this.#draft.connect(sourceOf(this.#byId, reference, node), id, type === 'FileOutput' ? 'file' : 'input_value');
    }
  }

  /** An edge of a request says what runs after what: the later node waits for the earlier one, or for its branch. */
  #order(fromId: string, index: number, toId: string): void {
    const from = this.#byId.get(fromId);
    const to = this.#byId.get(toId);
    if (from === undefined || to === undefined) throw new NotExpressible(`an edge names a node that does not exist`);
    const gate = this.#gateOf(to);
    const source = endOf(from, index);
    if (gate !== undefined && source !== undefined) this.#draft.connect(source, gate.node, gate.port);
  }

  #gateOf({ id }: RequestNode): { node: string; port: string } | undefined {
    for (const own of [partOf(id, 'prompt'), partOf(id, 'choice'), idOf(id)]) {
      const type = this.#draft.typeOf(own);
      if (type === 'PromptTemplate') return { node: own, port: 'tool_placeholder' };
      if (type === 'ListItem') return { node: own, port: 'after' };
      if (type === 'TypeScriptCode') return { node: own, port: 'wait_for' };
    }
    return undefined;
  }
}
