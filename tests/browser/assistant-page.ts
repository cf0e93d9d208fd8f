import { type ScriptedProvider, type ScriptedReply, startScriptedProvider } from '@croft/models/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { OpenOptions, OpenStudio } from './open-studio.ts';
import { change } from './studio-servers.ts';
import { useStudio } from './use-studio.ts';

/** The page of a new flow with the assistant's panel. */
export interface AssistantPage extends OpenStudio {
  readonly flowId: string;
  readonly field: ReturnType<Page['getByRole']>;
  readonly messages: ReturnType<Page['getByRole']>;
  send(text: string): Promise<void>;
  /** Types of the stored flow. */
  types(): Promise<string[]>;
  /** Keeps a picture where CROFT_SHOTS names a directory. */
  shot(name: string): Promise<void>;
}

export interface AssistantPageOptions extends OpenOptions {
  /** The text form of the flow; an empty flow without it. */
  readonly source?: string;
}

/** The assistant of a test file. */
export interface AssistantTests {
  /** Opens the page of a new flow with the panel. The test's page is closed after the test. */
  open(options?: AssistantPageOptions): Promise<AssistantPage>;
  /** The replies of the provider, taken one by one. */
  readonly script: ScriptedReply[];
  /** Bodies of the requests to the provider. */
  requests(): readonly string[];
}

/** Starts the parts of a test file. With `model`, an OpenAI-compatible server on loopback is the provider of each user. */
export function useAssistant({ model = false } = {}): AssistantTests {
  let provider: ScriptedProvider;
  const script: ScriptedReply[] = [];
  const opener = useStudio({ newUser: true, path: 'flows', width: 1_400 }, () => ({
    flowHosts: [new URL(provider.url).host],
  }));
  beforeAll(async () => {
    provider = await startScriptedProvider(() => script.shift() ?? { text: '(end of the script)' });
  });
  afterAll(async () => provider?.close());
  beforeEach(() => void (script.length = 0));
  return {
    script,
    requests: () => provider.requests.map(({ body }) => body),
    open: async ({ source, ...options } = {}) =>
      openAssistant(await opener.open(options), source, model ? provider.variables : {}),
  };
}

const NAMES = ['OPENAI_COMPATIBLE_BASE_URL', 'OPENAI_COMPATIBLE_API_KEY'];

async function openAssistant(
  studio: OpenStudio,
  source: string | undefined,
  variables: Readonly<Record<string, string>>,
): Promise<AssistantPage> {
  const { page, visitor } = studio;
  for (const name of NAMES.filter((each) => each in variables))
    await change(visitor, 'PUT', `/api/v1/variables/${name}`, { value: variables[name] });
  const route = source === undefined ? '/api/v1/flows' : '/api/v1/flows/import';
  const body = source === undefined ? { name: 'Blank' } : { source };
  const { flow } = (await change(visitor, 'POST', route, body)) as { flow: { id: string } };
  await page.goto(`${studio.url}flows/${flow.id}`);
  const field = page.getByRole('textbox', { name: 'Message to the assistant' });
  await page.getByRole('button', { name: 'Assistant', exact: true }).click();
  await field.waitFor();
  return {
    ...studio,
    flowId: flow.id,
    field,
    messages: page.getByRole('group', { name: 'Messages' }),
    async send(text) {
      await field.fill(text);
      await page.keyboard.press('Enter');
    },
    async types() {
      type Flow = { flow: { document: { nodes: { type: string }[] } } };
      const { body: read } = await visitor.json<Flow>(`/api/v1/flows/${flow.id}`);
      return read.flow.document.nodes.map(({ type }) => type);
    },
    async shot(name) {
      const dir = process.env['CROFT_SHOTS'];
      if (dir) await page.screenshot({ path: `${dir}/${name}.png` });
    },
  };
}
