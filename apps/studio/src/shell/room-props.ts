import type { Me, User } from '../api/me.ts';

/** Props of a page: the server and the signed-in user. */
export interface RoomProps {
  me: Me & { user: User };
}
