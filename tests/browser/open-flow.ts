import type { Locator, Page } from 'playwright-core';
import type { OpenOptions, OpenStudio } from './open-studio.ts';
import { change } from './studio-servers.ts';
import type { StudioTests } from './use-studio.ts';

/** A flow as the API gives it. */
export interface StoredFlow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly document: {
    readonly name: string;
    readonly nodes: readonly StoredNode[];
    readonly edges: readonly unknown[];
    readonly notes: readonly { readonly id: string; readonly text: string; readonly position: Position }[];
    readonly groups: readonly { readonly id: string; readonly name: string; readonly nodes: readonly string[] }[];
  };
}
export interface StoredNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  readonly position: Position;
  readonly values: Readonly<Record<string, unknown>>;
  readonly pinned?: Readonly<Record<string, unknown>>;
}
interface Position {
  readonly x: number;
  readonly y: number;
}

/** The page of a flow, with what tests ask it. */
export interface OpenFlow {
  readonly studio: OpenStudio;
  readonly page: Page;
  readonly flow: StoredFlow;
  /** The document that the server has. */
  stored(): Promise<StoredFlow['document']>;
  /** Waits until the server has all edits. */
  isSaved(): Promise<void>;
  /** A component on the canvas, by the start of its name for screen readers. */
  node(title: string): Locator;
  /** Edits the flow as another client; several at once. */
  edit(...edits: object[]): Promise<void>;
}

/** Opens the page of a new flow that is made from its text form. The user has no other flow. */
export async function openFlow(tests: StudioTests, source: string, options: OpenOptions = {}): Promise<OpenFlow> {
  const studio = await tests.open({
    newUser: true,
    path: 'flows',
    width: 1_400,
    ...options,
  });
  const { page, visitor } = studio;
  await page.getByText('No flows yet').waitFor();
  const { flow } = (await change(visitor, 'POST', '/api/v1/flows/import', { source })) as { flow: StoredFlow };
  await page.getByRole('region', { name: 'Flows' }).getByRole('link').click();
  await page.getByRole('toolbar', { name: 'Edit the flow' }).waitFor();
  const read = async () => (await visitor.json<{ flow: StoredFlow }>(`/api/v1/flows/${flow.id}`)).body.flow;
  return {
    studio,
    page,
    flow,
    stored: async () => (await read()).document,
    isSaved: () => page.getByText('Saved', { exact: true }).waitFor(),
    node: (title) => page.locator(`.react-flow__node[aria-label^="${title}"]`),
    async edit(...edits) {
      const { version: base } = await read();
      await change(visitor, 'POST', `/api/v1/flows/${flow.id}/edits`, { base, edits });
    },
  };
}
