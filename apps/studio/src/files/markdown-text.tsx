import Markdown, { type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { contentUrl, type Root } from '../api/files.ts';
import { Link } from '../routing/link.tsx';
import { folderOf, kindOf, resolveLink } from './paths.ts';
import { toFilesPlace } from './place-of-files.ts';

/**
 * A document as its author meant it, but for what could do something: no raw HTML, no scripts, no pictures from the
 * net (the policy would refuse them; their words are shown). Links and pictures within the root work.
 */
export function MarkdownText({ root, path, text }: { root: Root; path: string; text: string }) {
  return (
    <div className="croft-prose">
      <Markdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[[rehypeSanitize, defaultSchema]]}
        components={componentsFor(root, folderOf(path))}
      >
        {text}
      </Markdown>
    </div>
  );
}

function componentsFor(root: Root, folder: string): Components {
  return {
    a({ href = '', children }) {
      const inside = resolveLink(folder, href);
      if (inside !== undefined && inside !== '')
        return <Link to={toFilesPlace({ root, dir: folderOf(inside), file: inside })}>{children}</Link>;
      if (href.startsWith('#')) return <a href={`${location.pathname}${location.search}${href}`}>{children}</a>;
      return (
        <a href={href} target="_blank" rel="noreferrer">
          {children}
        </a>
      );
    },
    img({ src = '', alt = '' }) {
      const inside = resolveLink(folder, `${src}`);
      if (inside !== undefined && kindOf(inside) === 'image') return <img src={contentUrl(root, inside)} alt={alt} />;
      return <em>[picture: {alt || 'without words'}]</em>;
    },
    // A wide one scrolls by itself, which needs the keyboard to get in.
    table: ({ children }) => (
      <div role="region" aria-label="Table" tabIndex={0} className="overflow-x-auto">
        <table>{children}</table>
      </div>
    ),
    pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
    // The title of the document stands below the title of the pane.
    h1: ({ children }) => <h3 className="first">{children}</h3>,
    h2: ({ children }) => <h4 className="second">{children}</h4>,
    h3: ({ children }) => <h5>{children}</h5>,
    h4: ({ children }) => <h6>{children}</h6>,
    h5: ({ children }) => <h6>{children}</h6>,
  };
}
