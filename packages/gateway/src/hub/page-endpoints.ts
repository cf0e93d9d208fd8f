import { z } from 'zod';
import { createLinkSchema, toggleSchema } from '../frames.ts';
import type { CookieEndpoint } from './endpoint.ts';
import { readWord, sendOk } from './json-http.ts';
import { revoke } from './revoke.ts';

const nothing = z.unknown();

/** POST create-link: the open token or, with `renew`, a new one, and the command that uses it. */
export const createLink: CookieEndpoint = async (parts, userId, req, res) => {
  const { renew = false } = await readWord(req, createLinkSchema, parts.room);
  const { token, expiresAt } = await parts.perUser.run(userId, () => parts.pairings.open(userId, renew));
  await parts.switches.load(userId);
  const { command, url } = parts.linkFor(req, token);
  const ttlSeconds = Math.max(0, Math.ceil((expiresAt.getTime() - parts.now()) / 1000));
  sendOk(res, { token, command, url, expiresAt: expiresAt.toISOString(), ttlSeconds });
  parts.statuses.changed(userId);
};

/** GET status. */
export const status: CookieEndpoint = async (parts, userId, _req, res) => {
  parts.machines.lookAt(userId);
  sendOk(res, { ...(await parts.statuses.load(userId)) });
};

/** POST disconnect-session: the person ends it; the machine's key is revoked. */
export const disconnectSession: CookieEndpoint = async (parts, userId, req, res) => {
  await readWord(req, nothing, parts.room);
  await revoke(parts, userId);
  sendOk(res, { ok: true });
};

/** POST toggle. */
export const toggle: CookieEndpoint = async (parts, userId, req, res) => {
  const { enabled } = await readWord(req, toggleSchema, parts.room);
  const next = enabled ?? !(await parts.switches.load(userId));
  await parts.switches.set(userId, next);
  if (!next) parts.machines.ofUser(userId)?.endCalls();
  parts.statuses.changed(userId);
  sendOk(res, { ok: true, enabled: next });
};
