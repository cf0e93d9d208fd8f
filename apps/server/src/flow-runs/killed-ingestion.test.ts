import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startScriptedProvider } from '@croft/models/testing';
import { memoryDir } from '@croft/workspace/testing';
import { expect, it } from 'vitest';
import { startServerProcess } from '../../../../tests/store/server-process.ts';
import { ADMIN, cookiesOf, storeFlow, type Visitor, visitor } from '../testing.ts';
import { ingests } from '../testing-flows.ts';

const TEXTS = Array.from({ length: 400 }, (_, at) => `text ${at}`);
/** Texts of one request to the provider. */
const BATCH = 128;

const SPEC = ingests('OpenAI compatible/embed-model', TEXTS);

it('a run whose server was killed in an ingestion embeds only the texts whose vectors were not stored', async () => {
  let isHeld = true;
  const provider = await startScriptedProvider(({ body }) =>
    isHeld && body.includes('"text 300"') ? { stall: 'before' } : {},
  );
  const requests = () => provider.requests.map(({ body }) => (JSON.parse(body) as { input: string[] }).input);
  const baseDir = mkdtempSync(join(memoryDir(), 'croft-ingestion-'));
  const account = { superuser: ADMIN.login, superuserPassword: ADMIN.password };
  const flowHosts = [new URL(provider.url).host];
  const start = () => startServerProcess({ baseDir, autoLogin: false, ...account, flowHosts });
  const signIn = async (url: string): Promise<Visitor> => {
    const answer = await visitor(url, {}).request('/api/v1/session', { method: 'POST', json: ADMIN });
    expect(answer.status).toBe(200);
    return visitor(url, { cookie: cookiesOf(answer) });
  };
  const first = start();
  let second: ReturnType<typeof start> | undefined;
  try {
    const before = await signIn(await first.url);
    const variable = { method: 'PUT', json: { value: `${provider.url}/v1`, kind: 'text' } };
    await before.json('/api/v1/variables/OPENAI_COMPATIBLE_BASE_URL', variable);
    const post = (json: object = {}) => ({ method: 'POST', json });
    const flow = await storeFlow(before, SPEC, (type) => type);
    const { id } = (await before.json<any>(`/api/v1/flows/${flow}/runs`, post())).body;
    await expect.poll(() => requests().length).toBe(3);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    isHeld = false;
    second = start();
    const after = await signIn(await second.url);
    const run = async () => (await after.json<any>(`/api/v1/runs/${id}`)).body.run;
    await expect.poll(async () => (await run()).status).toBe('completed');
    // The third request had no answer, so its texts are sent again.
    expect(requests().slice(0, 3).flat()).toEqual(TEXTS.slice(0, 3 * BATCH));
    expect(requests().slice(3).flat()).toEqual(TEXTS.slice(2 * BATCH));
    // Embedding may have been paid for twice, and the run says so.
    const events = await (await after.request(`/api/v1/runs/${id}/events`)).text();
    expect(events).toContain('event: step_repeated\n');
    const { body } = await after.json<any>('/api/v1/collections');
    expect(body.collections).toMatchObject([
      { name: 'documents', embedder: 'OpenAI compatible/embed-model', chunks: 400 },
    ]);
  } finally {
    await Promise.all([first.stop(), second?.stop()]);
    await provider.close();
    rmSync(baseDir, { recursive: true, force: true, maxRetries: 5 });
  }
});
