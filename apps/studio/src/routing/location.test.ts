import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { BASE } from '../testing/fake-api.ts';
import { fire, usePage } from '../testing/page.ts';
import { basePath, hrefOf, moveCount, navigate, placeOf, usePlace } from './location.ts';

const page = usePage();

describe('places', () => {
  it('are the same below every base path', () => {
    expect(placeOf('/files/mine', '?dir=a%2Fb', '/').path).toBe('/files/mine');
    const place = placeOf('/tools/croft/files/mine', '?dir=a%2Fb', '/tools/croft/');
    expect([place.path, place.query.get('dir')]).toEqual(['/files/mine', 'a/b']);
    expect(hrefOf('/files/mine?dir=x', '/tools/croft/')).toBe('/tools/croft/files/mine?dir=x');
    expect(hrefOf('/', '/')).toBe('/');
  });

  it('end without a slash, and an address outside of the base path is the first page', () => {
    expect(placeOf('/settings/', '', '/').path).toBe('/settings');
    expect(placeOf('/elsewhere', '', '/croft/').path).toBe('/');
    expect(placeOf('/croft/', '', '/croft/').path).toBe('/');
  });
});

describe('navigation', () => {
  it('shows another place, adds an entry of the history and counts', async () => {
    const pushes = [vi.spyOn(history, 'pushState'), vi.spyOn(history, 'replaceState')];
    const first = moveCount();
    const place = await page.hook(usePlace);
    expect(place.current).toEqual({ path: '/', query: new URLSearchParams() });
    const before = place.current;
    place.again();
    expect(place.current).toBe(before);
    await act(async () => navigate('/files?dir=a'));
    expect([place.current.path, place.current.query.get('dir'), moveCount() - first]).toEqual(['/files', 'a', 1]);
    await act(async () => navigate('/flows', { replace: true }));
    expect([place.current.path, moveCount() - first]).toEqual(['/flows', 1]);
    await act(async () => navigate('/flows'));
    expect(pushes.map(({ mock }) => mock.calls)).toEqual([
      [[null, '', '/base/files?dir=a']],
      [[null, '', '/base/flows']],
    ]);
    place.leave();
  });

  it('shows another page from its top, and stays where only the query changes', async () => {
    const scrolled = vi.fn();
    vi.stubGlobal('scrollTo', scrolled);
    const place = await page.hook(usePlace);
    await act(async () => navigate('/files?dir=a'));
    expect(scrolled.mock.calls).toEqual([[0, 0]]);
    await act(async () => navigate('/files?dir=b'));
    expect(scrolled).toHaveBeenCalledOnce();
    await act(async () => navigate('/flows', { replace: true }));
    expect(scrolled).toHaveBeenCalledTimes(2);
    vi.stubGlobal('location', new URL(`${BASE}files`));
    await fire(window, 'popstate');
    expect(scrolled).toHaveBeenCalledTimes(2);
    place.leave();
  });

  it('follows the browser back as long as a component listens', async () => {
    const first = moveCount();
    const [place, other] = [await page.hook(usePlace), await page.hook(usePlace)];
    vi.stubGlobal('location', new URL(`${BASE}runs`));
    await fire(window, 'popstate');
    expect([place.current.path, other.current.path, moveCount() - first]).toEqual(['/runs', '/runs', 1]);
    place.leave();
    await fire(window, 'popstate');
    expect(moveCount() - first).toBe(2);
    other.leave();
    await fire(window, 'popstate');
    expect(moveCount() - first).toBe(2);
  });

  it('has the base path of the page', () => {
    expect([basePath(), hrefOf('/files'), hrefOf('files')]).toEqual(['/base/', '/base/files', '/base/files']);
  });
});
