import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makeDirs, osReason } from '@croft/workspace';
import { z } from 'zod';

/** A permanent decision of the person about one web origin and one directory. */
export type Decision = 'allow' | 'deny';

/** The subject of a decision: the pages of one origin, and the access of their server. */
export interface PageAccess {
  readonly origin: string;
  /** Host path. */
  readonly directory: string;
  readonly mayWrite: boolean;
}

const schema = z.object({
  origins: z
    .array(
      z.object({
        origin: z.string(),
        directory: z.string(),
        decision: z.enum(['allow', 'deny']),
        // For an allow: the access that the question named.
        mayWrite: z.boolean().default(false),
      }),
    )
    .default([]),
  sessions: z
    .array(z.object({ server: z.string(), directory: z.string(), key: z.string(), savedAt: z.string() }))
    .default([]),
});

type Content = z.output<typeof schema>;

/** A settings file that cannot be used. The message is a sentence for the person. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const MAX_BYTES = 1024 * 1024;
/** Limit of stored sessions; the oldest are dropped. */
const MAX_SESSIONS = 50;

/**
 * The persistent state of a daemon: decisions of the person, and session keys. The file is readable only by its owner
 * and is replaced atomically. Several daemons may share it, so it is re-read for each access; if two write at the same
 * moment, one change may be lost.
 */
export interface Settings {
  /** A deny overrides an allow, and permission to read does not include permission to write. @throws SettingsError */
  decisionFor(about: PageAccess): Decision | undefined;
  /** @throws SettingsError */
  remember(about: PageAccess, decision: Decision): void;
  /** The session key of an earlier run, for this server and this directory. @throws SettingsError */
  sessionFor(server: string, directory: string): string | undefined;
  /** The server with which this directory was last shared. @throws SettingsError */
  lastServer(directory: string): string | undefined;
  /** @throws SettingsError */
  keepSession(server: string, directory: string, key: string): void;
  /** @throws SettingsError */
  forgetSession(server: string, directory: string): void;
}

/** Opens the settings in `file`, which need not exist yet. */
export function openSettings(file: string, now: () => Date = () => new Date()): Settings {
  const update = (change: (content: Content) => Content): void => {
    const before = readSettings(file);
    const after = change(before);
    if (JSON.stringify(after) !== JSON.stringify(before)) writeSettings(file, after);
  };
  const isOf = (server: string, directory: string) => (session: Content['sessions'][number]) =>
    session.server === server && session.directory === directory;
  return {
    decisionFor({ origin, directory, mayWrite }) {
      const said = readSettings(file)
        .origins.filter((entry) => entry.origin === origin && entry.directory === directory)
        .filter((entry) => entry.decision === 'deny' || entry.mayWrite || !mayWrite)
        .map(({ decision }) => decision);
      return said.includes('deny') ? 'deny' : said[0];
    },
    remember({ origin, directory, mayWrite }, decision) {
      update((content) => ({
        ...content,
        origins: [
          ...content.origins.filter((entry) => entry.origin !== origin || entry.directory !== directory),
          { origin, directory, decision, mayWrite },
        ],
      }));
    },
    sessionFor: (server, directory) => readSettings(file).sessions.findLast(isOf(server, directory))?.key,
    lastServer: (directory) =>
      readSettings(file).sessions.findLast((session) => session.directory === directory)?.server,
    keepSession(server, directory, key) {
      update((content) => ({
        ...content,
        sessions: [
          ...content.sessions.filter((session) => !isOf(server, directory)(session)),
          { server, directory, key, savedAt: now().toISOString() },
        ].slice(-MAX_SESSIONS),
      }));
    },
    forgetSession(server, directory) {
      update((content) => ({
        ...content,
        sessions: content.sessions.filter((session) => !isOf(server, directory)(session)),
      }));
    },
  };
}

/** Reads the settings. An invalid file may contain a deny, so reading it throws. */
function readSettings(file: string): Content {
  const text = readOwnFile(file);
  if (text === undefined) return { origins: [], sessions: [] };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new SettingsError(`${file} is not JSON; correct it, or delete it to forget all decisions and sessions`);
  }
  const checked = schema.safeParse(parsed);
  if (!checked.success)
    throw new SettingsError(
      `${file} does not hold settings of croft connect (${checked.error.issues[0]?.path.join('.') || 'top level'}); correct it, or delete it to forget all decisions and sessions`,
    );
  return checked.data;
}

function readOwnFile(file: string): string | undefined {
  let fd: number;
  try {
    // A link may lead into the shared directory, where an agent could read what is written here.
    fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw new SettingsError(`${file} is a link; put the file itself there`);
    throw new SettingsError(`${file} cannot be read: ${osReason(error)}`);
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new SettingsError(`${file} is not a file; move it away`);
    if (stat.size > MAX_BYTES) throw new SettingsError(`${file} is larger than ${MAX_BYTES} bytes; delete it`);
    if (process.getuid && stat.uid !== process.getuid() && process.getuid() !== 0)
      throw new SettingsError(`${file} belongs to another user; move it away`);
    // The file was readable for other users; its keys must not be.
    if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) chmodSync(file, 0o600);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

function writeSettings(file: string, content: Content): void {
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    makeDirs(dirname(file));
    if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new SettingsError(`${file} is a directory`);
    const fd = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      const bytes = Buffer.from(`${JSON.stringify(content, null, 2)}\n`);
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, file);
  } catch (error) {
    try {
      unlinkSync(temporary);
    } catch {
      // The temporary file was not created, or already renamed.
    }
    if (error instanceof SettingsError) throw error;
    throw new SettingsError(`${file} cannot be written: ${osReason(error)}`);
  }
}
