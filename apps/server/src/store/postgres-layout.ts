import { join } from 'node:path';

/** The one role and the one database of an embedded PostgreSQL. */
export const DATABASE_NAME = 'croft';

/** The paths of an embedded database. */
export interface PostgresLayout {
  /** `<base>/postgres`: owned by the server. PostgreSQL can read settings and links in it, but not write them. */
  readonly root: string;
  readonly data: string;
  /** The directory of the socket, for its owner only. */
  readonly run: string;
  readonly links: string;
  /** How PostgreSQL's processes, given `root` as their descriptor 3, name something in it. */
  asSeen(name: string): string;
}

/**
 * The layout below a base directory. On Linux, PostgreSQL's processes open all paths from a descriptor of `root`, which was opened
 * before dropping privileges. So the database can be in a base directory that their account cannot enter (`/root`), with a path
 * of any length.
 */
export function postgresLayout(baseDir: string): PostgresLayout {
  const root = join(baseDir, 'postgres');
  return {
    root,
    data: join(root, 'data'),
    run: join(root, 'run'),
    links: join(root, 'lib'),
    asSeen: (name) => join(process.platform === 'linux' ? '/proc/self/fd/3' : root, name),
  };
}
