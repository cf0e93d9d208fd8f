import { keyRoutes } from '../contract/key-routes.ts';
import { clientConfigs } from '../pages/client-configs.ts';
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '../store/api-keys.ts';
import type { Db } from '../store/database.ts';
import { type Route, route } from './route.ts';

const PLACEHOLDER = 'croft_…';

/** The caller's own API keys, and the clients that use them. */
export function makeKeyRoutes({ storage }: { readonly storage: () => Promise<Db> }): Route[] {
  return [
    route(keyRoutes.listKeys, async ({ caller }) => ({
      keys: (await listApiKeys(await storage(), caller.userId)).map(shownKey),
    })),
    route(keyRoutes.createKey, async ({ caller, body }) => {
      const { key, secret } = await createApiKey(await storage(), { userId: caller.userId, name: body.name });
      return { key: shownKey(key), secret };
    }),
    route(keyRoutes.listMcpClients, ({ query }) => ({
      placeholder: PLACEHOLDER,
      clients: [...clientConfigs({ url: query.url.replace(/\/+$/, ''), token: PLACEHOLDER, over: query.over })],
    })),
    route(keyRoutes.revokeKey, async ({ caller, params, problem }) => {
      if (!(await revokeApiKey(await storage(), caller.userId, params.id)))
        throw problem('not_found', 'You have no such key.');
      return { id: params.id };
    }),
  ];
}

function shownKey({ createdAt, lastUsedAt, ...key }: ApiKey) {
  return { ...key, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}
