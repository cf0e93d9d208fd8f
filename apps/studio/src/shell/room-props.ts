import type { Me, User } from '../api/me.ts';

/** What a room is given: the server, and somebody who was let in. */
export interface RoomProps {
  me: Me & { user: User };
}
