// The public surface of the hub, listed by hand: an export added here becomes API.
export { createHub } from './hub.ts';
export type { Identify } from './answer-request.ts';
export type { Hub } from './hub.ts';
export type { HubEvent, HubOptions } from './hub-options.ts';
export type { GatewayStore, PairingRow, SessionRow } from './store.ts';
export type { GatewayStatus } from '../frames.ts';
