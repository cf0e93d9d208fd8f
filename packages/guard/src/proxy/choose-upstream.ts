import type { IncomingMessage } from 'node:http';
import type { HeldBudget } from './held-budget.ts';
import type { Upstream } from './upstream.ts';
import type { Wire } from '../wire/wire.ts';

/** The upstreams below whose prefix a request lies: those of the longest one. */
export function upstreamsFor(url: string, upstreams: readonly Upstream[]): readonly Upstream[] {
  const under = upstreams.filter(({ prefix }) => isUnder(url, prefix));
  const longest = Math.max(...under.map(({ prefix }) => prefix.length));
  return under.filter(({ prefix }) => prefix.length === longest);
}

/** The first that takes this model by name, else the first that takes any. */
export function chooseByModel(upstreams: readonly Upstream[], model: string | undefined): Upstream | undefined {
  const named = model === undefined ? undefined : upstreams.find((one) => one.model?.test(model));
  return named ?? upstreams.find((one) => one.model === undefined);
}

/** Where a request goes, and the path it has there. */
export function targetAt(target: Upstream, url: string): { target: Upstream; path: string } {
  const rest = url.slice(target.prefix.length);
  const base = target.url.pathname.replace(/\/+$/, '');
  // A base URL is often given as the SDKs want it, with the version that every request has as well.
  const version = /\/v1(?:beta)?$/.exec(base)?.[0];
  const path = version && rest.startsWith(`${version}/`) ? base + rest.slice(version.length) : base + rest;
  return { target, path: path.startsWith('/') ? path : `/${path}` };
}

/**
 * The model a request asks for. Its body is read and put back. `undefined` for a body whose length is not said or is above
 * the limit: what cannot be told goes where every model does.
 *
 * @throws when the client goes before its body is here
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
