import type { Wire } from '../wire/wire.ts';

/** How to handle a request. */
export type Route =
  | { readonly kind: 'judge'; readonly wire: Wire }
  | { readonly kind: 'pass' }
  | {
      readonly kind: 'refuse';
      readonly reason: string;
      /** The path, in the form of `comparablePath`, if `passPaths` can let it pass. */
      readonly path?: string;
    };

/** Endpoints whose replies cannot contain a tool call, by the end of their path. Every other POST is refused. */
const HARMLESS_POSTS = [
  /\/embeddings$/,
  /(?<!\/chat)\/completions$/,
  /\/moderations$/,
  /\/rerank$/,
  /\/(de)?tokenize$/,
  /\/count_tokens$/,
  /\/responses\/input_tokens$/,
  /:(counttokens|embedcontent|batchembedcontents|embedtext)$/,
  /\/images\/(generations|edits|variations)$/,
  /\/audio\/(speech|transcriptions|translations)$/,
  /\/(files|uploads|vector_stores|cachedcontents)(\/[^/]+)*$/,
];

/** Replies to GET requests that may contain calls. */
const CALLS_BY_GET = [
  /\/chat\/completions(\/|$)/,
  /\/responses(\/|$)/,
  /\/(threads|conversations|assistants)(\/|$)/,
  /\/batches(\/|$)/,
  /\/interactions(\/|$)/,
  // Results of batches are files.
  /\/files\/[^/]+\/content(\/|$)/,
  /:download$/,
  /\/realtime(\/|$)/,
  /:(streamgeneratecontent|generatecontent)$/,
];

/**
 * Decides how to handle a request, by method and path. `passPaths` are the operator's own additions to the paths that
 * pass unread.
 *
 * Denies by default: a POST to an unknown path is refused, so that neither a new endpoint nor an old one in a spelling
 * that only the upstream understands bypasses the guard.
 */
export function routeOf(method: string, url: string, wires: readonly Wire[], passPaths: readonly RegExp[]): Route {
  const path = comparablePath(url);
  if (path === undefined) return { kind: 'refuse', reason: 'its path can be read in more than one way' };
  const wire = wires.find((each) => each.matches(method, path));
  if (wire) return { kind: 'judge', wire };
  if (passPaths.some((pattern) => pattern.test(path))) return { kind: 'pass' };
  if (method === 'GET' || method === 'HEAD') {
    if (!CALLS_BY_GET.some((pattern) => pattern.test(path))) return { kind: 'pass' };
    return { kind: 'refuse', path, reason: 'stored replies may hold tool calls that the guard does not judge' };
  }
  if (method === 'OPTIONS' || method === 'DELETE') return { kind: 'pass' };
  if (method === 'POST' && HARMLESS_POSTS.some((pattern) => pattern.test(path))) return { kind: 'pass' };
  return { kind: 'refuse', path, reason: 'its replies may hold tool calls that the guard does not judge' };
}

/**
 * A pattern of `passPaths` for one path. It is safe between quotes of a shell: a program chooses the path, and an operator
 * may copy the pattern.
 */
export function passPattern(path: string): string {
  return `^${path.replace(/[^\w/:-]/g, '.')}$`;
}

/**
 * Normalises a path as the most permissive server would: percent-decoded until nothing changes, lower case, without
 * query, doubled or trailing slashes and dot segments. `undefined` if it is not a path of this server, or if servers
 * would disagree where it ends (`;`, `\`, control characters, `#`, an encoded `?`).
 */
export function comparablePath(url: string): string | undefined {
  if (!url.startsWith('/')) return undefined;
  let path = url.split('?', 1)[0] ?? '';
  for (let round = 0; path.includes('%'); round++) {
    if (round === 4) return undefined;
    try {
      path = decodeURIComponent(path);
    } catch {
      return undefined;
    }
  }
  if (/[;?#\\\u0000-\u001f\u007f]/.test(path)) return undefined;
  const segments: string[] = [];
  for (const raw of path.toLowerCase().split('/')) {
    const segment = raw.trim();
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}
