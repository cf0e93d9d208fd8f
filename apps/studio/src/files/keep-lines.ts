interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  children?: MarkdownNode[];
}

/** A plugin of remark: shows a line end within a paragraph as a line end, as chats do. Markdown shows it as a space. */
export const keepLines = () => splitLines;

function splitLines(node: MarkdownNode): void {
  node.children = node.children?.flatMap((child) => {
    if (child.type === 'text') return linesOf(child.value ?? '');
    splitLines(child);
    return [child];
  });
}

const linesOf = (text: string): MarkdownNode[] =>
  text.split('\n').flatMap((value, at) => [...(at > 0 ? [{ type: 'break' }] : []), { type: 'text', value }]);
