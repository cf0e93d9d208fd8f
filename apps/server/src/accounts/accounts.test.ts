import { describe, expect, it } from 'vitest';
import { ADMIN, cookiesOf, makeKey, type TestServer, type Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

let server: TestServer;
let admin: Visitor;

useTestServer({}, async (started) => {
  server = started;
  admin = await started.signInAdmin();
});

let made = 0;
/** A new user with a session. */
async function newUser(role: 'admin' | 'user' = 'user') {
  const email = `user${++made}@example.test`;
  const password = `password of ${email}`;
  const { body, status } = await admin.json<{ user: { id: string } }>('/api/v1/users', {
    method: 'POST',
    json: { name: `User ${made}`, email, password, role },
  });
  expect(status).toBe(201);
  return { id: body.user.id, email, password, visitor: await server.signIn(email, password) };
}
type Person = Awaited<ReturnType<typeof newUser>>;
const change = (id: string, json: object) => admin.json(`/api/v1/users/${id}`, { method: 'PATCH', json });

describe('signing in', () => {
  it('works by the name that was configured, and by its address', async () => {
    for (const login of ['admin', 'ADMIN', 'admin@localhost']) {
      const visitor = await server.signIn(login, ADMIN.password);
      expect((await visitor.json('/api/v1/me')).body).toMatchObject({
        user: { email: 'admin@localhost', role: 'admin' },
        autoLogin: false,
      });
    }
  });

  it('sets a cookie that no script reads and no other site sends', async () => {
    const answer = await server.stranger.request('/api/v1/session', { method: 'POST', json: ADMIN });
    const cookies = answer.headers.getSetCookie();
    const name = `croft_session_${new URL(server.url).port}`;
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([name, `${name}_known`]);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; HttpOnly/i);
      expect(cookie).toMatch(/; SameSite=Strict/i);
      expect(cookie).toMatch(/; Path=\/(;|$)/i);
      expect(cookie).not.toMatch(/; Secure/i);
    }
  });

  it('gives the same error for a wrong password and an unknown name', async () => {
    const tries = [
      { login: 'admin', password: 'wrong password' },
      { login: 'nobody', password: 'wrong password' },
      { login: 'local', password: 'wrong password' },
    ];
    for (const json of tries) {
      const { status, body } = await server.stranger.json('/api/v1/session', { method: 'POST', json });
      expect(status).toBe(401);
      expect(body).toEqual({
        error: { code: 'wrong_credentials', message: 'The name or the password is not right.' },
      });
    }
  });

  it('ends with signing out: the cookie opens nothing any more', async () => {
    const visitor = await server.signInAdmin();
    const answer = await visitor.request('/api/v1/session', { method: 'DELETE' });
    expect(answer.status).toBe(200);
    expect(cookiesOf(answer)).toMatch(/^croft_session_\d+=$/);
    expect((await visitor.json('/api/v1/me')).body.user).toBeNull();
    expect((await visitor.json('/api/v1/keys')).status).toBe(401);
  });

  it('does not take a cookie that was tampered with', async () => {
    const { cookie = '' } = await server.signInAdmin();
    const [name, value = ''] = (cookie.split(';')[0] ?? '').split('=');
    for (const forged of [value.slice(0, -4), value.replace(/^.{3}/, 'abc'), '', 'x.y'])
      expect((await server.withCookie(`${name}=${forged}`).json('/api/v1/me')).body.user).toBeNull();
  });

  it('cannot be done by signing up', async () => {
    for (const path of ['/api/auth/sign-up/email', '/api/v1/users']) {
      const json = { email: 'me@example.test', name: 'Me', password: 'long enough it is' };
      expect([401, 404]).toContain((await server.stranger.json(path, { method: 'POST', json })).status);
    }
  });

  it('is slowed down for an account that is tried again and again, also with the right password, but not where it is known', async () => {
    const user = await newUser();
    const statuses: number[] = [];
    for (let i = 0; i < 9; i++) {
      const json = { login: user.email, password: `guess ${i}` };
      statuses.push((await server.stranger.json('/api/v1/session', { method: 'POST', json })).status);
    }
    expect(statuses.at(0)).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    const json = { login: user.email, password: user.password };
    const { status, headers, body } = await server.stranger.json('/api/v1/session', { method: 'POST', json });
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(body).toMatchObject({ error: { code: 'too_many_attempts' } });
    const again = (from: Visitor, login = user.email) =>
      from.json('/api/v1/session', { method: 'POST', json: { login, password: user.password } });
    const marks = (await again(user.visitor)).headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
    const mark = marks.find((cookie) => cookie.includes('_known=')) ?? '';
    expect((await again(server.withCookie(mark))).status).toBe(200);
    // It opens nothing, and says nothing of other accounts.
    expect((await server.withCookie(mark).json('/api/v1/me')).body.user).toBeNull();
    const other = await newUser();
    for (let i = 0; i < 9; i++)
      await server.stranger.json('/api/v1/session', {
        method: 'POST',
        json: { login: other.email, password: 'guess' },
      });
    expect((await again(server.withCookie(mark), other.email)).status).toBe(429);
    expect((await again(server.withCookie(mark.replace('_known=', '_known=x')))).status).toBe(429);
    // Each of 24 passwords costs a hash, which a busy machine makes slowly.
  });
});

describe('a password', () => {
  it("is changed with the current one, and ends one's other sessions", async () => {
    const user = await newUser();
    const other = await server.signIn(user.email, user.password);
    const ask = (current: string) =>
      user.visitor.json('/api/v1/me', { method: 'PATCH', json: { password: { current, next: 'a new password' } } });
    expect(await ask('not the current one')).toMatchObject({
      status: 403,
      body: { error: { code: 'wrong_password' } },
    });
    expect((await ask(user.password)).status).toBe(200);
    expect((await user.visitor.json('/api/v1/me')).body.user).not.toBeNull();
    expect((await other.json('/api/v1/me')).body.user).toBeNull();
    await expect(server.signIn(user.email, user.password)).rejects.toThrow('401');
    await server.signIn(user.email, 'a new password');
  });

  it('of fewer than eight characters is refused with the rule', async () => {
    const json = { name: 'x', email: 'short@example.test', password: 'seven77' };
    const { status, body } = await admin.json('/api/v1/users', { method: 'POST', json });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('at least 8 characters');
  });
});

describe('API keys', () => {
  it('are shown once, listed by their beginning, and speak for their user', async () => {
    const user = await newUser();
    const secret = await makeKey(user.visitor, 'a key');
    expect(secret).toMatch(/^croft_[\w-]{43}$/);
    const listed = await user.visitor.json('/api/v1/keys');
    expect(JSON.stringify(listed.body)).not.toContain(secret);
    expect(listed.body).toMatchObject({ keys: [{ name: 'a key', prefix: secret.slice(0, 12) }] });
    expect((await server.withKey(secret).json('/api/v1/me')).body).toMatchObject({ user: { id: user.id } });
  });

  it('cannot make keys, change an account or end a session', async () => {
    const key = server.withKey(await makeKey((await newUser()).visitor));
    const tries = [
      key.json('/api/v1/keys', { method: 'POST', json: { name: 'more' } }),
      key.json('/api/v1/keys'),
      key.json('/api/v1/me', { method: 'PATCH', json: { name: 'taken over' } }),
      key.json('/api/v1/session', { method: 'DELETE' }),
    ];
    for (const { status } of await Promise.all(tries)) expect(status).toBe(403);
  });

  it('are worth nothing when they are wrong, ended, or of another form', async () => {
    const user = await newUser();
    const secret = await makeKey(user.visitor);
    const [key] = (await user.visitor.json<{ keys: { id: string }[] }>('/api/v1/keys')).body.keys;
    expect((await user.visitor.json(`/api/v1/keys/${key?.id}`, { method: 'DELETE' })).status).toBe(200);
    for (const bearer of [secret, `${secret}x`, 'croft_', 'x', `croft_${'a'.repeat(43)}`])
      expect((await server.withKey(bearer).json('/api/v1/files')).status).toBe(401);
  });

  it('count alone: a wrong one is not made good by a session', async () => {
    const { cookie = '' } = await server.signInAdmin();
    const { status } = await server.withKey(`croft_${'a'.repeat(43)}`).json('/api/v1/users', { headers: { cookie } });
    expect(status).toBe(401);
  });
});

describe('users', () => {
  it('are for admins', async () => {
    const user = await newUser();
    const tries = [
      user.visitor.json('/api/v1/users'),
      user.visitor.json('/api/v1/users', { method: 'POST', json: {} }),
      user.visitor.json(`/api/v1/users/${user.id}`, { method: 'PATCH', json: { role: 'admin' } }),
      user.visitor.json(`/api/v1/users/${user.id}`, { method: 'DELETE' }),
      server.withKey(await makeKey(user.visitor)).json('/api/v1/users'),
    ];
    for (const { status } of await Promise.all(tries)) expect(status).toBe(403);
    expect((await server.stranger.json('/api/v1/users')).status).toBe(401);
  });

  it('who are disabled lose sessions, keys, streams and their machine at once, and cannot sign in', async () => {
    const user = await newUser();
    const key = server.withKey(await makeKey(user.visitor));
    const events = await user.visitor.request('/api/v1/events');
    const post = (path: string, headers: Record<string, string>, body: object = {}) =>
      fetch(`${server.url}/instance-ai/gateway/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const link = await user.visitor.json<{ token: string }>('/instance-ai/gateway/create-link', {
      method: 'POST',
      json: {},
    });
    const tree = { rootPath: '/home/me', tree: [], treeText: '' };
    const init = await post('init', { 'x-gateway-key': link.body.token }, tree);
    const { sessionKey } = (await init.json()) as { sessionKey: string };
    const beat = () => post('init', { 'x-gateway-key': sessionKey }, tree);
    expect((await beat()).status).toBe(200);
    expect((await change(user.id, { disabled: true })).body).toMatchObject({ user: { disabled: true } });
    expect((await user.visitor.json('/api/v1/files')).status).toBe(401);
    expect((await key.json('/api/v1/files')).status).toBe(401);
    await expect(server.signIn(user.email, user.password)).rejects.toThrow('401');
    // Ended by the server.
    await events.text();
    await expect.poll(async () => (await beat()).status).toBe(403);
    await change(user.id, { disabled: false });
    expect((await key.json('/api/v1/files')).status).toBe(200);
    await server.signIn(user.email, user.password);
  });

  it.each([
    ['an admin', (user: Person) => change(user.id, { password: 'given by an admin' })],
    [
      'the user',
      (user: Person) =>
        user.visitor.json('/api/v1/me', {
          method: 'PATCH',
          json: { password: { current: user.password, next: 'chosen by the user' } },
        }),
    ],
  ])('whose password is changed by %s leave no stream open and no way for a machine to come in', async (_, act) => {
    const user = await newUser();
    const link = await user.visitor.json<{ token: string }>('/instance-ai/gateway/create-link', {
      method: 'POST',
      json: {},
    });
    const intruder = await server.signIn(user.email, user.password);
    const events = await intruder.request('/api/v1/events');
    expect((await act(user)).status).toBe(200);
    // Ended by the server.
    await events.text();
    const init = () =>
      fetch(`${server.url}/instance-ai/gateway/init`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gateway-key': link.body.token },
        body: JSON.stringify({ rootPath: '/home/me', tree: [], treeText: '' }),
      });
    expect((await init()).status).toBe(403);
  });

  it('who get another role have it with their next request by key, and sign in again', async () => {
    const user = await newUser();
    const key = server.withKey(await makeKey(user.visitor));
    await change(user.id, { role: 'admin' });
    expect((await key.json('/api/v1/users')).status).toBe(200);
    expect((await user.visitor.json('/api/v1/me')).body.user).toBeNull();
    await change(user.id, { role: 'user' });
    expect((await key.json('/api/v1/users')).status).toBe(403);
  });

  it('who are removed are gone with sessions and keys', async () => {
    const user = await newUser();
    const key = server.withKey(await makeKey(user.visitor));
    expect((await admin.json(`/api/v1/users/${user.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await user.visitor.json('/api/v1/me')).body.user).toBeNull();
    expect((await key.json('/api/v1/files')).status).toBe(401);
    expect((await admin.json(`/api/v1/users/${user.id}`, { method: 'DELETE' })).status).toBe(404);
  });

  it('always leave an admin: the last one cannot be removed, disabled or made a user', async () => {
    const { body } = await admin.json<{ users: { id: string; role: string; email: string; disabled: boolean }[] }>(
      '/api/v1/users',
    );
    for (const other of body.users.filter(({ role, email }) => role === 'admin' && email !== 'admin@localhost'))
      await change(other.id, { role: 'user' });
    const me = body.users.find(({ email }) => email === 'admin@localhost');
    for (const json of [{ role: 'user' }, { disabled: true }])
      expect((await change(me?.id ?? '', json)).body).toMatchObject({ error: { code: 'last_admin' } });
    const removed = await admin.json(`/api/v1/users/${me?.id}`, { method: 'DELETE' });
    expect(removed.body).toMatchObject({ error: { code: 'own_account' } });
  });

  it('have an address of their own each', async () => {
    const user = await newUser();
    const json = { name: 'Twin', email: user.email.toUpperCase(), password: 'long enough it is' };
    expect(await admin.json('/api/v1/users', { method: 'POST', json })).toMatchObject({
      status: 409,
      body: { error: { code: 'exists' } },
    });
  });
});

describe('the log', () => {
  it('holds no password, key or cookie', () => {
    const all = server.lines.join('');
    for (const secret of [ADMIN.password, 'croft_', admin.cookie?.split(';')[0]?.split('=')[1] ?? 'none'])
      expect(all.replaceAll(/croft_session_\d+/g, '')).not.toContain(secret);
  });
});
