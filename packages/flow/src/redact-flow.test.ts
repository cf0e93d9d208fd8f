import { describe, expect, it } from 'vitest';
import { createRegistry } from './registry.ts';
import { redactFlow } from './redact-flow.ts';
import { anyField, fakeComponent, flowOf } from './testing.ts';
import { emptyFlow } from './document.ts';
import { parseFlow } from './parse-flow.ts';

const registry = createRegistry([
  fakeComponent('Step', { fields: [anyField('text'), { name: 'pass', label: 'Pass', kind: 'secret' }] }),
]);
const options = { registry, variables: new Set(['MY_KEY']) };
const CANARY = 'cAnArY0123456789abcdef';
const SPACES = ' '.repeat(5_000);

const redactValues = (values: object) => {
  const flow = parseFlow({ ...flowOf({ a: {} }), nodes: [{ ...flowOf({ a: {} }).nodes[0], values }] });
  const { flow: shown, removed } = redactFlow(flow, options);
  return { values: shown.nodes[0]?.values, removed, isSame: shown.nodes[0] === flow.nodes[0] };
};

describe('a flow for others', () => {
  it.each([
    ['a secret field', { pass: CANARY }, { pass: '' }],
    ['a secret field with another value', { pass: { text: CANARY } }, { pass: '' }],
    ['a value with a secret name', { openaiApiKey: CANARY }, { openaiApiKey: '' }],
    [
      'a nested value with a secret name',
      { text: { deep: [{ password: CANARY }, 1, null] } },
      { text: { deep: [{ password: '' }, 1, null] } },
    ],
    [
      'a secret name with a record',
      { text: { secret: { deep: `sk-${CANARY}` }, other: 1 } },
      { text: { secret: { deep: 'sk-[removed]' }, other: 1 } },
    ],
    [
      'a header of a row',
      { text: [{ key: 'Authorization', value: CANARY }] },
      { text: [{ key: 'Authorization', value: '' }] },
    ],
    ['a named row', { text: [{ name: 'api-key', value: CANARY }] }, { text: [{ name: 'api-key', value: '' }] }],
    ['a header of a record', { text: { 'X-Api-Key': CANARY } }, { text: { 'X-Api-Key': '' } }],
    [
      'a password of an imported field',
      { text: { api: { password: true, value: CANARY } } },
      { text: { api: { password: true, value: '' } } },
    ],
    ['a bearer token', { text: `use Bearer ${CANARY}.${CANARY}` }, { text: 'use Bearer [removed]' }],
    [
      'a header of a curl command',
      { text: `curl -H 'X-Api-Key: ${CANARY}' https://e.org` },
      { text: "curl -H 'X-Api-Key: [removed]' https://e.org" },
    ],
    [
      'a header with many spaces',
      { text: `"Cookie"${SPACES}:${SPACES}"${CANARY}"` },
      { text: `"Cookie"${SPACES}:${SPACES}"[removed]"` },
    ],
    ['a key of a provider', { text: `key is sk-proj-${CANARY}!` }, { text: 'key is sk-[removed]!' }],
    ['a key of a host', { text: `ghp_${CANARY}` }, { text: '[removed]' }],
    [
      'a URL with a password',
      { text: `postgres://me:${CANARY}@db.example/x` },
      { text: 'postgres://[removed]@db.example/x' },
    ],
    [
      'a URL with a token',
      { text: `https://e.org/?a=1&token=${CANARY}` },
      { text: 'https://e.org/?a=1&token=[removed]' },
    ],
    ['a signed token', { text: `eyJhbGciOiJI.${CANARY}.${CANARY}` }, { text: '[removed]' }],
    [
      'a private key',
      { text: `-----BEGIN RSA PRIVATE KEY-----\n${CANARY}\n-----END RSA PRIVATE KEY-----` },
      { text: '[removed]' },
    ],
  ])('has no secret: %s', (_, values, expected) => {
    expect(redactValues(values)).toEqual({
      values: expected,
      removed: [{ node: 'a', field: Object.keys(values)[0] }],
      isSame: false,
    });
  });

  it.each([
    ['the name of a variable in a secret field', { pass: 'MY_KEY' }],
    ['the name of a variable', { api_key: 'MY_KEY' }],
    ['an empty secret', { pass: '', api_key: '', text: { password: '' } }],
    ['a number with a secret name', { secret: 7, text: { secret: 7 } }],
    ['a row without a secret name', { text: [{ key: 'Accept', value: CANARY, password: false }] }],
    ['words about keys', { text: 'Explain token-based authorization, key-performance and basic authentication.' }],
    ['limits of tokens', { max_tokens: '4000', text: { tokens: 'many' } }],
    ['a URL', { text: 'https://e.org:8080/a@b?page=2&keyword=x' }],
    ['a variable of an export', { text: { password: true, load_from_db: true, value: 'OPENAI_API_KEY' } }],
  ])('keeps %s, and the same node', (_, values) => {
    const { values: shown, removed, isSame } = redactValues(values);
    expect([shown, removed, isSame]).toEqual([values, [], true]);
  });

  it('has no secret in pinned outputs, code, the original of an import, notes and the description', () => {
    const secret = `Bearer ${CANARY}`;
    const flow = parseFlow({
      ...emptyFlow('x'),
      description: secret,
      notes: [{ id: 'n', position: { x: 0, y: 0 }, size: { width: 1, height: 1 }, text: secret }],
      nodes: [
        {
          ...flowOf({ a: {} }).nodes[0],
          pinned: { out: secret },
          code: `fetch(url, { headers: { Authorization: '${CANARY}' } })`,
          original: { template: { api_key: { password: true, value: CANARY } } },
          name: secret,
        },
      ],
    });
    const { flow: shown, removed } = redactFlow(flow, options);
    expect(shown).toEqual({
      ...flow,
      description: 'Bearer [removed]',
      notes: [{ ...flow.notes[0], text: 'Bearer [removed]' }],
      nodes: [
        {
          ...flow.nodes[0],
          pinned: { out: 'Bearer [removed]' },
          code: "fetch(url, { headers: { Authorization: '[removed]' } })",
          original: { template: { api_key: { password: true, value: '' } } },
          name: 'Bearer [removed]',
        },
      ],
    });
    expect(removed).toEqual([
      { node: 'a', field: 'pinned' },
      { node: 'a', field: 'original' },
      { node: 'a', field: 'code' },
      { node: 'a', field: 'name' },
      { field: 'note n' },
      { field: 'description' },
    ]);
    expect(parseFlow(shown)).toEqual(shown);
  });
});
