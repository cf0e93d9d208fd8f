import { describe, expect, it } from 'vitest';
import { fileDir, testDir } from '../../../tests/support/temp-dir.ts';
import { createKnownBrowsers } from './accounts/known-browsers.ts';
import { createLocalSessions } from './local-session.ts';
import { ADMIN, startTestServer, type Visitor } from './testing.ts';

const OLD = 'the key this server had before, 32+';
const NEW = 'the key this server has from now on';
const baseDir = fileDir();

describe('a new secret key beside the one before', () => {
  it('keeps sessions and the admin’s password, and lets the admin sign out', async () => {
    const before = await startTestServer({ baseDir, secretKey: OLD });
    await before.running.ready;
    const { cookie = '' } = await before.signIn(ADMIN.login, ADMIN.password);
    const page = before.withCookie(cookie);
    const json = { password: { current: ADMIN.password, next: 'chosen on the page' } };
    expect((await page.json('/api/v1/me', { method: 'PATCH', json })).status).toBe(200);
    await before.stop();
    const after = await startTestServer({ baseDir, secretKey: NEW, previousSecretKeys: [OLD] });
    try {
      await after.running.ready;
      // A cookie is named for the port, which is another one here.
      const kept = after.withCookie(
        cookie.replaceAll(/croft_session_\d+/g, `croft_session_${new URL(after.url).port}`),
      );
      expect((await kept.json('/api/v1/me')).body).toMatchObject({ user: { email: 'admin@localhost' } });
      await after.signIn(ADMIN.login, 'chosen on the page');
      expect((await kept.json('/api/v1/session', { method: 'DELETE' })).status).toBe(200);
      expect((await kept.json('/api/v1/me')).body.user).toBeNull();
    } finally {
      await after.stop();
    }
  });

  it('keeps schedules, also when the key before is gone', async () => {
    const own = testDir();
    /** Starts a server with these keys, does something as the admin, and stops it. */
    const withKeys = async <Result>(keys: [string, ...string[]], act: (admin: Visitor) => Promise<Result>) => {
      const [secretKey, ...previousSecretKeys] = keys;
      const server = await startTestServer({ baseDir: own, secretKey, previousSecretKeys });
      try {
        await server.running.ready;
        return await act(await server.signInAdmin());
      } finally {
        await server.stop();
      }
    };
    await withKeys([OLD], async (admin) => {
      const made = await admin.json<any>('/api/v1/flows', { method: 'POST', json: {} });
      const { id: flowId, version } = made.body.flow;
      const json = { cron: '0 0 1 1 *', version };
      const added = await admin.json<any>(`/api/v1/flows/${flowId}/schedules`, { method: 'POST', json });
      expect(added.status).toBe(201);
    });
    await withKeys([NEW, OLD], async () => undefined);
    await withKeys([NEW], async (admin) => {
      const { body } = await admin.json<any>('/api/v1/schedules');
      expect(body).toMatchObject({ schedules: [{ cron: '0 0 1 1 *', failure: null }], unreadable: [] });
    });
  });

  it('signs new cookies, and cookies signed with an unknown key are refused', () => {
    const cookie = createLocalSessions([OLD]).issue();
    expect(createLocalSessions([NEW, OLD]).isValid(cookie)).toBe(true);
    expect(createLocalSessions([NEW]).isValid(cookie)).toBe(false);
    expect(createLocalSessions([NEW]).isValid(createLocalSessions([NEW, OLD]).issue())).toBe(true);
    const mark = createKnownBrowsers([OLD]).issue('ada');
    expect(createKnownBrowsers([NEW, OLD]).find(mark, 'ada')).toBe(mark.split('.')[0]);
    expect(createKnownBrowsers([NEW, OLD]).find(mark, 'ben')).toBeUndefined();
    expect(createKnownBrowsers([NEW]).find(mark, 'ada')).toBeUndefined();
  });
});
