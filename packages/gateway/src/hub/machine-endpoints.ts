import { parseLastEventId } from '@croft/event-log';
import { z } from 'zod';
import { unreadTreeUpdateSchema } from '../frames.ts';
import { responseSchema } from '../response-frame.ts';
import { connectionOf, headerKey, type KeyEndpoint, queryKey } from './endpoint.ts';
import { EventStream } from './event-stream.ts';
import { REFUSALS } from './gateway-error.ts';
import { readJson, readWord, sendOk } from './json-http.ts';
import { receiveTree } from './receive-tree.ts';
import { revoke } from './revoke.ts';

const nothing = z.unknown();

/**
 * GET events: the stream. A pairing token opens one that waits for its `init`; clients of the first dialect start like
 * this.
 */
export const events: KeyEndpoint = async (parts, req, res) => {
  const key = await parts.keys.identify(headerKey(req) ?? queryKey(req));
  // The client left meanwhile. Its stream would stay open for ever, because the response was closed already.
  if (res.destroyed) return;
  if (key.kind === 'pairing') {
    if (key.userId === undefined) throw REFUSALS.invalidKey();
    parts.waiting.open(key.keyHash, res);
    return;
  }
  const connection = parts.machines.ofKey(key.keyHash);
  if (!connection) throw REFUSALS.notInitialized();
  parts.machines.attach(connection, new EventStream(res), parseLastEventId(req.headers['last-event-id']));
};

/** POST response: a response from the session that got the request. */
export const response: KeyEndpoint = async (parts, req, res, requestId) => {
  const connection = await connectionOf(parts, req);
  // Check before reading the body: an unwanted body need not be read.
  if (!connection?.awaits(requestId)) throw REFUSALS.requestGone();
  const answer = await readJson(req, responseSchema, parts.room);
  if (!connection.answer(requestId, answer)) throw REFUSALS.requestGone();
  sendOk(res, { ok: true });
};

/** POST tree: the directory changed. */
export const tree: KeyEndpoint = async (parts, req, res) => {
  const connection = await connectionOf(parts, req);
  if (!connection) throw REFUSALS.notInitialized();
  const { userId } = connection.machine;
  const body = await readJson(req, unreadTreeUpdateSchema, parts.room, parts.uploads.begin(userId));
  await parts.perUser.run(userId, async () => {
    const packed = await receiveTree(body);
    // The connection may have been superseded while the body was read.
    if (parts.machines.ofUser(userId) !== connection) throw REFUSALS.notInitialized();
    if (packed) parts.trees.put(connection, packed);
    if (connection.rootPath !== body.rootPath) {
      connection.rootPath = body.rootPath;
      parts.statuses.changed(userId);
    }
  });
  sendOk(res, { ok: true });
};

/** POST alive: the answer to a ping that wants one. */
export const alive: KeyEndpoint = async (parts, req, res) => {
  const connection = await connectionOf(parts, req);
  await readWord(req, nothing, parts.room);
  if (!connection) throw REFUSALS.notInitialized();
  sendOk(res, { ok: true });
};

/** POST disconnect: the machine leaves, and its key is revoked. A static key stays valid because it is configured. */
export const disconnect: KeyEndpoint = async (parts, req, res) => {
  const key = await parts.keys.identify(headerKey(req));
  if (key.kind === 'pairing') throw REFUSALS.invalidKey();
  await readWord(req, nothing, parts.room);
  if (key.kind === 'session') await revoke(parts, key.userId, key.keyHash);
  else if (parts.machines.ofKey(key.keyHash)) {
    parts.machines.end(key.userId, 'disconnected', 'disconnected');
    parts.statuses.changed(key.userId);
  }
  sendOk(res, { ok: true });
};
