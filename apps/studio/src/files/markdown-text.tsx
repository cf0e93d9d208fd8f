import { type ReactNode, useId } from 'react';
import Markdown, { type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { contentUrl } from '../api/files.ts';
import { Link } from '../routing/link.tsx';
import { headingIds } from './heading-ids.ts';
import { keepLines } from './keep-lines.ts';
import { folderOf, kindOf, resolveLink } from './paths.ts';
import { toFilesPlace } from './place-of-files.ts';

/**
 * Renders a document without its active parts: no raw HTML, no scripts, no remote pictures. The content security policy
 * would refuse remote pictures, so their alternative text is shown. Links and pictures within the tree, and links to
 * headings, work. `under` is
 * the level of the heading above the document. `components` replaces how elements look. `isChat`: a line end stays one.
 */
export function MarkdownText({
  path,
  text,
  under,
  components,
  isChat = false,
}: {
  path: string;
  text: string;
  under: number;
  components?: Components;
  isChat?: boolean;
}) {
  const prefix = `${useId()}-`;
  return (
    <div className="croft-prose">
      <Markdown
        remarkPlugins={isChat ? IN_CHAT : IN_DOCUMENT}
        rehypePlugins={[
          [rehypeSanitize, defaultSchema],
          [headingIds, prefix],
        ]}
        components={{ ...componentsFor(folderOf(path), prefix), ...headingsUnder(under), ...components }}
      >
        {text}
      </Markdown>
    </div>
  );
}

const IN_DOCUMENT = [remarkGfm];
const IN_CHAT = [remarkGfm, keepLines];

/** Puts the document's headings below the title of the pane. */
function headingsUnder(under: number): Components {
  const at = (level: number, look?: string) => {
    const Tag = `h${Math.min(6, level + under)}` as 'h2';
    return ({ id, children }: { id?: string | undefined; children?: ReactNode }) => (
      <Tag id={id} className={look}>
        {children}
      </Tag>
    );
  };
  return { h1: at(1, 'first'), h2: at(2, 'second'), h3: at(3), h4: at(4), h5: at(5), h6: at(6) };
}

function componentsFor(folder: string, prefix: string): Components {
  return {
    a({ href = '', children }) {
      const inside = resolveLink(folder, href);
      if (inside !== undefined && inside !== '')
        return <Link to={toFilesPlace({ dir: folderOf(inside), file: inside })}>{children}</Link>;
      if (href.startsWith('#'))
        return <a href={`${location.pathname}${location.search}#${prefix}${href.slice(1)}`}>{children}</a>;
      return (
        <a href={href} target="_blank" rel="noreferrer">
          {children}
        </a>
      );
    },
    img({ src = '', alt = '' }) {
      const inside = resolveLink(folder, `${src}`);
      if (inside !== undefined && kindOf(inside) === 'image') return <img src={contentUrl(inside)} alt={alt} />;
      return <em>[picture: {alt || 'no description'}]</em>;
    },
    input: ({ checked }) => (
      <input type="checkbox" disabled checked={checked ?? false} aria-label={checked ? 'done' : 'to do'} />
    ),
    // A wide table scrolls on its own. It is focusable so that the keyboard can scroll it.
    table: ({ children }) => (
      <div role="region" aria-label="Table" tabIndex={0} className="overflow-x-auto">
        <table>{children}</table>
      </div>
    ),
    pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  };
}
