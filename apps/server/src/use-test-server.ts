import { type ScriptedProvider, type ScriptedReply, startScriptedProvider } from '@croft/models/testing';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Settings } from './config/settings.ts';
import type { StartOptions } from './start-server.ts';
import { makeKey, startTestServer, type TestServer, type Visitor } from './testing.ts';

/** Starts a server for the tests of a file or block, and calls `setUp` when it is ready. Stops it after the last test. */
export function useTestServer(
  settings: Partial<Settings>,
  setUp: (server: TestServer) => unknown,
  options: Partial<StartOptions> = {},
): void {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startTestServer(settings, options);
    await server.running.ready;
    await setUp(server);
  });
  afterAll(() => server?.stop());
}

/** As {@link useTestServer}, with the page of an admin and a key of this user. */
export function useKeyedServer(setUp: (server: TestServer, page: Visitor, key: string) => unknown): void {
  useTestServer({}, async (server) => {
    const page = await server.signInAdmin();
    await setUp(server, page, await makeKey(page));
  });
}

/** A provider of language models whose replies the tests write. */
export interface ScriptedModel {
  /** The replies, taken one by one. Empty before each test. */
  readonly script: ScriptedReply[];
  /** Bodies of the requests to the provider. */
  requests(): readonly string[];
}

/**
 * As {@link useTestServer}, with a scripted provider that the server may reach. `setUp` gets a function that lets a user's
 * flows and assistant use it.
 */
export function useScriptedServer(
  setUp: (server: TestServer, connect: (user: Visitor) => Promise<void>) => unknown,
  settings: Partial<Settings> = {},
): ScriptedModel {
  const script: ScriptedReply[] = [];
  let provider: ScriptedProvider;
  let server: TestServer | undefined;
  const connect = async (user: Visitor) => {
    for (const name of ['OPENAI_COMPATIBLE_BASE_URL', 'OPENAI_COMPATIBLE_API_KEY'])
      await user.json(`/api/v1/variables/${name}`, { method: 'PUT', json: { value: provider.variables[name] } });
  };
  beforeAll(async () => {
    provider = await startScriptedProvider(() => script.shift() ?? { text: '(end of the script)' });
    server = await startTestServer({ ...settings, flowHosts: [new URL(provider.url).host] });
    await server.running.ready;
    await setUp(server, connect);
  });
  afterAll(async () => {
    await server?.stop();
    await provider?.close();
  });
  beforeEach(() => void (script.length = 0));
  return { script, requests: () => provider.requests.map(({ body }) => body) };
}
