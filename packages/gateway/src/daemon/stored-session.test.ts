import { describe, expect, it } from 'vitest';
import { credentialFor, storeSession } from './stored-session.ts';

type Parts = Parameters<typeof credentialFor>[2] & Parameters<typeof storeSession>[2];

/** The parts of a daemon that shares `/d`, with these sessions of earlier runs. */
function parts(sessions: Record<string, string>, more: object = {}): Parts & { warnings: string[] } {
  const warnings: string[] = [];
  return {
    staticKey: undefined,
    workspace: { root: '/d' },
    settings: {
      sessionFor: (server: string, dir: string) => sessions[`${server} ${dir}`],
      keepSession: (server: string, dir: string, key: string) => void (sessions[`${server} ${dir}`] = key),
      forgetSession: (server: string, dir: string) => void delete sessions[`${server} ${dir}`],
    },
    tell: ({ message }: { message: string }) => void warnings.push(message),
    warnings,
    ...more,
  } as unknown as Parts & { warnings: string[] };
}

describe('the key with which a daemon connects', () => {
  it("is the operator's, before a token, before an earlier session of this directory", () => {
    const kept = { 'https://s /d': 'sess_1', 'https://s /other': 'sess_2' };
    expect(credentialFor('https://s', 'gw_1', parts(kept, { staticKey: 'op' }))).toEqual({ kind: 'static', key: 'op' });
    expect(credentialFor('https://s', 'gw_1', parts(kept))).toEqual({ kind: 'token', token: 'gw_1', kept: 'sess_1' });
    expect(credentialFor('https://s', undefined, parts(kept))).toEqual({ kind: 'session', key: 'sess_1' });
  });

  it('does not exist for another server or directory, and the error says what to do', () => {
    for (const kept of [{}, { 'https://t /d': 'sess_1' }, { 'https://s /other': 'sess_1' }])
      expect(() => credentialFor('https://s', undefined, parts(kept as Record<string, string>))).toThrow(
        'This computer has no earlier connection of this directory to https://s. Open Connect a folder there and run the command it shows',
      );
  });
});

it('keeps and forgets the key of a session, and only warns where it cannot', () => {
  const sessions: Record<string, string> = {};
  storeSession('https://s', 'sess_1', parts(sessions));
  expect(sessions).toEqual({ 'https://s /d': 'sess_1' });
  storeSession('https://s', undefined, parts(sessions));
  expect(sessions).toEqual({});
  const failing = () => {
    throw new Error('disk full');
  };
  const broken = parts({}, { settings: { keepSession: failing, forgetSession: failing } });
  storeSession('https://s', 'sess_1', broken);
  storeSession('https://s', undefined, broken);
  expect(broken.warnings).toEqual(['disk full', 'disk full']);
});
