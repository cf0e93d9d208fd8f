import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resolveNamespace } from '@croft/workspace';
import { sampleFiles } from '../../apps/studio/dev/sample-files.ts';
import type { Settings } from '../../apps/server/src/config/settings.ts';
import { startTestServer, type TestServer, type Visitor } from '../../apps/server/src/testing.ts';

const STUDIO = join(import.meta.dirname, '../../apps/studio/dist');
/** The administrator that the tests of a file share. */
export const ADA = { name: 'Ada Field', login: 'ada@croft.example', password: 'correct horse' } as const;
/** A file that is larger cannot be kept in the trash. */
export const TRASH_BYTES = 500_000;
const SAMPLES = sampleFiles();

/** A user of a server, with direct access to the user's files on the disk. */
export interface StudioUser {
  readonly server: TestServer;
  /** Sends requests with the user's session, as another page would. */
  readonly visitor: Visitor;
  readonly login: string;
  readonly files: FilesOnDisk;
}

/** Files of a directory, by paths relative to it. */
export interface FilesOnDisk {
  has(path: string): boolean;
  text(path: string): string;
  write(path: string, content: string | Buffer): void;
  makeFolder(path: string): void;
}

export interface UserOptions {
  /** A server without accounts. */
  readonly autoLogin?: boolean;
  /** Starts and ends with a slash. */
  readonly basePath?: string;
  /** A user of this test alone, instead of the administrator that the tests of a file share. */
  readonly newUser?: boolean;
  /** Files beside the sample files. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** On a server without accounts: the local user has files besides the shared ones. */
  readonly mine?: boolean;
}

/** The servers of a test file: with accounts, without, or below a base path; each is started at its first use. */
export interface StudioServers {
  /** A user with the sample files and `files`. */
  user(options: UserOptions): Promise<StudioUser>;
  stop(): Promise<void>;
}

interface Started {
  readonly server: TestServer;
  readonly owner: Visitor;
  readonly ownerId: string;
}

/** Creates the servers of a test file, with further settings. They stop with `stop`. */
export function studioServers(settings: () => Partial<Settings> = () => ({})): StudioServers {
  const started = new Map<string, Promise<Started>>();
  let users = 0;
  return {
    async user({ autoLogin = false, basePath = '/', newUser = false, files = {}, mine = false }) {
      const kind = `${autoLogin} ${basePath}`;
      if (!started.has(kind)) started.set(kind, start(autoLogin, basePath, settings()));
      const { server, owner, ownerId } = await (started.get(kind) as Promise<Started>);
      users += 1;
      const login = newUser ? `user-${users}@croft.example` : ADA.login;
      const visitor = newUser ? await addUser(server, owner, login) : owner;
      const userId = newUser ? await idOf(visitor) : ownerId;
      const env = { CROFT_BASE_DIR: server.baseDir, CROFT_AUTO_LOGIN: `${autoLogin}` };
      const own = resolveNamespace({ userId, forceIsolation: true, env }).root;
      const root = autoLogin ? resolveNamespace({ env }).root : own;
      // The server opens a directory again when another one has its name. The old one keeps its inode.
      for (const dir of new Set([root, own]))
        if (existsSync(dir)) renameSync(dir, join(server.baseDir, `replaced-${users}-${dir === own ? 'own' : 'top'}`));
      const onDisk = filesIn(root);
      for (const dir of mine ? [root, own] : [root]) mkdirSync(dir, { recursive: true, mode: 0o700 });
      for (const [path, content] of Object.entries({ ...SAMPLES, ...files })) onDisk.write(path, content);
      for (const [index, path] of Object.keys(SAMPLES).entries()) {
        const seconds = Date.now() / 1_000 - (index * 31 + 4) * 3_600;
        utimesSync(join(root, path), seconds, seconds);
      }
      return { server, visitor, login, files: onDisk };
    },
    async stop() {
      for (const starting of started.values()) await (await starting).server.stop();
    },
  };
}

async function start(autoLogin: boolean, basePath: string, more: Partial<Settings>): Promise<Started> {
  const settings = autoLogin ? { autoLogin } : { superuser: ADA.login, superuserPassword: ADA.password };
  const server = await startTestServer(
    {
      ...settings,
      userQuotaBytes: 20_000_000,
      trashBytes: TRASH_BYTES,
      ...more,
      ...(basePath !== '/' && { publicUrl: `http://127.0.0.1:1${basePath}` }),
    },
    { studioDir: STUDIO, isContainer: false },
  );
  await server.running.ready;
  const owner = autoLogin ? await server.openPage() : await server.signIn(ADA.login, ADA.password);
  if (!autoLogin) await change(owner, 'PATCH', '/api/v1/me', { name: ADA.name });
  return { server, owner, ownerId: await idOf(owner) };
}

async function addUser(server: TestServer, admin: Visitor, login: string): Promise<Visitor> {
  const { password, name } = ADA;
  await change(admin, 'POST', '/api/v1/users', { name, email: login, password, role: 'admin' });
  return server.signIn(login, password);
}

/** Sends a change and throws unless the server accepts it. */
export async function change(visitor: Visitor, method: string, path: string, json: unknown): Promise<unknown> {
  const { status, body } = await visitor.json(path, { method, json, headers: { 'x-croft': '1' } });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}

async function idOf(visitor: Visitor): Promise<string> {
  return (await visitor.json<{ user: { id: string } }>('/api/v1/me')).body.user.id;
}

/** The files below a directory. */
export function filesIn(root: string): FilesOnDisk {
  return {
    has: (path) => existsSync(join(root, path)),
    text: (path) => readFileSync(join(root, path), 'utf8'),
    makeFolder: (path) => void mkdirSync(join(root, path), { recursive: true, mode: 0o700 }),
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true, mode: 0o700 });
      rmSync(join(root, path), { force: true });
      writeFileSync(join(root, path), content);
    },
  };
}
