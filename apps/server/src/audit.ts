import type { IncomingMessage } from 'node:http';
import type { RouteDefinition } from './contract/define-route.ts';
import type { TrustedProxies } from './edge/addresses.ts';
import type { Caller } from './identity.ts';
import type { Log } from './log.ts';
import type { AuditLog } from './store/audit-log.ts';

/** One recorded action. Holds ids and paths, never names of people, e-mail addresses, passwords or keys. */
export interface AuditEvent {
  /** Operation id of the route, or `signIn`. */
  readonly action: string;
  /** `ok`, or the code of the refusal. */
  readonly outcome: string;
  readonly caller?: Pick<Caller, 'userId' | 'via'> | undefined;
  /** Ids or paths that the action is about. */
  readonly targets?: readonly string[];
  /** The changed fields, from {@link changesOf}. */
  readonly changes?: readonly string[];
}

/** Records an action of a request. */
export type Audit = (request: IncomingMessage, event: AuditEvent) => void;

/** Paths that one line shows; the count covers all. */
const MAX_SHOWN = 20;
const MAX_CHARS = 300;

/**
 * Writes audit events to the server's log: entries with a field `audit`, which has the action. A refusal is a warning.
 *
 * @param options.store gets each event too, for the page of administrators
 */
export function createAudit({
  log,
  proxies,
  store,
}: {
  readonly log: Log;
  readonly proxies: TrustedProxies;
  readonly store: Pick<AuditLog, 'add'>;
}): Audit {
  return (request, { action, outcome, caller, targets = [], changes = [] }) => {
    const { address } = proxies.originOf(request);
    const shown = targets.slice(0, MAX_SHOWN).map(storable);
    store.add({
      at: new Date(),
      action,
      outcome,
      userId: caller?.userId ?? null,
      via: caller?.via ?? null,
      address: address ?? null,
      targets: shown,
      targetCount: targets.length,
      changes: changes.map(storable),
    });
    const about = {
      targets: shown,
      ...(targets.length > MAX_SHOWN && { count: targets.length }),
    };
    const facts = { audit: action, outcome, ...(caller && { userId: caller.userId, via: caller.via }), address };
    const details = { ...(targets.length > 0 && about), ...(changes.length > 0 && { changes }) };
    log[outcome === 'ok' ? 'info' : 'warn']({ ...facts, ...details }, 'audit');
  };
}

/** PostgreSQL refuses NUL, and a user may name long paths often. */
const storable = (text: string): string => text.slice(0, MAX_CHARS).replaceAll('\0', '\uFFFD');

/** Whether calls of a route are recorded: those that delete, and those that their definition marks. */
export function isAudited({ route, audit }: RouteDefinition): boolean {
  return audit ?? route.startsWith('DELETE ');
}

/** The subjects of a call: the ids in its path and its response, and the paths in its body. */
export function targetsOf(params: unknown, body: unknown, response: unknown): readonly string[] {
  const named = body as { path?: unknown; paths?: unknown } | undefined;
  const made = (response ?? {}) as Record<'id' | 'user' | 'key' | 'webhook' | 'share', unknown>;
  const inPath = Object.values((params ?? {}) as Record<string, unknown>);
  const inBody = Array.isArray(named?.paths) ? (named.paths as unknown[]) : [named?.path];
  const inResponse = [made.user, made.key, made.webhook].map((record) => (record as { id?: unknown } | undefined)?.id);
  const sharedWith = (made.share as { userId?: unknown } | undefined)?.userId;
  const all = [...inPath, ...inBody, made.id, ...inResponse, sharedWith];
  return [...new Set(all.filter((one): one is string => typeof one === 'string'))];
}

/** Fields whose values are one of a few words. Values of others may be names, passwords or keys. */
const SHOWN_VALUES: ReadonlySet<string> = new Set(['access', 'disabled', 'isOn', 'mode', 'role']);

/** The fields that a call changes, such as `password` or `role=admin`. */
export function changesOf({ route }: RouteDefinition, body: unknown): readonly string[] {
  if (!/^(PATCH|PUT) /.test(route)) return [];
  return Object.entries((body ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => (SHOWN_VALUES.has(field) ? `${field}=${String(value)}` : field));
}
