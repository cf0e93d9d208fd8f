import { describe, expect, it } from 'vitest';
import { costOf } from '../../../tests/support/yardstick.ts';
import { checkDenyList, deniedName, denyListWith } from './deny-list.ts';
import { failureOf, refusalOf } from './testing.ts';

const refusal = (path: string) => refusalOf(() => checkDenyList(path, path.split('/')));

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
  it.each([
    ['.git::$INDEX_ALLOCATION', 'name matches a protected directory'],
    ['.GIT:x', 'name matches a protected directory'],
    ['.git:x:y', 'name matches a protected directory'],
    ['GIT~1', 'name matches a protected directory'],
    ['ssh~2', 'name matches a protected directory'],
    ['.env::$DATA', 'filename matches a protected credential pattern'],
    ['server.pem:$DATA', 'filename matches a protected credential pattern'],
    ['ENV~1', 'filename matches a protected credential pattern'],
    ['AUTHOR~1', 'filename matches a protected credential pattern'],
    ['CREDEN~1.JSO', 'filename matches a protected credential pattern'],
  ])('refuses %s, another name of a protected one on NTFS', (name, why) => {
    expect(refusal(name)).toBe(`Access to '${name}' is denied: ${why}`);
    expect(refusal(`a/${name}/HEAD`).startsWith('Access to ')).toBe(why.endsWith('directory'));
  });
  it.each(['.ssh', '.aws', '.gnupg', '.docker', '.kube', '.git', '.GIT', 'a/.ssh', '.\u017fsh', '.\u212aube'])(
    'refuses the directory %s itself',
    (path) => {
      expect(refusal(path)).toBe(`Access to '${path.split('/').at(-1)}' is denied: name matches a protected directory`);
    },
  );
  it('refuses entries of a protected directory and names the directory', () => {
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
    'git~x',
    'notes~1',
    'digit~1',
    'backup.git~',
    'a:b',
    '.github',
    'pem',
    'notes/credential.txt',
    '',
  ])('accepts %j', (path) => {
    expect(refusal(path)).toBe('accepted');
  });
  it('denies, and reports which kind of name it is', async () => {
    const list = denyListWith(['private']);
    for (const path of ['.ssh', '.env', '.ssh/a', 'private', 'private/a'])
      expect((await failureOf(() => checkDenyList(path, path.split('/'), list))).code, path).toBe('denied');
    expect([
      deniedName('.ssh'),
      deniedName('GIT~1'),
      deniedName('ENV~1'),
      deniedName('a.pem'),
      deniedName('a'),
    ]).toEqual(['directory', 'directory', 'credential', 'credential', undefined]);
    expect(refusalOf(() => checkDenyList('', []))).toBe('accepted');
  });
  it('gives the same answer with and without the quick look at first and last characters', () => {
    for (const name of ['x.PEM', 'X.P12', '.Env', 'AUTHORIZED_KEYS', 'Id_Ed25519_old'])
      expect(deniedName(name), name).toBe('credential');
  });
});

describe('names an operator added', () => {
  const list = denyListWith(['.env.*', 'Private', 'a+b?', '*secret*', 're\u0301sume\u0301']);
  it.each([
    '.env.local',
    '.ENV.Prod',
    'private',
    'PRIVATE',
    'a+b1',
    'A+B😀',
    'my-Secrets.txt',
    'r\u00e9sum\u00e9',
    '.env',
  ])('protect %s', (name) => expect(deniedName(name, list)).toBe('credential'));
  it.each(['.envx', 'env.local', 'privates', 'a+b', 'aab1', 'a+b12', 'notes.txt', '..'])('let %s pass', (name) =>
    expect(deniedName(name, list)).toBeUndefined(),
  );
  it('also protect everything below a directory of that name, but not its parents', () => {
    const verdict = (path: string) => refusalOf(() => checkDenyList(path, path.split('/'), list));
    for (const part of ['Private', 'Private:stream', 'my:secret'])
      expect(verdict(`${part}/a/b.txt`)).toBe(
        `Access to '${part}/a/b.txt' is denied: a rule of this server denies '${part}'`,
      );
    expect(() => checkDenyList('a/../b', ['a', '..', 'b'], denyListWith(['.*']))).not.toThrow();
  });
  it('are not called credentials, unless they are', () => {
    const all = denyListWith(['*.md', '.env', '.ssh']);
    expect(refusalOf(() => checkDenyList('d/a.md', ['d', 'a.md'], all))).toBe(
      "Access to 'a.md' is denied: a rule of this server denies this name",
    );
    for (const path of ['.env', 'credentials.md', '.ssh', '.ssh/a'])
      expect(refusalOf(() => checkDenyList(path, path.split('/'), all))).toBe(refusal(path));
    expect(refusalOf(() => checkDenyList('a.md:x', ['a.md:x'], all))).toContain('a rule of this server');
  });
  it.each(['', '.', '..', 'a/b', '/a', 'a\\b', '!a', '[ab]', '{a,b}', '*a*a*', 'a\0'])('are not %j', (name) =>
    expect(() => denyListWith([name])).toThrow(/^Not a name to deny: /),
  );
  it('are refused with the name, and may have two stars', async () => {
    expect(denyListWith([])).toBe(true);
    expect(deniedName('xaybz', denyListWith(['*a*bz']))).toBe('credential');
    const { code, message } = await failureOf(() => denyListWith(['good', 'a/b']));
    expect([code, message]).toEqual([
      'invalid',
      "Not a name to deny: 'a/b'. Give the name of a file or directory, without its path; * stands for any characters (twice at most), ? for one",
    ]);
  });
  it('take bounded time on any name', async () => {
    const slow = denyListWith(['*a*b']);
    const match = () => {
      for (let i = 0; i < 100; i++) deniedName('a'.repeat(255), slow);
    };
    await expect.poll(() => costOf(match)).toBeLessThan(50);
  });
});
