/** A node of a document as rehype has it. */
export interface HtmlNode {
  readonly type: string;
  readonly tagName?: string;
  readonly value?: string;
  properties?: Record<string, unknown>;
  readonly children?: readonly HtmlNode[];
}

/**
 * A plugin of rehype: gives each heading the id that GitHub gives it, so that a table of contents leads there. The prefix keeps the
 * ids of a document apart from those of the page.
 */
export const headingIds = (prefix: string) => (tree: HtmlNode) => nameHeadings(tree, prefix, new Set());

function nameHeadings(node: HtmlNode, prefix: string, taken: Set<string>): void {
  if (/^h[1-6]$/.test(node.tagName ?? '')) {
    const slug = slugOf(textOf(node));
    let free = slug;
    for (let count = 1; taken.has(free); count++) free = `${slug}-${count}`;
    taken.add(free);
    node.properties = { ...node.properties, id: prefix + free };
  }
  for (const child of node.children ?? []) nameHeadings(child, prefix, taken);
}

const textOf = ({ value = '', children = [] }: HtmlNode): string => value + children.map(textOf).join('');

/** As GitHub does it: https://github.com/Flet/github-slugger. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
