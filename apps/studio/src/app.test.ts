import { createElement } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { BASE, refusal, useFakeApi } from './testing/fake-api.ts';
import { useFakeEvents } from './testing/fake-events.ts';
import { fire, named, usePage } from './testing/page.ts';
// Loaded before a test waits for them, or ends without them.
import './connect/connect-page.tsx';
import './files/files-page.tsx';
import './flows/flows-page.tsx';
import './kit/kit-page.tsx';
import './public/public-page.tsx';
import './runs/run-page.tsx';
import './runs/runs-page.tsx';
import './settings/settings-page.tsx';
import './sign-in/open-by-link-page.tsx';
import './sign-in/sign-in-page.tsx';

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
    await vi.waitFor(() => expect(box.textContent).toContain('link'));
    expect(box.querySelector('[name=password]')).toBeNull();
  });

  it('says that the server cannot be reached, and tries again', async () => {
    const box = await show('/files', refusal(404, 'broken', 'It broke.'));
    await vi.waitFor(() => expect(box.textContent).toContain('Croft cannot be reached'));
    const before = server.requests.length;
    await fire(named(box, 'Try again'), 'click');
    await vi.waitFor(() => expect(server.requests.length).toBeGreaterThan(before));
  });

  it('shows an unknown address as not found', async () => {
    const box = await show('/none', { user, autoLogin: false });
    await vi.waitFor(() => expect(box.textContent).toContain('Page not found'));
    expect(named(box, 'Go to your files').getAttribute('href')).toMatch(/\/files$/);
  });

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

  it('leads from the first address to the files', async () => {
    await show('/', { user, autoLogin: false });
    await vi.waitFor(() => expect(location.pathname).toBe('/base/files'));
  });

  it('shows the kit and public pages without asking for the user', async () => {
    const kit = await show('/kit', () => new Promise(() => undefined));
    await vi.waitFor(() => expect(kit.querySelector('h1')?.textContent).toBe('Kit'));
    server.requests.length = 0;
    await show('/p/x', () => new Promise(() => undefined));
    expect(server.requests).not.toContain(ME);
  });
});
