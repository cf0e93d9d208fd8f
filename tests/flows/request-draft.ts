import { FlowDraft } from './flow-draft.ts';
import type { Json } from '@croft/flow';
import { programOf } from './request-programs.ts';
import { idOf, partOf, REFERENCE, sourceOf, word } from './request-sources.ts';
import type { Reference, RequestGraph, RequestNode } from './requests.ts';

const escaped = (text: string): string => text.replace(/[{}]/g, (brace) => brace + brace);

/** A flow under construction from a request's graph: nodes that read texts and code, with the edges of their references. */
export class RequestDraft {
  protected readonly graph: RequestGraph;
  protected readonly byId: ReadonlyMap<string, RequestNode>;
  protected readonly draft = new FlowDraft();

  constructor(graph: RequestGraph) {
    this.graph = graph;
    this.byId = new Map(graph.nodes_info.map((node) => [node.id, node]));
  }

  /** Replaces references by variables and connects their ports of `node`. */
  protected text(text: string, reader: RequestNode, node: string): string {
    const parts: string[] = [];
    let end = 0;
    for (const match of text.matchAll(REFERENCE)) {
      const [whole, id, variable] = match as unknown as [string, string, string];
      const source = sourceOf(this.byId, [variable, id], reader);
      const name = `v_${word(id)}_${word(variable)}`;
      this.draft.connect(
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

  /** A node that reads one text: a template writes it. */
  protected reader(
    node: RequestNode,
    type: string,
    port: string,
    text: string,
    values: Record<string, Json> = {},
  ): void {
    const own = idOf(node.id);
    const template = partOf(node.id, 'prompt');
    this.draft.add(own, type, values);
    this.draft.add(template, 'PromptTemplate', {});
    this.draft.add(template, 'PromptTemplate', { template: this.text(text, node, template) });
    this.draft.connect({ node: template, port: 'prompt' }, own, port);
  }

  protected code(
    node: RequestNode,
    variables: readonly [string, Reference][],
    gives: readonly string[],
    code: string,
  ): void {
    const own = idOf(node.id);
    this.draft.add(own, 'TypeScriptCode', {
      code: programOf(
        variables.map(([name]) => word(name)),
        gives,
        code,
      ),
    });
    for (const [name, reference] of variables)
      this.draft.connect(sourceOf(this.byId, reference, node), own, `in_${word(name)}`);
  }
}
