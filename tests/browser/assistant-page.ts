import type { Browser, Page } from 'playwright-core';
import { type OpenOptions, type OpenStudio, openStudio } from './open-studio.ts';
import { change, type StudioServers } from './studio-servers.ts';

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
  /** Before the page of the flow opens, for example to set a provider up. */
  readonly prepare?: (studio: OpenStudio) => Promise<unknown>;
}

export async function openAssistant(
  browser: Browser,
  servers: StudioServers,
  { source, prepare, ...options }: AssistantPageOptions = {},
): Promise<AssistantPage> {
  const studio = await openStudio(browser, servers, { newUser: true, path: 'flows', width: 1_400, ...options });
  const { page, visitor } = studio;
  await prepare?.(studio);
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
