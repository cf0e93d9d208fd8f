import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Upstream } from '@croft/guard';
import type { KeyRoot } from '../compose/request-judges.ts';
import { UsageError } from '../usage-error.ts';

/** Parses `URL`, `/prefix=URL` or `model:NAME=URL`. */
export function parseUpstream(text: string): Upstream {
  const [, prefix = '', name, address = ''] = /^(?:(\/[^=]*)=|model:([^=]+)=)?(.*)$/s.exec(text) ?? [];
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new UsageError(
      `--upstream ${text}: give a URL, such as https://api.openai.com, /prefix=URL or model:NAME=URL`,
    );
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new UsageError(`--upstream ${text}: only http and https`);
  if (url.username || url.password || url.search || url.hash)
    throw new UsageError(`--upstream ${text}: without a name, a query or a fragment; keys come with the requests`);
  return { prefix: prefix.replace(/\/+$/, ''), url, ...(name !== undefined && { model: toPattern(name) }) };
}

/** Converts a model's name to a pattern; `*` matches any text. */
function toPattern(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'is');
}

/** Parses `DIGEST=DIR`. */
export function parseKeyRoot(text: string): KeyRoot {
  const [, digest, dir] = /^([0-9a-f]{8,64})=(.+)$/is.exec(text) ?? [];
  if (digest === undefined || dir === undefined)
    throw new UsageError(
      `--key-root ${text}: give the start of the key's SHA-256 (8 digits or more), =, and a directory`,
    );
  return { digest: digest.toLowerCase(), root: existingDir(dir) };
}

/** The real path of a directory. @throws UsageError if there is none */
export function existingDir(dir: string): string {
  const path = resolve(dir);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`Not a directory: ${dir}`);
  return realpathSync(path);
}

/** Parses a regular expression. */
export function parsePattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    throw new UsageError(`--pass ${text}: not a regular expression`);
  }
}
