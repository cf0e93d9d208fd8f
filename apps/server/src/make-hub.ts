import type { IncomingMessage } from 'node:http';
import { createHub, type Hub, type HubEvent } from '@croft/gateway/hub';
import type { Settings } from './config/settings.ts';
import type { EventStreams } from './events.ts';
import type { Log } from './log.ts';
import { throwProblems } from './to-problem.ts';
import type { Db } from './store/database.ts';
import type { AuditLog } from './store/audit-log.ts';
import { createGatewayStore } from './store/gateway-store.ts';

export interface MakeHubOptions {
  readonly auditLog: Pick<AuditLog, 'add'>;
  readonly settings: Pick<Settings, 'gatewayApiKey'>;
  readonly log: Log;
  readonly db: Db;
  readonly events: Pick<EventStreams, 'send'>;
  /** Whether changes by other processes arrive. */
  readonly isFresh: () => boolean;
  /** The address at which the page of a request was opened. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** The user whose machine the static gateway key connects; `undefined` until that user is known. */
  readonly gatewayKeyUser: () => string | undefined;
}

/** The gateway's hub, on this server's database, log and event streams. */
export function makeHub(options: MakeHubOptions): Hub {
  const { settings, log, db, events, isFresh, addressOf, gatewayKeyUser } = options;
  const key = settings.gatewayApiKey;
  return createHub({
    isFresh,
    store: throwProblems(createGatewayStore(db)),
    ...(key !== undefined && {
      staticKey: {
        key,
        get userId() {
          return gatewayKeyUser() ?? '';
        },
      },
    }),
    linkFor: (request, token) => connectCommand(addressOf(request), token),
    onChange: (of, status) => events.send(of, { event: 'gateway', data: status }),
    log: (event) => logHubEvent(log, event, options.auditLog),
  });
}

/**
 * The command that connects a folder: `npx` downloads `croft` from this server, at the address at which the page was
 * opened. The user's machine reaches that address, also when a container publishes it on another port.
 */
function connectCommand(url: string, token: string): { command: string; url: string } {
  // npm installs without the optional helper when no registry answers; by default npm retries for two minutes first.
  return { command: `npx -y --fetch-retries=0 ${url}/dl/croft.tgz connect ${url} ${token}`, url };
}

function logHubEvent(log: Log, { event, error, ...facts }: HubEvent, auditLog: Pick<AuditLog, 'add'>): void {
  if (event === 'failed') log.error({ ...facts, err: error }, 'the gateway failed');
  else if (event === 'called' || event === 'refused') log.debug(facts, `gateway: ${event}`);
  else {
    const action = MACHINE_ACTIONS[event];
    const userId = facts.userId ?? null;
    const nothing = { targets: [], targetCount: 0, changes: [] };
    auditLog.add({ at: new Date(), action, outcome: 'ok', userId, via: null, address: null, ...nothing });
    log.info({ audit: action, ...facts }, `a machine ${event}`);
  }
}

/** Events of the audit log that are not a request of a route. */
export const MACHINE_ACTIONS = { connected: 'connectMachine', disconnected: 'disconnectMachine' } as const;
