import type { IncomingMessage, ServerResponse } from 'node:http';
import { KEY_HEADER } from '../frames.ts';
import type { Connection } from './connection.ts';
import { REFUSALS } from './gateway-error.ts';
import type { BodyRoom } from './json-http.ts';
import type { Keys } from './keys.ts';
import type { Machines } from './machines.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import type { Pairings } from './pairings.ts';
import type { Statuses } from './statuses.ts';
import type { GatewayStore } from './store.ts';
import type { Switches } from './switches.ts';
import type { TreeStore } from './tree/tree-store.ts';
import type { UploadBudget } from './upload-budget.ts';
import type { WaitingStreams } from './waiting-streams.ts';

/** The dependencies of the endpoints. */
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
  readonly uploads: UploadBudget;
  readonly now: () => number;
  readonly linkFor: (request: IncomingMessage, token: string) => { command: string; url: string };
  readonly isClosing: () => boolean;
}

/** An endpoint for machines. `rest` is the remainder of the path. */
export type KeyEndpoint = (
  parts: EndpointParts,
  req: IncomingMessage,
  res: ServerResponse,
  rest: string,
) => Promise<void>;
/** An endpoint for the page, for a known user. */
export type CookieEndpoint = (
  parts: EndpointParts,
  userId: string,
  req: IncomingMessage,
  res: ServerResponse,
) => Promise<void>;

/** The connection of the machine that sent this request; marks it as heard. */
export async function connectionOf(parts: EndpointParts, req: IncomingMessage): Promise<Connection | undefined> {
  const key = await parts.keys.identify(headerKey(req));
  if (key.kind === 'pairing') throw REFUSALS.invalidKey();
  const connection = parts.machines.ofKey(key.keyHash);
  connection?.heard();
  return connection;
}

/** The key of a machine, from the header. */
export function headerKey(req: IncomingMessage): string | undefined {
  const header = req.headers[KEY_HEADER];
  return typeof header === 'string' ? header : undefined;
}

/** The key from the URL, only for clients of the first dialect, which have no other way: URLs end up in logs. */
export function queryKey(req: IncomingMessage): string | undefined {
  return new URL(req.url ?? '/', 'http://localhost').searchParams.get('apiKey') ?? undefined;
}
