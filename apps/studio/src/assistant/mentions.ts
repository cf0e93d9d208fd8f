import { type FlowDocument, portsOf, type Registry, nodeTitle } from '@croft/flow';

/** An `@` under the cursor, with what follows it. */
export interface Mention {
  readonly start: number;
  readonly query: string;
}

/** A component or field that a mention may name. */
export interface MentionItem {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** The text that takes the place of the mention: ids, as the assistant reads them. */
  readonly insert: string;
}

const MAX_ITEMS = 8;

/** Finds the mention that is being written. An `@` inside of a word, as in an address, does not count. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
  const found = /(?:^|\s)@([\w.-]*)$/.exec(text.slice(0, cursor));
  return found?.[1] === undefined ? undefined : { start: cursor - found[1].length - 1, query: found[1] };
}

/** Components whose name or id has the text; after `ID.` the fields of that component. */
export function mentionItems(query: string, flow: FlowDocument, registry: Registry): readonly MentionItem[] {
  const [id = '', ...rest] = query.split('.');
  const node = rest.length > 0 ? flow.nodes.find((each) => each.id === id) : undefined;
  if (node !== undefined) {
    const entry = registry.get(node.type);
    const wanted = rest.join('.').toLowerCase();
    return (entry === undefined ? [] : portsOf(node, entry).fields)
      .filter(({ name, label }) => `${name} ${label}`.toLowerCase().includes(wanted))
      .slice(0, MAX_ITEMS)
      .map(({ name, label }) => {
        const text = `${id}.${name}`;
        return { id: text, title: label, about: text, insert: text };
      });
  }
  const wanted = query.toLowerCase();
  return flow.nodes
    .map((each) => ({ id: each.id, title: nodeTitle(each, registry) }))
    .filter((each) => `${each.id} ${each.title}`.toLowerCase().includes(wanted))
    .slice(0, MAX_ITEMS)
    .map((each) => ({ ...each, about: each.id, insert: each.id }));
}

/** Puts an item in the place of a mention. */
export function withMention(
  text: string,
  { start, query }: Mention,
  { insert }: MentionItem,
): { text: string; cursor: number } {
  const after = text.slice(start + 1 + query.length);
  const space = /^\s/.test(after) ? '' : ' ';
  return { text: `${text.slice(0, start)}${insert}${space}${after}`, cursor: start + insert.length + 1 };
}
