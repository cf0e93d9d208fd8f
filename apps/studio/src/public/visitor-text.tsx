import type { Components } from 'react-markdown';

/** Links and pictures of an answer for visitors: they cannot open the owner's files, and no remote picture loads. */
export const VISITOR_TEXT: Components = {
  a: ({ href = '', children }) =>
    /^https?:\/\//.test(href) ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ alt = '' }) => <span>{alt}</span>,
};
