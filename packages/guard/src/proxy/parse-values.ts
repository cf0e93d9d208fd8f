import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { GuardConfigError } from '../policy/guard-config-error.ts';
import type { KeyRoot } from './request-judges.ts';
import type { Upstream } from './upstream.ts';

/**
 * Parses `URL`, `/prefix=URL` or `model:NAME=URL`.
 *
 * @param option the flag or variable that the text is from, for the error
 * @throws GuardConfigError
 */
export function parseUpstream(text: string, option: string): Upstream {
  const [, prefix = '', name, address = ''] = /^(?:(\/[^=]*)=|model:([^=]+)=)?(.*)$/s.exec(text) ?? [];
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new GuardConfigError(
      `${option} ${text}`,
      ': give a URL, such as https://api.openai.com, /prefix=URL or model:NAME=URL',
    );
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new GuardConfigError(`${option} ${text}`, ': only http and https');
  if (url.username || url.password || url.search || url.hash)
    throw new GuardConfigError(
      `${option} ${text}`,
      ': without a name, a query or a fragment; keys come with the requests',
    );
  return { prefix: prefix.replace(/\/+$/, ''), url, ...(name !== undefined && { model: toPattern(name) }) };
}

/** Converts a model's name to a pattern; `*` matches any text. */
function toPattern(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'is');
}

/** Parses `DIGEST=DIR`. @throws GuardConfigError */
export function parseKeyRoot(text: string, option: string): KeyRoot {
  const [, digest, dir] = /^([0-9a-f]{8,64})=(.+)$/is.exec(text) ?? [];
  if (digest === undefined || dir === undefined)
    throw new GuardConfigError(
      `${option} ${text}`,
      ": give the start of the key's SHA-256 (8 digits or more), =, and a directory",
    );
  return { digest: digest.toLowerCase(), root: existingDir(dir) };
}

/** The real path of a directory. @throws GuardConfigError if there is none */
export function existingDir(dir: string): string {
  const path = resolve(dir);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new GuardConfigError('Not a directory', `: ${dir}`);
  return realpathSync(path);
}

/** Parses a regular expression. @throws GuardConfigError */
export function parsePattern(text: string, option: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    throw new GuardConfigError(`${option} ${text}`, ': not a regular expression');
  }
}
