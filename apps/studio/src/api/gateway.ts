import { queryOptions } from '@tanstack/react-query';
import { apiUrl, request } from './request.ts';

/** What a machine offers, as its daemon announced it. */
export interface ToolCategory {
  readonly name: string;
  readonly enabled: boolean;
  readonly writeAccess?: boolean;
}

/** Whether one's machine is connected. Times are ISO 8601. */
export interface GatewayStatus {
  readonly connected: boolean;
  readonly connectedAt: string | null;
  readonly directory: string | null;
  readonly hostIdentifier: string | null;
  readonly toolCategories: readonly ToolCategory[];
  /** Whether agents may use it; off leaves the connection up. */
  readonly enabled: boolean;
}

/** A command that connects a machine once, until `expiresAt`. */
export interface PairingLink {
  readonly token: string;
  readonly command: string;
  readonly expiresAt?: string;
  readonly ttlSeconds?: number;
}

/** The connection of one's own machine. Kept fresh by server events, or by asking again where those do not come. */
export const gatewayQuery = queryOptions({
  queryKey: ['gateway'],
  queryFn: ({ signal }) => request<GatewayStatus>(apiUrl('instance-ai/gateway/status'), { signal }),
});

/** The open pairing token, or a new one; `renew` replaces an open one, which then no longer works. */
export function createLink(renew: boolean): Promise<PairingLink> {
  return request(apiUrl('instance-ai/gateway/create-link'), { method: 'POST', json: { renew } });
}

/** Ends the connection and its key: connecting again needs a new pairing. */
export async function disconnect(): Promise<void> {
  await request(apiUrl('instance-ai/gateway/disconnect-session'), { method: 'POST' });
}

/** Lets agents use the connected machine, or not, without ending the connection. */
export async function setEnabled(enabled: boolean): Promise<void> {
  await request(apiUrl('instance-ai/filesystem/toggle'), { method: 'POST', json: { enabled } });
}
