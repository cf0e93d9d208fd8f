import { describe, expect, it } from 'vitest';
import { checkDenyList, deniedName } from './deny-list.ts';

const refusal = (path: string): string => {
  try {
    checkDenyList(path, path.split('/'));
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
};

describe('the credential deny-list', () => {
  it.each([
    '.env',
    '.ENV',
    '.netrc',
    '.pgpass',
    '.htpasswd',
    'authorized_keys',
    'id_rsa',
    'id_rsa.pub',
    'ID_RSA',
    'id_dsa',
    'id_ecdsa',
    'id_ed25519',
    'credentials',
    'credentials.json',
    'Credentials',
    'server.pem',
    'SERVER.PEM',
    'tls.key',
    'cert.pfx',
    'cert.p12',
    '.key',
    'sub/dir/.env',
  ])('refuses the file %s', (path) => {
    expect(refusal(path)).toBe(
      `Access to '${path.split('/').at(-1)}' is denied: filename matches a protected credential pattern`,
    );
  });
  it.each(['.ssh', '.aws', '.gnupg', '.docker', '.kube', '.git', '.GIT', 'a/.ssh', '.\u017fsh', '.\u212aube'])(
    'refuses the directory %s itself',
    (path) => {
      expect(refusal(path)).toBe(`Access to '${path.split('/').at(-1)}' is denied: name matches a protected directory`);
    },
  );
  it('refuses what lies in a protected directory and names the directory', () => {
    expect(refusal('nested/.aws/config')).toBe(
      "Access to 'nested/.aws/config' is denied: path contains protected directory '.aws'",
    );
    expect(refusal('.GIT/HEAD')).toBe("Access to '.GIT/HEAD' is denied: path contains protected directory '.git'");
  });
  it('judges the last name before the directories', () => {
    expect(refusal('.ssh/id_rsa')).toBe(
      "Access to 'id_rsa' is denied: filename matches a protected credential pattern",
    );
  });
  it.each([
    '.env.local',
    'env',
    'my_id_rsa',
    'keys',
    'monkey',
    'a.keys',
    '.gitignore',
    '.github',
    'pem',
    'notes/credential.txt',
    '',
  ])('accepts %j', (path) => {
    expect(refusal(path)).toBe('accepted');
  });
  it('gives the same answer with and without the quick look at first and last characters', () => {
    for (const name of ['x.PEM', 'X.P12', '.Env', 'AUTHORIZED_KEYS', 'Id_Ed25519_old'])
      expect(deniedName(name), name).toBe('credential');
  });
});
