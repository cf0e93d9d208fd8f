import { FakeError } from './fake-error.ts';
import { type FakeState, type FakeUser, notConnected } from './fake-state.ts';

/** A request, read. */
export interface FakeRequest {
  method: string;
  /** Below the base path, without a slash before it. */
  path: string;
  query: URLSearchParams;
  json: () => Record<string, unknown>;
  body: Buffer;
  user: FakeUser | undefined;
}

/** An answer: JSON unless bytes are given. */
export interface FakeAnswer {
  status?: number;
  json?: unknown;
  bytes?: Buffer;
  headers?: Record<string, string>;
}

/** Answers an endpoint of the contract; `undefined` for any other request. */
export function answer(state: FakeState, request: FakeRequest): FakeAnswer | undefined {
  const { method, path } = request;
  if (path === 'api/v1/me' && method === 'GET') return { json: me(state, request.user) };
  if (path === 'api/v1/session') return session(state, request);
  if (!/^(api\/v1|instance-ai)\//.test(path)) return undefined;
  if (!request.user) throw new FakeError(401, 'signed_out', 'You are signed out. Sign in again.');
  const signedIn = { ...request, user: request.user };
  if (path === 'api/v1/me') return changeMe(signedIn);
  if (path.startsWith('api/v1/keys')) return keys(state, signedIn);
  if (path.startsWith('api/v1/users')) return users(state, signedIn);
  if (path.startsWith('api/v1/files')) return files(state, signedIn);
  if (path.startsWith('api/v1/local-access/')) return directories(signedIn);
  if (path === 'api/v1/activity/changes') return { json: { changes: [] } };
  if (path === 'api/v1/shared-mount') {
    if (signedIn.method === 'PUT') state.sharedMode = signedIn.json().mode as FakeState['sharedMode'];
    return { json: { mode: state.sharedMode } };
  }
  if (path === 'api/v1/local-access') return localAccess(state, signedIn);
  return gateway(state, signedIn);
}

type SignedIn = FakeRequest & { user: FakeUser };

function me(state: FakeState, user: FakeUser | undefined) {
  return {
    user: user ? publicOf(user) : null,
    autoLogin: state.options.autoLogin ?? false,
    version: '0.1.0',
    publicUrl: null,
    basePath: state.options.basePath ?? '/',
    features: { gateway: true },
  };
}

function publicOf({ id, name, email, role }: FakeUser) {
  return { id, name, email, role };
}

function session(state: FakeState, { method, json }: FakeRequest): FakeAnswer {
  if (method === 'DELETE') {
    state.sessions.clear();
    return { json: { ok: true }, headers: { 'Set-Cookie': 'croft_session=; Path=/; Max-Age=0' } };
  }
  const { login, password } = json();
  if (state.failedSignIns >= 4)
    throw new FakeError(429, 'too_many_attempts', 'Too many tries.', { 'Retry-After': '30' });
  const user = state.users.find(({ email, name }) => email === login || name === login);
  if (!user || user.password !== password || user.disabled) {
    state.failedSignIns += 1;
    throw new FakeError(401, 'wrong_credentials', 'The name or the password is wrong.');
  }
  const id = `s${state.sessions.size}${Date.now()}`;
  state.sessions.set(id, user.id);
  return {
    json: { user: publicOf(user) },
    headers: { 'Set-Cookie': `croft_session=${id}; Path=/; HttpOnly; SameSite=Strict` },
  };
}

function changeMe({ user, json }: SignedIn): FakeAnswer {
  const { name, password } = json() as { name?: string; password?: { current: string; next: string } };
  if (password && password.current !== user.password)
    throw new FakeError(401, 'wrong_credentials', 'This is not your password now.');
  if (password) user.password = password.next;
  if (name) user.name = name;
  return { json: { user: publicOf(user) } };
}

function keys(state: FakeState, { method, path, json }: SignedIn): FakeAnswer {
  const id = path.split('/')[3];
  if (method === 'GET') return { json: { keys: state.keys } };
  if (method === 'DELETE') {
    state.keys.splice(
      state.keys.findIndex((key) => key.id === id),
      1,
    );
    return { json: { ok: true } };
  }
  const count = state.keys.length + 1;
  const key = {
    id: `k${count}-${Date.now()}`,
    name: json().name as string,
    prefix: 'croft_n3wK',
    createdAt: new Date().toISOString(),
    lastUsedAt: null,
  };
  state.keys.push(key);
  return { status: 201, json: { key, secret: 'croft_n3wKeyOfTheFakeServerThatOpensNothing00' } };
}

function users(state: FakeState, { method, path, json, user: self }: SignedIn): FakeAnswer {
  if (self.role !== 'admin') throw new FakeError(403, 'forbidden', 'Only administrators may do this.');
  const id = path.split('/')[3];
  if (method === 'GET') return { json: { users: state.users.map((user) => ({ ...user, password: undefined })) } };
  const user = state.users.find((other) => other.id === id);
  if (method === 'PATCH' && user) Object.assign(user, json());
  if (method === 'DELETE' && user) state.users.splice(state.users.indexOf(user), 1);
  if (method === 'POST') {
    const asked = json() as unknown as FakeUser;
    if (state.users.some(({ email }) => email === asked.email))
      throw new FakeError(409, 'exists', 'Somebody with this email is already here.');
    state.users.push({ ...asked, id: `u${Date.now()}`, disabled: false, createdAt: new Date().toISOString() });
  }
  return { json: { ok: true } };
}

function files(state: FakeState, request: SignedIn): FakeAnswer {
  const { method, path, query, json } = request;
  const tree = state.files;
  const changed = (body: unknown, status = 200): FakeAnswer => {
    state.tell('files', {});
    return { status, json: body };
  };
  const at = query.get('path') ?? '';
  const [, , , deed] = path.split('/');
  if (deed === undefined) return { json: { ...tree.list(at), mounts: state.mounts } };
  if (deed === 'usage') return { json: tree.quota() };
  if (deed === 'search') return { json: tree.search(query.get('q') ?? '', query.get('in') ?? 'name') };
  if (deed === 'content' && method === 'GET') return content(tree.read(at), query.get('download') === '1');
  if (deed === 'content') {
    const [overwrite, permanent] = ['overwrite', 'permanent'].map((name) => query.get(name) === '1');
    return changed(tree.write(at, request.body, overwrite ?? false, permanent), 201);
  }
  const ask = json() as Record<string, string> & { paths?: string[]; permanent?: unknown };
  if (deed === 'mkdir') return changed(tree.mkdir(ask.path ?? ''));
  if (deed === 'move') return changed(tree.move(ask.from ?? '', ask.to ?? ''));
  if (deed === 'delete') return changed(tree.remove(ask.paths ?? [ask.path ?? ''], ask.permanent === true));
  const back = tree.undo(ask.undo ?? '');
  if (!back) throw new FakeError(404, 'not_found', 'It cannot be brought back any more.');
  return changed(back);
}

function content(bytes: Buffer, download: boolean): FakeAnswer {
  const isPng = bytes.subarray(1, 4).toString('latin1') === 'PNG';
  const isText = !bytes.includes(0);
  const headers = {
    'Content-Type': isPng ? 'image/png' : isText ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    ...(download || !(isPng || isText) ? { 'Content-Disposition': 'attachment' } : {}),
  };
  return { bytes, headers };
}

function localAccess(state: FakeState, { method, json }: SignedIn): FakeAnswer {
  if (!state.local) throw new FakeError(404, 'not_found', 'There is no direct access here.');
  if (method === 'PUT') {
    const directory = json().directory as string | null;
    if (directory !== null && !directory.startsWith('/'))
      throw new FakeError(400, 'bad_directory', 'Write the directory from the top, like /home/me/projects.');
    state.local = { ...state.local, directory, state: directory === null ? 'setup' : 'on' };
  }
  return { json: state.local };
}

/** The directories on the disk of the fake server. */
const DISK: Record<string, string[]> = {
  '/': ['etc', 'home', 'srv', 'var'],
  '/home': ['ada'],
  '/home/ada': ['croft', 'letters \u202Egpj.exe', 'projects'],
  '/home/ada/projects': ['fence', 'garden', 'שלום'],
  '/home/ada/projects/garden': [],
};

function directories({ path, json }: SignedIn): FakeAnswer {
  if (path.endsWith('/picking')) return { json: { picking: 'p1' } };
  const asked = (json().path as string | undefined) ?? '/home/ada';
  const at = asked.length > 1 ? asked.replace(/\/+$/, '') : asked;
  const found = DISK[at];
  if (!found) throw new FakeError(400, 'invalid', 'There is no such directory, or it cannot be read.');
  const parent = at === '/' ? null : at.slice(0, at.lastIndexOf('/')) || '/';
  return { json: { path: at, parent, directories: found, truncated: false } };
}

function gateway(state: FakeState, { path, json }: SignedIn): FakeAnswer | undefined {
  const both = (flat: object): FakeAnswer => ({ json: { ...flat, data: flat } });
  if (path === 'instance-ai/gateway/status') return both(state.gateway);
  if (path === 'instance-ai/gateway/create-link') {
    const ttlMs = (state.options.pairingTtlS ?? 300) * 1000;
    if (json().renew === true || state.linkEndsAt <= Date.now()) {
      state.links += 1;
      state.linkEndsAt = Date.now() + ttlMs;
    }
    const token = `gw_${'k3yOfTheFakeServer00'}${`${state.links}`.padStart(12, '0')}`;
    return both({
      token,
      ttlSeconds: Math.ceil((state.linkEndsAt - Date.now()) / 1000),
      expiresAt: new Date(state.linkEndsAt).toISOString(),
      command: `npx -y --fetch-retries=0 http://localhost:7860/dl/croft.tgz connect http://localhost:7860 ${token}`,
    });
  }
  if (path === 'instance-ai/gateway/disconnect-session') state.setGateway(notConnected());
  else if (path === 'instance-ai/filesystem/toggle') state.setGateway({ enabled: json().enabled === true });
  else return undefined;
  return both({ ok: true });
}
