import { describe, expect, it } from 'vitest';
import { basePathOf, withoutBasePath } from './base-path.ts';

describe('the base path', () => {
  it.each([
    [undefined, '/'],
    ['https://host', '/'],
    ['https://host/croft', '/croft/'],
    ['https://host/a/b/', '/a/b/'],
  ])('of %s is %s', (url, path) => expect(basePathOf(url)).toBe(path));

  it.each([
    ['/croft/', '/'],
    ['/croft', '/'],
    ['/croft/api/v1?x=/croft/', '/api/v1?x=/croft/'],
    ['/croft?x', '/?x'],
    // A proxy has removed it.
    ['/api/v1', '/api/v1'],
    ['/croftx/api', '/croftx/api'],
    ['*', '*'],
    ['http://host/croft/', 'http://host/croft/'],
  ])('is removed from %s: %s', (target, rest) => expect(withoutBasePath(target, '/croft/')).toBe(rest));

  it('changes nothing where it is the root', () => expect(withoutBasePath('//a', '/')).toBe('//a'));
});
