import { createContext, useContext } from 'react';
import type { ServerLinkState } from '../api/events.ts';

/** How the page stands with its server. Views that need to be fresh ask by themselves while no events come. */
export const ServerLink = createContext<ServerLinkState>({ live: false, away: false, tryNow: () => {} });

/** Whether the server's events come in, and whether it answers at all. */
export function useServerLink(): ServerLinkState {
  return useContext(ServerLink);
}
