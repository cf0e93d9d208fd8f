import { createContext, useContext } from 'react';

/** Whether the server's events come in. Views that need to be fresh ask by themselves while they do not. */
export const ServerLink = createContext({ live: false });

/** Whether the server's events come in. */
export function useServerLink(): { live: boolean } {
  return useContext(ServerLink);
}
