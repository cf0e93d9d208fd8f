import { act, createElement } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { emptyFlow } from '@croft/flow';
import { memoryStorage } from './assistant/fake-assistant-server.ts';
import './assistant/testing-media.ts';
import { navigate } from './routing/location.ts';
import { BASE, refusal, useFakeApi } from './testing/fake-api.ts';
import { useFakeEvents } from './testing/fake-events.ts';
import { outline } from './testing/outline.ts';
import { fire, named, usePage } from './testing/page.ts';
// Loaded before a test waits for them, or ends without them.
import './canvas/flow-page.tsx';
import './connect/connect-page.tsx';
import './files/files-page.tsx';
import './flows/flows-page.tsx';
import './kit/kit-page.tsx';
import './playground/playground-page.tsx';
import './public/public-page.tsx';
import './runs/run-page.tsx';
import './runs/runs-page.tsx';
import './settings/settings-page.tsx';
import './sign-in/open-by-link-page.tsx';
import './sign-in/sign-in-page.tsx';
import './use/use-page.tsx';
import './versions/versions-view.tsx';

// The module reads the address when it is loaded.
vi.stubGlobal('location', new URL('files', BASE));
vi.stubGlobal('document', { baseURI: BASE });
const { App } = await import('./app.tsx');
vi.unstubAllGlobals();

const server = useFakeApi();
useFakeEvents();
const page = usePage();
const ME = 'GET /api/v1/me';
const user = { id: 'u1', name: 'Ada', email: 'ada@x', role: 'user', avatar: null };

const flow = { id: 'f1', name: 'Daily', version: 3, access: 'read', document: emptyFlow('Daily') };

async function show(path: string, me: unknown) {
  vi.stubGlobal('location', new URL(path.slice(1), document.baseURI));
  server.answer(ME, me);
  return page.show(createElement(App));
}

describe('the studio', () => {
  it('asks for a sign-in without a user', async () => {
    const box = await show('/files', { user: null, autoLogin: false });
    await vi.waitFor(() => expect(box.querySelector('h1')?.textContent).toBe('Sign in'));
  });

  it('asks for the link of the command where that signs in', async () => {
    const box = await show('/files', { user: null, autoLogin: true });
    await vi.waitFor(() => expect(box.querySelector('h1')?.textContent).toBe('Open it from your terminal'));
    expect(box.querySelectorAll('h1, [name=password]').length).toBe(1);
  });

  it('says that the server cannot be reached, and tries again', async () => {
    const box = await show('/files', refusal(404, 'broken', 'It broke.'));
    await vi.waitFor(() =>
      expect(outline(box)).toEqual([
        'div[role=alert]',
        'span[aria-hidden=true]',
        'icon circle-exclamation-point 22',
        'h1 Croft cannot be reached',
        'p It broke.',
        'button[type=button]',
        'span Try again',
        'section[aria-label=Notifications]',
        'div[role=status]',
      ]),
    );
    const before = server.requests.length;
    await fire(named(box, 'Try again'), 'click');
    await vi.waitFor(() => expect(server.requests.length).toBeGreaterThan(before));
  });

  it.each(['/none', '/flows/f1/playground', '/flows/f1/constructor', '/flows/f1/play/more'])(
    'shows the unknown address %s as not found',
    async (path) => {
      const box = await show(path, { user, autoLogin: false });
      await vi.waitFor(() =>
        expect(outline(box.querySelector('main') as Element)).toEqual([
          'div[role=status]',
          'span[aria-hidden=true]',
          'icon map-pin-off 22',
          'h1 Page not found',
          'p Check the address. It may be from another version of Croft.',
          'a[href=/base/files] Go to your files',
        ]),
      );
    },
  );

  it.each([
    ['/files', 'Files'],
    ['/flows', 'Flows'],
    ['/runs', 'Runs'],
    ['/connect', 'Connect'],
    ['/settings', 'Settings'],
    ['/runs/r1', 'This run cannot be shown'],
  ])('has at %s the page %s', async (path, title) => {
    const box = await show(path, { user, autoLogin: false });
    await vi.waitFor(() => expect(box.querySelector('h1')?.textContent).toBe(title));
  });

  it.each([
    ['/flows/f1', 'Canvas'],
    ['/flows/f1/play', 'Run'],
    ['/flows/f1/runs', 'Runs'],
    ['/flows/f1/use', 'Use it from code'],
  ])('has at %s the page of a flow with %s', async (path, first) => {
    vi.stubGlobal('sessionStorage', memoryStorage());
    vi.stubGlobal('localStorage', memoryStorage());
    vi.stubGlobal('CSS', { escape: (text: string) => text });
    server.answer('GET /api/v1/flow-components', { components: [], unavailable: [] });
    server.answer('GET /api/v1/flows/f1', { flow });
    const box = await show(path, { user, autoLogin: false });
    const part = () => box.querySelector('main section[aria-label], main [role=application]');
    await vi.waitFor(() => expect(part()?.getAttribute('aria-label')).toBe(first));
  });

  it('has the versions of a flow at their address', async () => {
    vi.stubGlobal('sessionStorage', memoryStorage());
    vi.stubGlobal('localStorage', memoryStorage());
    server.answer('GET /api/v1/flow-components', { components: [], unavailable: [] });
    server.answer('GET /api/v1/flows/f1', { flow });
    server.answer('GET /api/v1/flows/f1/restore-points', { restorePoints: [] });
    const box = await show('/flows/f1/versions', { user, autoLogin: false });
    await vi.waitFor(() => expect(box.querySelector('main')?.textContent).toContain('No versions kept yet'));
  });

  it('leads from the first address to the files', async () => {
    await show('/', { user, autoLogin: false });
    await vi.waitFor(() => expect(location.pathname).toBe('/base/files'));
  });

  it('keeps the pages, hidden, while the session has ended', async () => {
    const box = await show('/connect', { user, autoLogin: false });
    await vi.waitFor(() => expect(box.querySelector('h1')?.textContent).toBe('Connect'));
    const main = box.querySelector('main');
    const isHidden = () => box.querySelector('header')?.parentElement?.style.display === 'none';
    server.answer(ME, { user: null, autoLogin: false });
    server.answer('DELETE /api/v1/session', refusal(401, 'unauthorized'));
    await fire(named(box, 'Sign out'), 'click');
    await vi.waitFor(() =>
      expect([...box.querySelectorAll('h1')].map((each) => each.textContent)).toContain('Sign in'),
    );
    expect([main?.isConnected, isHidden()]).toEqual([true, true]);
    server.answer(ME, { user, autoLogin: false });
    server.answer('POST /api/v1/session', {});
    await fire(box.querySelector('form') as Element, 'submit');
    await vi.waitFor(() => expect(isHidden()).toBe(false));
    expect([main?.isConnected, box.querySelectorAll('h1').length]).toEqual([true, 1]);
  });

  it('keeps nothing of a user who signs out', async () => {
    const box = await show('/connect', { user, autoLogin: false });
    await vi.waitFor(() => expect(box.querySelector('h1')?.textContent).toBe('Connect'));
    server.answer(ME, { user: null, autoLogin: false });
    server.answer('DELETE /api/v1/session', {});
    await fire(named(box, 'Sign out'), 'click');
    await vi.waitFor(() => expect(box.querySelector('h1')?.textContent).toBe('Sign in'));
    expect(box.querySelector('nav')).toBeNull();
    server.answer(ME, { user: { ...user, id: 'u2', name: 'Bea' }, autoLogin: false });
    server.answer('POST /api/v1/session', {});
    await fire(box.querySelector('form') as Element, 'submit');
    await vi.waitFor(() => expect(box.textContent).toContain('Bea'));
  });

  it('shows the user who comes next nothing that an earlier one loaded', async () => {
    server.answer('GET /api/v1/keys', {
      keys: [{ id: 'k1', name: 'Mine', prefix: 'croft_1', createdAt: '2026-01-01T00:00:00Z', lastUsedAt: null }],
    });
    const box = await show('/settings/keys', { user, autoLogin: false });
    await vi.waitFor(() => expect(box.textContent).toContain('Mine'));
    server.answer(ME, { user: null, autoLogin: false });
    server.answer('DELETE /api/v1/session', {});
    await fire(named(box, 'Sign out'), 'click');
    await vi.waitFor(() => expect(box.querySelector('h1')?.textContent).toBe('Sign in'));
    server.answer(ME, { user, autoLogin: false });
    server.answer('POST /api/v1/session', {});
    server.answer('GET /api/v1/keys', () => new Promise(() => undefined));
    await fire(box.querySelector('form') as Element, 'submit');
    await vi.waitFor(() => expect(box.querySelector('nav')).not.toBeNull());
    await act(async () => navigate('/settings/keys'));
    await vi.waitFor(() => expect(box.querySelector('h1')?.textContent).toBe('Settings'));
    expect(box.textContent).not.toContain('Mine');
  });

  it('shows the kit and public pages without asking for the user', async () => {
    const kit = await show('/kit', () => new Promise(() => undefined));
    await vi.waitFor(() => expect(kit.querySelector('h1')?.textContent).toBe('Kit'));
    server.requests.length = 0;
    await show('/p/x', () => new Promise(() => undefined));
    expect(server.requests).not.toContain(ME);
  });
});
