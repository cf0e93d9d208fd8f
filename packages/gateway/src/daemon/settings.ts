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

/** What a person said, for good, of one web origin and one directory. */
export type Decision = 'allow' | 'deny';

/** What a decision is about: the pages of one origin, and what their server gets. */
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
        // Of an allow: what was read out with the question.
        mayWrite: z.boolean().default(false),
      }),
    )
    .default([]),
  sessions: z
    .array(z.object({ server: z.string(), directory: z.string(), key: z.string(), savedAt: z.string() }))
    .default([]),
});

type Content = z.output<typeof schema>;

/** A settings file that cannot be used; the message is a sentence for the person. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const MAX_BYTES = 1024 * 1024;
/** Keys of servers nobody went back to are forgotten, oldest first. */
const MAX_SESSIONS = 50;

/**
 * What a daemon keeps between its runs: decisions of the person, and the keys of sessions. The file is for its owner
 * only, and is replaced in one step. It is read anew each time, because several daemons may share it; two that write in
 * the same instant may lose one of the two notes.
 */
export interface Settings {
  /** A deny wins over an allow, and an allow to read says nothing of changing files. @throws SettingsError */
  decisionFor(about: PageAccess): Decision | undefined;
  /** @throws SettingsError */
  remember(about: PageAccess, decision: Decision): void;
  /** The session key of an earlier run, for this server and this directory. @throws SettingsError */
  sessionFor(server: string, directory: string): string | undefined;
  /** The server this directory was last shared with. @throws SettingsError */
  lastServer(directory: string): string | undefined;
  /** @throws SettingsError */
  keepSession(server: string, directory: string, key: string): void;
  /** @throws SettingsError */
  forgetSession(server: string, directory: string): void;
}

/** Settings kept in `file`, which need not exist yet. */
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

/** A file that cannot be understood may hold a deny: nothing goes on without it. */
function readSettings(file: string): Content {
  const text = readOwnFile(file);
  if (text === undefined) return { origins: [], sessions: [] };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new SettingsError(`${file} is not JSON; mend it, or delete it to forget all decisions and sessions`);
  }
  const checked = schema.safeParse(parsed);
  if (!checked.success)
    throw new SettingsError(
      `${file} does not hold settings of croft connect (${checked.error.issues[0]?.path.join('.') || 'top level'}); mend it, or delete it to forget all decisions and sessions`,
    );
  return checked.data;
}

function readOwnFile(file: string): string | undefined {
  let fd: number;
  try {
    // A link may lead into a directory that is served, and with it what is written here.
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
      throw new SettingsError(`${file} belongs to somebody else; move it away`);
    // Somebody made it readable for others; the keys in it are not theirs.
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
      // It was never made, or has its name already.
    }
    if (error instanceof SettingsError) throw error;
    throw new SettingsError(`${file} cannot be written: ${osReason(error)}`);
  }
}
