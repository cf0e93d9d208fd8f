import { marked, type Token, type Tokens } from 'marked';

/** A text with one look. */
export interface Run {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly code?: boolean;
  readonly strike?: boolean;
  /** An address of http, https or mailto. */
  readonly link?: string;
}

/** A part of a document. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly runs: readonly Run[] }
  | { readonly kind: 'paragraph' | 'quote'; readonly runs: readonly Run[] }
  | { readonly kind: 'item'; readonly level: number; readonly list: number | undefined; readonly runs: readonly Run[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Run[])[])[] }
  | { readonly kind: 'rule' };

const MAX_LEVEL = 8;
const WITHOUT_TEXT = new Set(['space', 'def', 'checkbox']);

/** Markdown as a flat list of blocks. Items of lists know their level, and of which numbered list they are. */
export function readBlocks(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  let lists = 0;
  const add = (tokens: readonly Token[], level: number, list: number | undefined, isQuote: boolean): void => {
    for (const token of tokens as readonly Tokens.Generic[]) {
      const runs = () =>
        runsOf(token.tokens ?? [{ type: 'text', raw: token.raw, text: String(token['text'] ?? token.raw).trimEnd() }]);
      if (token.type === 'heading') blocks.push({ kind: 'heading', level: Number(token['depth']), runs: runs() });
      else if (token.type === 'list') {
        const { ordered, items } = token as unknown as Tokens.List;
        const own = ordered ? ++lists : undefined;
        for (const item of items) {
          const at = blocks.length;
          add(item.tokens, level + 1, own, isQuote);
          if (item.task) blocks.splice(at, 1, ...withMark(blocks[at], item.checked === true ? '☑ ' : '☐ '));
        }
      } else if (token.type === 'code') blocks.push({ kind: 'code', text: String(token['text']) });
      else if (token.type === 'blockquote') add(token.tokens ?? [], level, list, true);
      else if (token.type === 'table') {
        const { header, rows } = token as unknown as Tokens.Table;
        blocks.push({ kind: 'table', rows: [header, ...rows].map((row) => row.map((cell) => runsOf(cell.tokens))) });
      } else if (token.type === 'hr') blocks.push({ kind: 'rule' });
      else if (!WITHOUT_TEXT.has(token.type)) {
        if (level > 0) blocks.push({ kind: 'item', level: Math.min(level, MAX_LEVEL) - 1, list, runs: runs() });
        else blocks.push({ kind: isQuote ? 'quote' : 'paragraph', runs: runs() });
      }
    }
  };
  add(marked.lexer(markdown), 0, undefined, false);
  return blocks;
}

function withMark(block: Block | undefined, mark: string): readonly Block[] {
  if (block === undefined) return [];
  return 'runs' in block ? [{ ...block, runs: [{ text: mark }, ...block.runs] }] : [block];
}

function runsOf(tokens: readonly Token[], look: Omit<Run, 'text'> = {}): readonly Run[] {
  return (tokens as readonly Tokens.Generic[]).flatMap((token): readonly Run[] => {
    const text = String(token['text'] ?? token.raw);
    const inner = (more: Omit<Run, 'text'>) => runsOf(token.tokens ?? [], { ...look, ...more });
    switch (token.type) {
      case 'strong':
        return inner({ bold: true });
      case 'em':
        return inner({ italic: true });
      case 'del':
        return inner({ strike: true });
      case 'codespan':
        return [{ ...look, text: decoded(text), code: true }];
      case 'br':
        return [{ ...look, text: '\n' }];
      case 'link':
        return inner(isAddress(token['href']) ? { link: String(token['href']) } : {});
      default:
        if (token.tokens !== undefined && token.tokens.length > 0) return runsOf(token.tokens, look);
        return [{ ...look, text: decoded(text) }];
    }
  });
}

/** Other schemes, such as `javascript:` and `file:`, stay text. */
export const isAddress = (href: unknown): boolean => /^(https?:\/\/|mailto:)/i.test(String(href));

/** The lexer leaves entities as they are. */
const decoded = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&nbsp;', '\u00a0')
    .replaceAll('&amp;', '&');
