import { createContext, useContext } from 'react';
import type { ServerLinkState } from '../api/events.ts';

/** The state of the connection to the server. Views poll while events do not arrive. */
export const ServerLink = createContext<ServerLinkState>({ live: false, away: false, tryNow: () => {} });

/** Whether the server's events arrive, and whether the server responds. */
export function useServerLink(): ServerLinkState {
  return useContext(ServerLink);
}
