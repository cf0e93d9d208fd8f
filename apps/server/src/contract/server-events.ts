import { z } from 'zod';
import type { DeepReadonly } from './define-route.ts';
import { gatewayStatus } from './gateway-status.ts';

/** Every event that the server sends to pages, with its data. The stream is `GET /api/v1/events`. */
export const SERVER_EVENTS = {
  /** The connection of the user's machine changed. */
  gateway: gatewayStatus,
  /** Files of the user changed. */
  files: z.strictObject({}),
  /**
   * A flow that the user can read was created or changed. A null version: it was deleted, or is not shared with the user
   * any more. A null id: any flow may have changed.
   */
  flows: z.strictObject({ id: z.string().nullable(), version: z.number().nullable() }),
  /** An agent says that it has finished its changes of a flow, and what it did. */
  flow_settled: z.strictObject({ id: z.string(), summary: z.string() }),
  /** Events were missed and cannot be sent again: load everything again. */
  reset: z.strictObject({}),
} as const;

export type ServerEventName = keyof typeof SERVER_EVENTS;

export type ServerEvent = {
  [Name in ServerEventName]: {
    readonly event: Name;
    readonly data: DeepReadonly<z.output<(typeof SERVER_EVENTS)[Name]>>;
  };
}[ServerEventName];
