import type { IncomingMessage } from 'node:http';
import type { HeldBudget } from './held-budget.ts';
import type { Upstream } from './upstream.ts';
import type { Wire } from '../wire/wire.ts';

/** The upstreams whose prefix matches a request: those with the longest one. */
export function upstreamsFor(url: string, upstreams: readonly Upstream[]): readonly Upstream[] {
  const under = upstreams.filter(({ prefix }) => isUnder(url, prefix));
  const longest = Math.max(...under.map(({ prefix }) => prefix.length));
  return under.filter(({ prefix }) => prefix.length === longest);
}

/** The first upstream for this model, else the first for any model. */
export function chooseByModel(upstreams: readonly Upstream[], model: string | undefined): Upstream | undefined {
  const named = model === undefined ? undefined : upstreams.find((one) => one.model?.test(model));
  return named ?? upstreams.find((one) => one.model === undefined);
}

/** The upstream of a request, and the path there. */
export function targetAt(target: Upstream, url: string): { target: Upstream; path: string } {
  const rest = url.slice(target.prefix.length);
  const base = target.url.pathname.replace(/\/+$/, '');
  // SDK documentation often gives a base URL with the version, which every request path contains too.
  const version = /\/v1(?:beta)?$/.exec(base)?.[0];
  const path = version && rest.startsWith(`${version}/`) ? base + rest.slice(version.length) : base + rest;
  return { target, path: path.startsWith('/') ? path : `/${path}` };
}

/**
 * The model of a request. Reads the body and puts it back. `undefined` for a body of unknown length or above the limit:
 * that request goes to the upstream for any model.
 *
 * @throws if the client disconnects before the body is complete
 */
export async function modelOf(
  req: IncomingMessage,
  wire: Wire,
  url: string,
  maxBytes: number,
  budget: HeldBudget,
): Promise<string | undefined> {
  const inUrl = wire.model(undefined, url);
  if (inUrl !== undefined) return inUrl;
  const length = Number(req.headers['content-length']);
  if (!(length > 0 && length <= maxBytes) || !budget.take(length)) return undefined;
  try {
    return wire.model(await peekBody(req, length), url);
  } finally {
    budget.give(length);
  }
}

function peekBody(req: IncomingMessage, length: number): Promise<Buffer> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (): void => {
      for (let chunk = req.read() as Buffer | null; chunk !== null; chunk = req.read() as Buffer | null) {
        chunks.push(chunk);
        size += chunk.length;
      }
      if (size < length) return;
      req.off('readable', take).off('close', gone);
      const body = Buffer.concat(chunks);
      req.unshift(body);
      done(body);
    };
    const gone = (): void => fail(new Error('the client is gone'));
    req.on('readable', take).on('close', gone);
  });
}

function isUnder(url: string, prefix: string): boolean {
  if (!url.startsWith(prefix)) return false;
  const next = url[prefix.length];
  return next === undefined || next === '/' || next === '?' || prefix === '';
}
