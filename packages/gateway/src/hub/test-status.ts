import type { GatewayStatus } from '../frames.ts';

/** The status of a user without a connected machine, for tests. */
export const DISCONNECTED: GatewayStatus = {
  connected: false,
  connectedAt: null,
  directory: null,
  hostIdentifier: null,
  toolCategories: [],
  enabled: true,
};
