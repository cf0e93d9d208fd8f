import type { Me, User } from '../api/me.ts';

/** Props of a page: the server and the signed-in user. */
export interface PageProps {
  me: Me & { user: User };
}
