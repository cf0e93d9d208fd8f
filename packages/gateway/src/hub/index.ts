// The public surface of the hub, listed by hand: an export added here becomes API.
export { createHub } from './hub.ts';
export type { Hub, HubEvent, HubOptions, Identify } from './hub.ts';
export type { GatewayStore, PairingRow, SessionRow } from './store.ts';
export type { GatewayStatus } from '../frames.ts';
