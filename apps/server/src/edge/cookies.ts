import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';

/** Name and scope of the cookies of this server. */
export interface CookieScope {
  readonly name: string;
  readonly path: string;
  readonly secure: boolean;
}

/** The value of one cookie; `undefined` if the header has no cookie of that name, or two. hono's parser takes the first. */
export function cookieOf(header: string, name: string): string | undefined {
  const values = header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

/** Sets a cookie that scripts cannot read and other sites cannot send. `maxAge` is in seconds; 0 removes it. */
export function setOwnCookie(
  context: Context,
  { path, secure }: CookieScope,
  cookie: { readonly name: string; readonly value: string; readonly maxAge: number },
): void {
  const { name, value, maxAge } = cookie;
  setCookie(context, name, value, { path, secure, maxAge, httpOnly: true, sameSite: 'Strict' });
}
