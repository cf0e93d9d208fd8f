import { memoryDir } from '@croft/workspace/testing';
import { expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { ADMIN, startTestServer } from '../testing.ts';

const OLD = 'the key this server had before, 32+';
const NEW = 'the key this server has from now on';
const SECRET = 'canary-of-a-provider-key';
const baseDir = fileDir(memoryDir());

it('sets, lists and deletes variables, never returns a value, and keeps them when the secret key changes', async () => {
  const said: string[] = [];
  const before = await startTestServer({ baseDir, secretKey: OLD });
  await before.running.ready;
  try {
    const page = await before.signIn(ADMIN.login, ADMIN.password);
    const set = async (name: string, json: object) => {
      const answer = await page.json(`/api/v1/variables/${name}`, { method: 'PUT', json });
      said.push(JSON.stringify(answer));
      return answer;
    };
    expect(await set('OPENAI_API_KEY', { value: SECRET })).toMatchObject({
      status: 200,
      body: { variable: { name: 'OPENAI_API_KEY', kind: 'credential', hosts: [], failure: null } },
    });
    expect(await set('API_TOKEN', { value: SECRET, hosts: ['API.example:8443'] })).toMatchObject({
      body: { variable: { hosts: ['api.example:8443'] } },
    });
    expect(await set('REGION', { value: 'north', kind: 'text' })).toMatchObject({ status: 200 });
    for (const [name, json] of [
      ['9', { value: 'x' }],
      ['a%20b', { value: 'x' }],
      ['X', {}],
      ['X', { value: '' }],
      ['X', { value: 'x', hosts: ['https://api.example/'] }],
      ['X', { value: 'x', kind: 'other' }],
    ] as const)
      expect([name, json, (await set(name, json)).status]).toEqual([name, json, 400]);

    // A stolen API key must not send the provider's key to another address.
    const { body } = await page.json<{ secret: string }>('/api/v1/keys', { method: 'POST', json: { name: 'agent' } });
    const key = before.withKey(body.secret);
    for (const method of ['PUT', 'DELETE'])
      expect(
        await key.json('/api/v1/variables/OPENAI_BASE_URL', { method, json: { value: 'https://evil.example' } }),
      ).toMatchObject({ status: 403 });
    const listed = await key.json<{ variables: { name: string }[] }>('/api/v1/variables');
    expect(listed.body.variables.map(({ name }) => name)).toEqual(['API_TOKEN', 'OPENAI_API_KEY', 'REGION']);
    const models = await page.json<{ providers: { name: string; enabled: boolean }[] }>('/api/v1/models');
    expect(models.body).toMatchObject({ preferred: { provider: 'OpenAI' } });
    expect(models.body.providers.filter(({ enabled }) => enabled).map(({ name }) => name)).toEqual(['OpenAI', 'croft']);
    said.push(JSON.stringify([listed, models]));

    await page.json('/api/v1/users', {
      method: 'POST',
      json: { name: 'Bob', email: 'bob@example.test', password: 'password of bob' },
    });
    const bob = await before.signIn('bob@example.test', 'password of bob');
    expect((await bob.json('/api/v1/variables')).body).toEqual({ variables: [] });
    const hers = await bob.json('/api/v1/variables/REGION', { method: 'DELETE' });
    const nobodys = await bob.json('/api/v1/variables/NEVER', { method: 'DELETE' });
    expect([hers.status, hers.body]).toEqual([404, nobodys.body]);
    expect(await page.json('/api/v1/variables/REGION', { method: 'DELETE' })).toMatchObject({ status: 200 });
    said.push(...before.lines);
  } finally {
    await before.stop();
  }
  const after = await startTestServer({ baseDir, secretKey: NEW, previousSecretKeys: [OLD] });
  await after.running.ready;
  expect(after.lines.join('\n')).toContain('variables were encrypted with the new secret key');
  await after.stop();
  const later = await startTestServer({ baseDir, secretKey: NEW });
  try {
    await later.running.ready;
    const page = await later.signIn(ADMIN.login, ADMIN.password);
    expect((await page.json('/api/v1/variables')).body).toMatchObject({
      variables: [
        { name: 'API_TOKEN', failure: null },
        { name: 'OPENAI_API_KEY', failure: null },
      ],
    });
  } finally {
    await later.stop();
  }
  said.push(...after.lines, ...later.lines);
  expect(said.join('\n')).not.toContain(SECRET);
});
