import { type ReactNode, useRef } from 'react';
import type { Components } from 'react-markdown';
import { MarkdownText } from '../files/markdown-text.tsx';
import { CopyButton } from '../ui/copy-button.tsx';

/** An answer as Markdown. Links and pictures of the user's files work. `components` replaces how elements look. */
export function AnswerText({ text, components }: { text: string; components?: Components }) {
  return <MarkdownText path="" text={text} isChat under={1} components={{ ...IN_CHAT, ...components }} />;
}

function CodeBlock({ children }: { children?: ReactNode }) {
  const block = useRef<HTMLPreElement>(null);
  return (
    <div className="group relative">
      <pre ref={block} tabIndex={0}>
        {children}
      </pre>
      <div className="absolute top-1.5 right-1.5 transition-opacity md:opacity-0 md:group-focus-within:opacity-100 md:group-hover:opacity-100">
        <CopyButton text={() => Promise.resolve(block.current?.textContent ?? '')} label="Copy code" small />
      </div>
    </div>
  );
}

/** Headings of one level: an answer may begin with any level, and levels of a page must not leave one out. */
const headingWith = (look?: string) => {
  function Heading({ children }: { children?: ReactNode }) {
    return <h2 className={look}>{children}</h2>;
  }
  return Heading;
};
const small = headingWith();
const IN_CHAT: Components = {
  pre: CodeBlock,
  h1: headingWith('first'),
  h2: headingWith('second'),
  h3: small,
  h4: small,
  h5: small,
  h6: small,
};
