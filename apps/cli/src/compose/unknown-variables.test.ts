import { expect, it } from 'vitest';
import { SPELLINGS } from '../../../server/src/config/settings.ts';
import { unknownVariables, warnOfUnknownVariables } from './unknown-variables.ts';

const warnings = (env: NodeJS.ProcessEnv, args: readonly string[]): string => {
  let text = '';
  warnOfUnknownVariables(env, args, (part) => {
    text += part;
  });
  return text;
};

it('names a mistyped variable and the nearest one, and never a value', () => {
  expect(unknownVariables({ CROFT_AUTOLOGIN: 'false', CROFT_SECRETKEY: 's3cret', PATH: '/bin' })).toEqual([
    'CROFT_AUTOLOGIN is not a setting of Croft; did you mean CROFT_AUTO_LOGIN?',
    'CROFT_SECRETKEY is not a setting of Croft; did you mean CROFT_SECRET_KEY?',
  ]);
});

it('knows every variable of the configuration', () => {
  const settings = Object.values(SPELLINGS).map(({ env }) => env);
  expect(unknownVariables(Object.fromEntries(settings.map((name) => [name, 'x'])))).toEqual([]);
});

it('ignores what Kubernetes sets for a service named croft', () => {
  expect(unknownVariables({ CROFT_SERVICE_HOST: '10.0.0.1', CROFT_PORT_7860_TCP: 'tcp://10.0.0.1:7860' })).toEqual([]);
});

it('warns on every command but serve, which refuses, and the hook, whose output agents read', () => {
  const env = { CROFT_HOTS: '::' };
  expect(warnings(env, ['doctor'])).toMatch(
    /^croft: warning: CROFT_HOTS is not a setting of Croft; did you mean CROFT_HOST\?\n$/,
  );
  expect(warnings(env, ['guard', 'check'])).not.toBe('');
  expect(warnings(env, ['serve'])).toBe('');
  expect(warnings(env, ['guard', 'hook', 'claude'])).toBe('');
  expect(warnings({}, ['doctor'])).toBe('');
});
