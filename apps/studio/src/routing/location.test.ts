import { describe, expect, it } from 'vitest';
import { hrefOf, placeOf } from './location.ts';

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
