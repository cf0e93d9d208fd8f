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

const redactValues = (values: object) => {
  const flow = parseFlow({ ...flowOf({ a: {} }), nodes: [{ ...flowOf({ a: {} }).nodes[0], values }] });
  const { flow: shown, removed } = redactFlow(flow, options);
  return { values: shown.nodes[0]?.values, removed, isSame: shown.nodes[0] === flow.nodes[0] };
};

describe('a flow for others', () => {
  it.each([
    ['a secret field', { pass: CANARY }],
    ['a value with a secret name', { openaiApiKey: CANARY }],
    ['a nested value with a secret name', { text: { deep: [{ password: CANARY }] } }],
    ['a header of a row', { text: [{ key: 'Authorization', value: CANARY }] }],
    ['a header of a record', { text: { 'X-Api-Key': CANARY } }],
    ['a password of an imported field', { text: { api: { password: true, value: CANARY } } }],
    ['a bearer token', { text: `use Bearer ${CANARY}.${CANARY}` }],
    ['a header of a curl command', { text: `curl -H 'X-Api-Key: ${CANARY}' https://e.org` }],
    ['a header with many spaces', { text: `"Cookie"${' '.repeat(5_000)}:${' '.repeat(5_000)}"${CANARY}"` }],
    ['a key of a provider', { text: `key is sk-proj-${CANARY}!` }],
    ['a key of a host', { text: `ghp_${CANARY}` }],
    ['a URL with a password', { text: `postgres://me:${CANARY}@db.example/x` }],
    ['a URL with a token', { text: `https://e.org/?a=1&token=${CANARY}` }],
    ['a signed token', { text: `eyJhbGciOiJI.${CANARY}.${CANARY}` }],
    ['a private key', { text: `-----BEGIN RSA PRIVATE KEY-----\n${CANARY}\n-----END RSA PRIVATE KEY-----` }],
  ])('has no secret: %s', (_, values) => {
    const { values: shown, removed } = redactValues(values);
    expect(JSON.stringify(shown)).not.toContain(CANARY);
    expect(removed).toEqual([{ node: 'a', field: Object.keys(values)[0] }]);
  });

  it.each([
    ['the name of a variable in a secret field', { pass: 'MY_KEY' }],
    ['the name of a variable', { api_key: 'MY_KEY' }],
    ['an empty secret', { pass: '' }],
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
        },
      ],
    });
    const { flow: shown, removed } = redactFlow(flow, options);
    expect(JSON.stringify(shown)).not.toContain(CANARY);
    expect(removed.map(({ field }) => field).sort()).toEqual(['code', 'description', 'note n', 'original', 'pinned']);
    expect(parseFlow(shown)).toEqual(shown);
  });
});
