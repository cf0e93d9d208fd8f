import type { Wire } from '../wire/wire.ts';

/** What is to be done with a request. */
export type Route =
  | { readonly kind: 'judge'; readonly wire: Wire }
  | { readonly kind: 'pass' }
  | { readonly kind: 'refuse'; readonly reason: string };

/** Endpoints whose replies hold no tool call, by the end of their path. Everything else that is posted is refused. */
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

/** Replies that may hold calls although they are only fetched. */
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
 * Decides about a request by method and path. `passPaths` are the operator's own additions to what passes unread.
 *
 * By default-deny: a posted path that is not known to be free of calls is refused, so that a new endpoint, or an old one
 * spelled in a way only the upstream understands, is never a way round the guard.
 */
export function routeOf(method: string, url: string, wires: readonly Wire[], passPaths: readonly RegExp[]): Route {
  const path = comparablePath(url);
  if (path === undefined) return { kind: 'refuse', reason: 'its path can be read in more than one way' };
  const wire = wires.find((each) => each.matches(method, path));
  if (wire) return { kind: 'judge', wire };
  if (passPaths.some((pattern) => pattern.test(path))) return { kind: 'pass' };
  if (method === 'GET' || method === 'HEAD') {
    if (!CALLS_BY_GET.some((pattern) => pattern.test(path))) return { kind: 'pass' };
    return { kind: 'refuse', reason: `stored replies may hold tool calls that the guard does not judge` };
  }
  if (method === 'OPTIONS' || method === 'DELETE') return { kind: 'pass' };
  if (method === 'POST' && HARMLESS_POSTS.some((pattern) => pattern.test(path))) return { kind: 'pass' };
  return { kind: 'refuse', reason: 'its replies may hold tool calls that the guard does not judge' };
}

/**
 * A path for comparing, as the most generous server would read it: percent-decoded until nothing changes, lower case, no query,
 * no doubled or trailing slashes, no dot segments. `undefined`: it is no path of this server, or holds what servers end a
 * path at or do not, so that they would find two different endpoints in it (`;`, `\`, control characters, `#`, a `?` that
 * was encoded).
 */
export function comparablePath(url: string): string | undefined {
  if (!url.startsWith('/')) return undefined;
  let path = url.split('?', 1)[0] ?? '';
  for (let round = 0; path.includes('%'); round++) {
    if (round === 4) return undefined;
    try {
      const decoded = decodeURIComponent(path);
      if (decoded === path) break;
      path = decoded;
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
