import { describe, expect, it } from 'vitest';
import { refusalOf } from '@croft/workspace/testing';
import { credentialFor, isBound, originOf, targetOf } from './bound-credential.ts';

describe('an entry of hosts', () => {
  it.each([
    ['api.example', 'https://api.example'],
    ['api.example:8443', 'https://api.example:8443'],
    ['https://api.example:443', 'https://api.example'],
    ['http://api.example', 'http://api.example'],
    ['HTTP://API.example:80', 'http://api.example'],
    ['[::1]:1', 'https://[::1]:1'],
    ['api.example/path', undefined],
    ['user@api.example', undefined],
    ['api.example?x', undefined],
    ['ftp://api.example', undefined],
    ['a b', undefined],
    ['', undefined],
  ])('%j means %j', (entry, origin) => {
    expect(originOf(entry)).toBe(origin);
  });
});

it('is bound to scheme, host and port', () => {
  const hosts = ['api.example', 'http://local:81'];
  expect(isBound('https://api.example/x?y', hosts)).toBe(true);
  expect(isBound('http://local:81/', hosts)).toBe(true);
  for (const url of [
    'http://api.example/',
    'https://api.example:444/',
    'https://sub.api.example/',
    'https://api.example.evil/',
    'https://local:81/',
    'not an address',
  ])
    expect(isBound(url, hosts), url).toBe(false);
  expect(isBound('https://api.example/', [])).toBe(false);
});

describe('a credential', () => {
  const credential = (name: string) => (name === 'KEY' ? { value: 'secret', hosts: ['api.example'] } : undefined);

  it('is given for an address of its hosts only', () => {
    expect(credentialFor({ credential }, ' KEY ', 'https://api.example/x')).toBe('secret');
    const two = () => ({ value: 'secret', hosts: ['api.example', 'http://local:81', 'not a host'] });
    expect(() => credentialFor({ credential: two }, 'KEY', 'https://evil.example/x?y=z')).toThrow(
      expect.objectContaining({
        message: "The credential 'KEY' is not sent to 'https://evil.example'.",
        fix: 'Use an address of https://api.example, http://local:81, not a host, or bind the credential to this one.',
      }),
    );
  });

  it('has to exist', () => {
    expect(refusalOf(() => credentialFor({ credential }, 'OTHER', 'https://api.example'))).toBe(
      "There is no credential 'OTHER'.",
    );
    const any = () => ({ value: 'secret', hosts: ['api.example'] });
    expect(() => credentialFor({ credential: any }, ' ', 'https://api.example')).toThrow(
      expect.objectContaining({
        message: 'The name of a credential is missing.',
        fix: 'Set the variable and bind it to a host: croft run FLOW --credential NAME=HOST; on a server, with the hosts of the variable.',
      }),
    );
    expect(refusalOf(() => credentialFor({}, 'KEY', 'https://api.example'))).toBe("There is no credential 'KEY'.");
  });

  it('is refused with the target of the request, and nothing else of it', () => {
    expect(targetOf('https://user:pass@host:1/path?query')).toBe('https://host:1');
    expect(targetOf('x'.repeat(200))).toHaveLength(100);
  });
});
