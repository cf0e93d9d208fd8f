import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseLastEventId } from '@croft/event-log';
import { z } from 'zod';
import {
  CROFT_PROTOCOL,
  type InitFrame,
  initSchema,
  KEY_HEADER,
  responseSchema,
  TIMES,
  toggleSchema,
  type TreeUpdateFrame,
  treeUpdateSchema,
} from '../frames.ts';
import { hashKey, makeSessionKey } from '../tokens.ts';
import type { Connection, Dialect, Machine } from './connection.ts';
import { EventStream } from './event-stream.ts';
import { REFUSALS } from './gateway-error.ts';
import { type BodyRoom, readJson, sendOk } from './json-http.ts';
import type { Keys, KnownKey } from './keys.ts';
import type { Machines } from './machines.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import type { Pairings } from './pairings.ts';
import { packAnnounced } from './remote/announced-tools.ts';
import { EXPLORE } from './remote/tree-answers.ts';
import type { Statuses } from './statuses.ts';
import type { GatewayStore } from './store.ts';
import type { Switches } from './switches.ts';
import { packTree } from './tree/pack-tree.ts';
import type { TreeStore } from './tree/tree-store.ts';
import type { WaitingStreams } from './waiting-streams.ts';

/** What the endpoints work with. */
export interface EndpointParts {
  readonly store: GatewayStore;
  readonly machines: Machines;
  readonly keys: Keys;
  readonly pairings: Pairings;
  readonly trees: TreeStore;
  readonly waiting: WaitingStreams;
  readonly switches: Switches;
  readonly statuses: Statuses;
  readonly perUser: OneAtATime;
  readonly room: BodyRoom;
  readonly now: () => number;
  readonly linkFor: (userId: string, token: string) => { command: string; url: string };
  readonly isClosing: () => boolean;
}

/** An endpoint of a machine. `rest` is what follows its path. */
export type KeyEndpoint = (
  parts: EndpointParts,
  req: IncomingMessage,
  res: ServerResponse,
  rest: string,
) => Promise<void>;
/** An endpoint of the page, for a known user. */
export type CookieEndpoint = (
  parts: EndpointParts,
  userId: string,
  req: IncomingMessage,
  res: ServerResponse,
) => Promise<void>;

const EXPLORE_NAMES: readonly string[] = EXPLORE.map(({ name }) => name);
const nothing = z.unknown();

/** POST create-link: a new token, and the command that uses it. */
export const createLink: CookieEndpoint = async (parts, userId, req, res) => {
  await readJson(req, nothing, parts.room);
  const { token, expiresAt } = await parts.perUser.run(userId, () => parts.pairings.make(userId));
  await parts.switches.load(userId);
  const { command, url } = parts.linkFor(userId, token);
  const ttlSeconds = TIMES.pairingMs / 1000;
  sendOk(res, { token, command, url, expiresAt: expiresAt.toISOString(), ttlSeconds });
  parts.statuses.changed(userId);
};

/** GET status. */
export const status: CookieEndpoint = async (parts, userId, _req, res) => {
  await parts.switches.load(userId);
  sendOk(res, { ...parts.statuses.of(userId) });
};

/** POST disconnect-session: the person ends it; the machine's key is worth nothing any more. */
export const disconnectSession: CookieEndpoint = async (parts, userId, req, res) => {
  await readJson(req, nothing, parts.room);
  await revoke(parts, userId);
  sendOk(res, { ok: true });
};

/** POST toggle. */
export const toggle: CookieEndpoint = async (parts, userId, req, res) => {
  const { enabled } = await readJson(req, toggleSchema, parts.room);
  const next = enabled ?? !(await parts.switches.load(userId));
  await parts.switches.set(userId, next);
  parts.statuses.changed(userId);
  sendOk(res, { ok: true, enabled: next });
};

/** POST init: a machine says what it is. Its key is a pairing token, a session key, or the static key. */
export const init: KeyEndpoint = async (parts, req, res) => {
  let key = await parts.keys.identify(headerKey(req));
  // Not known to this process: a stranger's, or of before a restart. It is used up before a large body is read for it.
  if (key.kind === 'pairing' && key.userId === undefined) key = await takeToken(parts, key.keyHash);
  const body = await readJson(req, initSchema, parts.room);
  const userId = key.userId as string;
  await parts.perUser.run(userId, async () => {
    const { keyHash, sessionKey } = await settleKey(parts, key, body);
    await parts.switches.load(userId);
    const wasConnected = parts.machines.ofUser(userId)?.isConnected;
    const connection = parts.machines.add(describeMachine(userId, keyHash, body), key.kind === 'session');
    keepTree(parts, connection, body);
    sendOk(res, {
      ok: true,
      ...(sessionKey !== undefined && { sessionKey }),
      ...(body.croft && { croft: { protocol: CROFT_PROTOCOL } }),
    });
    parts.waiting.adopt(key.keyHash, connection);
    if (wasConnected && !connection.isConnected) parts.statuses.changed(userId);
  });
};

type TakenKey = KnownKey & { readonly isTaken?: true };

async function takeToken(parts: EndpointParts, tokenHash: string): Promise<TakenKey> {
  const taken = await parts.pairings.take(tokenHash);
  if (!taken) throw REFUSALS.invalidKey();
  if (taken.expired) throw REFUSALS.expiredToken();
  return { kind: 'pairing', keyHash: tokenHash, userId: taken.userId, isTaken: true };
}

/** The key of the new connection. Looked at again: it may have been revoked while the body came in. */
async function settleKey(
  parts: EndpointParts,
  key: TakenKey,
  body: InitFrame,
): Promise<{ keyHash: string; sessionKey?: string }> {
  if (key.kind === 'static') return { keyHash: key.keyHash };
  if (key.kind === 'session') {
    await parts.keys.sessionUser(key.keyHash);
    await parts.store.touchSessions([key.keyHash], new Date(parts.now()));
    return { keyHash: key.keyHash };
  }
  if (!key.isTaken) await takeToken(parts, key.keyHash);
  const sessionKey = makeSessionKey();
  const keyHash = hashKey(sessionKey);
  const at = new Date(parts.now());
  await parts.store.saveSession({
    keyHash,
    userId: key.userId as string,
    createdAt: at,
    lastSeenAt: at,
    host: body.hostIdentifier ?? null,
    directory: body.rootPath,
  });
  return { keyHash, sessionKey };
}

function describeMachine(userId: string, keyHash: string, body: InitFrame): Machine {
  const dialect = dialectOf(body);
  const served = body.croft?.tools ?? [];
  const explores = EXPLORE_NAMES.filter((name) => served.includes(name));
  const isWanted = (name: string): boolean =>
    dialect === 'later' || (dialect === 'croft' && served.includes(name) && !explores.includes(name));
  return {
    userId,
    keyHash,
    dialect,
    rootPath: body.rootPath,
    host: body.hostIdentifier ?? null,
    categories: body.toolCategories ?? [],
    announced: packAnnounced(body.tools ?? [], isWanted),
    explores: explores.length === EXPLORE_NAMES.length ? EXPLORE_NAMES : explores,
    answersPings: body.croft?.answersPings ?? false,
  };
}

function dialectOf(body: InitFrame): Dialect {
  if (body.croft) return 'croft';
  return body.tree !== undefined || body.treeText !== undefined ? 'seed' : 'later';
}

function keepTree(parts: EndpointParts, connection: Connection, body: InitFrame | TreeUpdateFrame): void {
  if (body.tree)
    parts.trees.put(connection, packTree(body.tree, body.treeTruncated ?? isCut(body.treeText), body.rootPath));
}

/** Clients of the seed's time say in their drawing that it was cut. */
function isCut(treeText: string | undefined): boolean {
  return treeText !== undefined && /\btruncated\b/i.test(treeText.slice(-200));
}

/** GET events: the stream. A pairing token opens one that waits for its `init`; the seed's client begins so. */
export const events: KeyEndpoint = async (parts, req, res) => {
  const key = await parts.keys.identify(headerKey(req) ?? queryKey(req));
  if (key.kind === 'pairing') {
    if (key.userId === undefined) throw REFUSALS.invalidKey();
    parts.waiting.open(key.keyHash, res);
    return;
  }
  const connection = parts.machines.ofKey(key.keyHash);
  if (!connection) throw REFUSALS.notInitialized();
  parts.machines.attach(connection, new EventStream(res), parseLastEventId(req.headers['last-event-id']));
};

/** POST response: an answer, from the session that was asked. */
export const response: KeyEndpoint = async (parts, req, res, requestId) => {
  const connection = await connectionOf(parts, req);
  // Before the body: nobody needs to read what nobody waits for.
  if (!connection?.awaits(requestId)) throw REFUSALS.requestGone();
  const answer = await readJson(req, responseSchema, parts.room);
  if (!connection.answer(requestId, answer)) throw REFUSALS.requestGone();
  sendOk(res, { ok: true });
};

/** POST tree: the directory changed. */
export const tree: KeyEndpoint = async (parts, req, res) => {
  const connection = await connectionOf(parts, req);
  if (!connection) throw REFUSALS.notInitialized();
  const body = await readJson(req, treeUpdateSchema, parts.room);
  // It may have been superseded while the body came in.
  if (parts.machines.ofUser(connection.machine.userId) !== connection) throw REFUSALS.notInitialized();
  keepTree(parts, connection, body);
  if (connection.rootPath !== body.rootPath) {
    connection.rootPath = body.rootPath;
    parts.statuses.changed(connection.machine.userId);
  }
  sendOk(res, { ok: true });
};

/** POST alive: the word a ping wanted. */
export const alive: KeyEndpoint = async (parts, req, res) => {
  const connection = await connectionOf(parts, req);
  await readJson(req, nothing, parts.room);
  if (!connection) throw REFUSALS.notInitialized();
  sendOk(res, { ok: true });
};

/** POST disconnect: the machine leaves, and its key with it. A static key stays good, being configured. */
export const disconnect: KeyEndpoint = async (parts, req, res) => {
  const key = await parts.keys.identify(headerKey(req));
  if (key.kind === 'pairing') throw REFUSALS.invalidKey();
  await readJson(req, nothing, parts.room);
  if (key.kind === 'session') await revoke(parts, key.userId, key.keyHash);
  else if (parts.machines.ofKey(key.keyHash)) {
    parts.machines.end(key.userId, 'disconnected', 'disconnected');
    parts.statuses.changed(key.userId);
  }
  sendOk(res, { ok: true });
};

/**
 * Ends the user's connection and makes its key worthless.
 *
 * @param keyHash only if this is still the user's session: a late goodbye of a replaced machine ends nobody else
 */
export async function revoke(parts: EndpointParts, userId: string, keyHash?: string): Promise<void> {
  await parts.perUser.run(userId, async () => {
    if (keyHash !== undefined) await parts.keys.sessionUser(keyHash);
    await parts.store.removeSessions(userId);
    const connection = parts.machines.ofUser(userId);
    if (keyHash === undefined || connection?.machine.keyHash === keyHash)
      parts.machines.end(userId, 'disconnected', 'disconnected');
  });
  parts.statuses.changed(userId);
}

/** Whose machine asks; it has thereby said something. */
async function connectionOf(parts: EndpointParts, req: IncomingMessage): Promise<Connection | undefined> {
  const key = await parts.keys.identify(headerKey(req));
  if (key.kind === 'pairing') throw REFUSALS.invalidKey();
  const connection = parts.machines.ofKey(key.keyHash);
  connection?.heard();
  return connection;
}

function headerKey(req: IncomingMessage): string | undefined {
  const header = req.headers[KEY_HEADER];
  return typeof header === 'string' ? header : undefined;
}

/** Only where the seed's clients have no other way: an address gets into logs. */
function queryKey(req: IncomingMessage): string | undefined {
  return new URL(req.url ?? '/', 'http://localhost').searchParams.get('apiKey') ?? undefined;
}
