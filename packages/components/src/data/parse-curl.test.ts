import { describe, expect, it } from 'vitest';
import { refusalOf } from '@croft/workspace/testing';
import { parseCurl } from './parse-curl.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('a curl command', () => {
  it.each([
    ['curl a.example', { url: 'http://a.example', method: 'GET' }],
    ["curl -X put 'https://a.example/x'", { url: 'https://a.example/x', method: 'PUT' }],
    ['curl -XDELETE https://a.example', { method: 'DELETE' }],
    ['curl -I https://a.example', { method: 'HEAD' }],
    ['curl -L https://a.example', { followRedirects: true }],
    ['curl -', { url: 'http://-' }],
    [' curl a.example\n', { url: 'http://a.example' }],
    ['curl  a.example\\\n-I', { method: 'HEAD' }],
    ['curl -s --max-time 5 --retry 2 https://a.example --compressed', { url: 'https://a.example' }],
    ['curl --url https://a.example', { url: 'https://a.example' }],
    ['curl https://a.example -H "Accept: text/x" -H X-Key:1', { headers: { accept: 'text/x', 'x-key': '1' } }],
    [
      'curl https://a.example -A me -e from -b c=1',
      { headers: { 'user-agent': 'me', referer: 'from', cookie: 'c=1' } },
    ],
    ['curl https://a.example -u ann:pw', { headers: { authorization: `Basic ${btoa('ann:pw')}` } }],
    ['curl https://a.example -d a=1 --data b=2', { method: 'POST', body: 'a=1&b=2', headers: FORM }],
    ['curl https://a.example -G -d a=1', { url: 'https://a.example?a=1', method: 'GET' }],
    ['curl https://a.example?x=0 -G -d a=1', { url: 'https://a.example?x=0&a=1' }],
    ['curl https://a.example --data-raw @x', { body: '@x' }],
    ['curl https://a.example --data-urlencode a=b=c', { body: 'a=b%3Dc' }],
    ['curl https://a.example --data-urlencode a/b', { body: 'a%2Fb' }],
    ['curl https://a.example -d \\a\\', { body: 'a' }],
    ['curl https://a.example --data-urlencode "a=b c" --data-urlencode =x/y', { body: 'a=b%20c&x%2Fy' }],
    [
      `curl https://a.example --json '{"a":1}'`,
      { body: '{"a":1}', headers: { 'content-type': 'application/json', accept: 'application/json' } },
    ],
    ['curl https://a.example -H content-type:text/x -d a', { headers: { 'content-type': 'text/x' } }],
    ['curl \\\n  https://a.example \\\r\n -d "x\\"y\\$z\\n"', { body: 'x"y$z\\n' }],
    ["curl https://a.example -d $'a\\n\\u00e9\\'b'", { body: "a\né'b" }],
    ['curl https://a.example -d a\\ b', { body: 'a b' }],
    ['curl https://a.example -d \'a\'"b"c', { body: 'abc' }],
  ])('%s', (command, expected) => {
    expect(parseCurl(command)).toMatchObject(expected);
  });

  it('has no body and follows no redirect unless it says so', () => {
    expect(parseCurl('curl https://a.example')).toEqual({
      url: 'https://a.example',
      method: 'GET',
      headers: {},
      followRedirects: false,
    });
  });

  it.each([
    ['wget https://a.example', 'it does not start with curl'],
    ['curl', 'it has no address'],
    ['curl a b', "it has a second address 'b'"],
    ['curl a -d', "'-d' has no value"],
    ['curl a -d @file', 'it sends a file'],
    ['curl a --data-binary @file', 'it sends a file'],
    ['curl a --insecure x', "the option '--insecure' is not supported"],
    ['curl a --form x=@y', "the option '--form' is not supported"],
    ['curl a --constructor x', "the option '--constructor' is not supported"],
    ["curl 'a", 'a quote is not closed'],
  ])('%s is refused: %s', (command, why) => {
    expect(refusalOf(() => parseCurl(command))).toBe(`The curl command cannot be used: ${why}.`);
  });
});

const POST = { url: 'https://a.example', method: 'POST', headers: FORM, body: 'a=1', followRedirects: false };

it.each(['-d', '--data', '--data-ascii', '--data-binary', '--data-raw', '--data-urlencode'])(
  'sends the data of %s',
  (option) => {
    expect(parseCurl(`curl https://a.example ${option} a=1`)).toEqual(POST);
  },
);

it.each(['-d', '--data', '--data-ascii', '--data-binary'])('reads no file for %s', (option) => {
  expect(refusalOf(() => parseCurl(`curl a ${option} @x`))).toBe('The curl command cannot be used: it sends a file.');
});

it.each(
  '-s --silent -S --show-error -v --verbose -i --include -f --fail --compressed --http1.1 --http2 -N --no-buffer'.split(
    ' ',
  ),
)('leaves out %s', (option) => {
  expect(parseCurl(`curl ${option} https://a.example -d a=1`)).toEqual(POST);
});

it.each(['-m', '--max-time', '--connect-timeout', '--retry'])('leaves out %s with its value', (option) => {
  expect(parseCurl(`curl ${option} 5 https://a.example -d a=1`)).toEqual(POST);
});

it.each([
  ['--request patch', { method: 'PATCH' }],
  ['-XPATCH', { method: 'PATCH' }],
  ['--location', { followRedirects: true }],
  ['--get', { url: 'https://a.example?a=1', method: 'GET', headers: {}, body: undefined }],
  ['--head', { method: 'POST' }],
  ['--user-agent me', { headers: { ...FORM, 'user-agent': 'me' } }],
  ['-Ame', { headers: { ...FORM, 'user-agent': 'me' } }],
  ['--referer from', { headers: { ...FORM, referer: 'from' } }],
  ['-efrom', { headers: { ...FORM, referer: 'from' } }],
  ['--cookie c=1', { headers: { ...FORM, cookie: 'c=1' } }],
  ['-bc=1', { headers: { ...FORM, cookie: 'c=1' } }],
  ['--user a:b', { headers: { ...FORM, authorization: 'Basic YTpi' } }],
  ['-ua:b', { headers: { ...FORM, authorization: 'Basic YTpi' } }],
  ['--header " A : b:c "', { headers: { ...FORM, a: 'b:c' } }],
  ['-Hno-colon', {}],
  ['-H :b', {}],
])('takes %s over', (option, expected) => {
  expect(parseCurl(`curl https://a.example -d a=1 ${option}`)).toEqual({ ...POST, ...expected });
});

it('keeps the schema of an address, and reads quotes and escapes as a shell does', () => {
  const bodyOf = (text: string) => parseCurl(`curl a.example -d ${text}`).body;
  expect(parseCurl('curl FTP://a.example').url).toBe('FTP://a.example');
  expect([bodyOf("$'\\r\\t\\x'"), bodyOf(`'a\\b'`), bodyOf('"a\\\\b\\`c"'), bodyOf("''"), bodyOf('$a')]).toEqual([
    '\r\tx',
    'a\\b',
    'a\\b`c',
    '',
    '$a',
  ]);
  expect(bodyOf('a --data-urlencode "x y"')).toBe('a&x%20y');
});

it('says what to do with a command that cannot be used', () => {
  expect(() => parseCurl('x')).toThrow(
    expect.objectContaining({
      fix: 'Paste a command with an address, headers (-H) and data (-d), or fill in the fields.',
    }),
  );
  expect(refusalOf(() => parseCurl(`curl a --${'x'.repeat(60)} b`))).toContain(`'--${'x'.repeat(38)}' is not`);
  expect(refusalOf(() => parseCurl(`curl a ${'b'.repeat(200)}`))).toContain(`address '${'b'.repeat(100)}'`);
});
