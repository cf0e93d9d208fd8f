import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../packages/workspace/src/testing.ts';
import type { Settings } from './config/settings.ts';
import { openTo, refuseExposure } from './exposure.ts';

const settings = (more: Partial<Settings>) => ({ host: '127.0.0.1', autoLogin: true, ...more }) as Settings;

it.each([
  ['127.0.0.1', undefined, undefined],
  ['::1', 'http://localhost:8080', undefined],
  ['localhost', 'https://croft.example', 'https://croft.example'],
  ['0.0.0.0', undefined, '0.0.0.0'],
  ['192.168.1.5', 'http://localhost', '192.168.1.5'],
])('a server on %s with the public address %s is reached at %s', (host, publicUrl, reached) => {
  expect(openTo({ host, publicUrl } as Settings)).toBe(reached);
});

describe('a server without sign-in', () => {
  it('does not start where other machines reach it, unless the operator allows it', () => {
    for (const more of [{ host: '0.0.0.0' }, { publicUrl: 'https://croft.example' }]) {
      expect(refusalOf(() => refuseExposure(settings(more), false))).toContain(
        `would be reached at ${more.host ?? more.publicUrl}. Set CROFT_AUTO_LOGIN=false with CROFT_SUPERUSER`,
      );
      expect(refusalOf(() => refuseExposure(settings(more), true))).toBe('accepted');
      expect(refusalOf(() => refuseExposure(settings({ ...more, autoLogin: false }), false))).toBe('accepted');
    }
    expect(refusalOf(() => refuseExposure(settings({}), false))).toBe('accepted');
  });
});

describe('settings that contradict each other', () => {
  it('are a name of an admin without a password, or the other way round', () => {
    const needed = 'CROFT_SUPERUSER and CROFT_SUPERUSER_PASSWORD are needed together';
    expect(refusalOf(() => refuseExposure(settings({ superuser: 'ada' }), false))).toBe(needed);
    expect(refusalOf(() => refuseExposure(settings({ superuserPassword: 'x' }), false))).toBe(needed);
    const both = settings({ superuser: 'ada', superuserPassword: 'x' });
    expect(refusalOf(() => refuseExposure(both, false))).toBe('accepted');
  });

  it('are a key of the gateway without its user, where users have accounts', () => {
    const key = { gatewayApiKey: 'k', autoLogin: false };
    expect(refusalOf(() => refuseExposure(settings(key), false))).toBe(
      'CROFT_GATEWAY_API_KEY needs CROFT_GATEWAY_API_KEY_USER: whose machine it connects',
    );
    for (const more of [{ ...key, gatewayApiKeyUser: 'ada' }, { gatewayApiKey: 'k' }])
      expect(refusalOf(() => refuseExposure(settings(more), false))).toBe('accepted');
  });
});
