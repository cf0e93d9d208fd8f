import { Marked } from 'marked';
import { isAddress } from './markdown-blocks.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse}td,th{border:1px solid #999;padding:.25rem .5rem}pre{overflow:auto;background:#f4f4f4;padding:.75rem}blockquote{border-left:3px solid #999;margin-left:0;padding-left:1rem}';

/** Opened from a disk, the page must not send anything or run anything. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** A page of its own, without scripts. HTML in the Markdown is shown as text; images are links. */
export function toHtml(markdown: string, title: string): string {
  const marked = new Marked({
    gfm: true,
    async: false,
    renderer: {
      html: ({ text }) => escaped(text),
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        return isAddress(href) ? `<a href="${escaped(href)}">${text}</a>` : text;
      },
      image: ({ href, text }) =>
        isAddress(href) ? `<a href="${escaped(href)}">${escaped(text || href)}</a>` : escaped(text),
    },
  });
  const body = marked.parse(markdown) as string;
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}</body>
</html>
`;
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
