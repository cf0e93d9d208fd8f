import { localSignInRoutes } from '../contract/account-routes.ts';
import { type CookieScope, setOwnCookie } from '../edge/cookies.ts';
import { LOCAL_SESSION_SECONDS, type LocalSessions } from '../local-session.ts';
import { sameSecret } from '../token-file.ts';
import { notSignedIn } from '../problem.ts';
import { type Route, route } from './route.ts';

export interface LocalSignInOptions {
  readonly basePath: string;
  readonly cookie: CookieScope;
  readonly localSessions: LocalSessions;
  readonly machineToken: string | undefined;
  /** The address of the server, without a slash at the end. */
  readonly url: () => string;
}

/** How the local user of a server without accounts gets a session: a one-time address for a browser. */
export function makeLocalSignInRoutes(options: LocalSignInOptions): Route[] {
  const { basePath, cookie, localSessions, machineToken, url } = options;
  return [
    route(localSignInRoutes.openPage, ({ context, incoming }) => {
      // A HEAD request comes from a link preview, not from a person: it must not use up the code.
      const isRight = incoming.method === 'GET' && localSessions.redeem(context.req.query('code') ?? '');
      if (isRight)
        setOwnCookie(context, cookie, {
          name: cookie.name,
          value: localSessions.issue(),
          maxAge: LOCAL_SESSION_SECONDS,
        });
      // Without a session the page itself says how to get one.
      return context.body(null, 303, { Location: basePath, 'Cache-Control': 'no-store' });
    }),
    route(localSignInRoutes.createOneTimeUrl, ({ context }) => {
      const sent = /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
      if (sent === undefined || machineToken === undefined || !sameSecret(sent, machineToken)) throw notSignedIn();
      return { url: `${url()}/open?code=${localSessions.makeCode()}` };
    }),
  ];
}
