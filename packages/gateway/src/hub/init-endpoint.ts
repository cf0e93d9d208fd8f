import { CROFT_PROTOCOL, type UnreadInitFrame, unreadInitSchema } from '../frames.ts';
import { hashKey, makeSessionKey } from '../tokens.ts';
import type { Dialect, Machine } from './connection.ts';
import { type EndpointParts, headerKey, type KeyEndpoint } from './endpoint.ts';
import { REFUSALS } from './gateway-error.ts';
import { inTurns } from './in-turns.ts';
import { readJson, sendOk } from './json-http.ts';
import type { KnownKey } from './keys.ts';
import { receiveTree } from './receive-tree.ts';
import { type Announced, packingAnnounced } from './remote/announced-tools.ts';
import { cleanHost, cleanTitle } from './remote/machine-text.ts';
import { EXPLORE } from './remote/tree-answers.ts';

const EXPLORE_NAMES: readonly string[] = EXPLORE.map(({ name }) => name);

/** POST init: a machine introduces itself. Its key is a pairing token, a session key, or the static key. */
export const init: KeyEndpoint = async (parts, req, res) => {
  let key = await parts.keys.identify(headerKey(req));
  // This process does not know the token: it is invalid, or from before a restart, or of another process. Do not read a
  // large body for an invalid one.
  if (key.kind === 'pairing' && key.userId === undefined) key = await findToken(parts, key.keyHash);
  const userId = key.userId as string;
  const body = await readJson(req, unreadInitSchema, parts.room, parts.uploads.begin(userId));
  await parts.perUser.run(userId, async () => {
    // Read everything before using up a token.
    const tree = await receiveTree(body);
    const announced = await inTurns(packingAnnounced(body.tools ?? [], isWantedOf(body)));
    const { keyHash, sessionKey } = await settleKey(parts, key, body);
    await parts.switches.load(userId);
    const wasConnected = parts.machines.ofUser(userId)?.isConnected;
    const connection = parts.machines.add(
      describeMachine({ userId, keyHash, announced }, body),
      key.kind === 'session',
    );
    if (tree) parts.trees.put(connection, tree);
    sendOk(res, {
      ok: true,
      ...(sessionKey !== undefined && { sessionKey }),
      ...(body.croft && { croft: { protocol: CROFT_PROTOCOL } }),
    });
    parts.waiting.adopt(key.keyHash, connection);
    if (wasConnected && !connection.isConnected) parts.statuses.changed(userId);
  });
};

async function findToken(parts: EndpointParts, tokenHash: string): Promise<KnownKey> {
  const found = await parts.store.findPairing(tokenHash);
  if (!found) throw REFUSALS.invalidKey();
  if (found.expiresAt.getTime() <= parts.now()) await takeToken(parts, tokenHash);
  return { kind: 'pairing', keyHash: tokenHash, userId: found.userId };
}

/** Uses up a token. Only after the body arrived: until then, a disconnect of the user invalidates the token. */
async function takeToken(parts: EndpointParts, tokenHash: string): Promise<void> {
  const taken = await parts.pairings.take(tokenHash);
  if (!taken) throw REFUSALS.invalidKey();
  if (taken.expired) throw REFUSALS.expiredToken();
}

/** Settles the key of the new connection. Checks it again: it may have been revoked while the body was read. */
async function settleKey(
  parts: EndpointParts,
  key: KnownKey,
  body: UnreadInitFrame,
): Promise<{ keyHash: string; sessionKey?: string }> {
  if (key.kind === 'static') return { keyHash: key.keyHash };
  if (key.kind === 'session') {
    await parts.keys.sessionUser(key.keyHash);
    await parts.store.touchSessions([key.keyHash], new Date(parts.now()));
    return { keyHash: key.keyHash };
  }
  await takeToken(parts, key.keyHash);
  const sessionKey = makeSessionKey();
  const keyHash = hashKey(sessionKey);
  const at = new Date(parts.now());
  await parts.store.saveSession({
    keyHash,
    userId: key.userId as string,
    createdAt: at,
    lastSeenAt: at,
    host: cleanHost(body.hostIdentifier),
    directory: body.rootPath,
  });
  return { keyHash, sessionKey };
}

/** Which announced tools are offered as announced: not those of `explore`, which the hub provides itself. */
function isWantedOf(body: UnreadInitFrame): (name: string) => boolean {
  const dialect = dialectOf(body);
  const served = body.croft?.tools ?? [];
  return (name) =>
    dialect === 'later' || (dialect === 'croft' && served.includes(name) && !EXPLORE_NAMES.includes(name));
}

function describeMachine(
  given: { readonly userId: string; readonly keyHash: string; readonly announced: Announced },
  body: UnreadInitFrame,
): Machine {
  const dialect = dialectOf(body);
  const served = body.croft?.tools ?? [];
  const explores = EXPLORE_NAMES.filter((name) => served.includes(name));
  return {
    ...given,
    dialect,
    rootPath: body.rootPath,
    host: cleanHost(body.hostIdentifier),
    categories: (body.toolCategories ?? []).map((one) => ({ ...one, name: cleanTitle(one.name) })),
    explores: explores.length === EXPLORE_NAMES.length ? EXPLORE_NAMES : explores,
    answersPings: body.croft?.answersPings ?? false,
  };
}

function dialectOf(body: UnreadInitFrame): Dialect {
  if (body.croft) return 'croft';
  return body.tree !== undefined || body.treeText !== undefined ? 'seed' : 'later';
}
