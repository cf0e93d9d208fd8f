import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { viewProblems } from './axe-problems.ts';
import { focused, type OpenStudio } from './open-studio.ts';
import { change } from './studio-servers.ts';
import { useStudio } from './use-studio.ts';

const opener = useStudio({ newUser: true, path: 'flows', width: 1_400 });
let studio: OpenStudio;
let page: Page;

interface Stored {
  readonly id: string;
  readonly version: number;
  readonly document: {
    readonly nodes: readonly { readonly id: string; readonly type: string; readonly name?: string }[];
    readonly edges: readonly unknown[];
    readonly notes: readonly { readonly text: string }[];
  };
}

/** Opens the page of a new flow: an empty one, or one of its text form. */
async function openFlow(source: { readonly name: string } | { readonly source: string }): Promise<Stored> {
  studio = await opener.open();
  page = studio.page;
  await page.getByText('No flows yet').waitFor();
  const route = 'source' in source ? '/api/v1/flows/import' : '/api/v1/flows';
  const { flow } = (await change(studio.visitor, 'POST', route, source)) as { flow: Stored };
  await page.getByRole('region', { name: 'Flows' }).getByRole('link').click();
  await page.getByRole('toolbar', { name: 'Edit the flow' }).waitFor();
  return flow;
}

const stored = async ({ id }: Stored) =>
  (await studio.visitor.json<{ flow: Stored }>(`/api/v1/flows/${id}`)).body.flow.document;
const isSaved = () => page.getByText('Saved', { exact: true }).waitFor();
/** A component on the canvas, by the start of its name for screen readers. */
const node = (title: string) => page.locator(`.react-flow__node[aria-label^="${title}"]`);
const port = (title: string, side: 'source' | 'target') => node(title).locator(`.react-flow__handle.${side}`).first();
const search = () => page.getByRole('combobox', { name: 'Search components' });

async function middle(target: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}

/** Draws a wire from a port to a point, and drops it there after `before`. */
async function drawWire(from: Locator, to: { x: number; y: number }, before?: () => Promise<unknown>) {
  const start = await middle(from);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 20, start.y + 12, { steps: 3 });
  await before?.();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

describe('editing a flow', () => {
  it('works with the keyboard alone: add, connect, write a note, undo all, redo all, reload', async () => {
    const flow = await openFlow({ name: 'By keyboard' });
    const empty = page.getByText('This flow has no components yet');
    await empty.waitFor();
    // On a low page, what an empty flow offers is below the toolbar; the other pages of the flow have their tabs at the same height.
    const pages = page.getByRole('navigation', { name: 'Pages of this flow' });
    for (const size of [
      { width: 390, height: 600 },
      { width: 1_400, height: 800 },
    ]) {
      await page.setViewportSize(size);
      const [bar, offer] = [
        await page.getByRole('toolbar', { name: 'Edit the flow' }).boundingBox(),
        await empty.locator('xpath=..').boundingBox(),
      ];
      expect(offer?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
      const { y } = (await pages.boundingBox()) ?? {};
      await pages.getByRole('link', { name: 'Runs' }).click();
      await page.getByText('No runs yet').waitFor();
      expect((await pages.boundingBox())?.y).toBe(y);
      await pages.getByRole('link', { name: 'Canvas' }).click();
      await empty.waitFor();
    }
    for (const name of ['Chat input', 'Chat output']) {
      await page.keyboard.press('a');
      await search().waitFor();
      if (name === 'Chat input') expect(await viewProblems(page)).toEqual([]);
      await page.keyboard.type(name.toLowerCase());
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe(name);
    }
    const [first, second] = [await node('Chat input').boundingBox(), await node('Chat output').boundingBox()];
    expect(second?.x).toBeGreaterThan((first?.x ?? 0) + (first?.width ?? 0));
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: 'Connect Chat output' }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await page.keyboard.type('of chat input');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await node('Chat input, leads to Chat output').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: /^Text of the note/ }).waitFor();
    await page.keyboard.type('Says what it hears');
    await page.keyboard.press('Escape');
    await isSaved();
    const built = await stored(flow);
    expect(built.nodes.map(({ type }) => type)).toEqual(['ChatInput', 'ChatOutput']);
    expect([built.edges.length, built.notes.map(({ text }) => text)]).toEqual([1, ['Says what it hears']]);
    while (await page.getByRole('button', { name: 'Undo' }).isEnabled()) await page.keyboard.press('Control+z');
    await page.getByText('This flow has no components yet').waitFor();
    while (await page.getByRole('button', { name: 'Redo' }).isEnabled()) await page.keyboard.press('Control+Shift+z');
    await isSaved();
    await expect.poll(() => stored(flow)).toEqual(built);
    await page.reload();
    await node('Chat input, leads to Chat output').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys on the canvas' }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
  });

  it('shows which ports fit, explains a wrong connection, offers a converter, and inserts, copies and removes', async () => {
    const flow = await openFlow({ source: 'name: By pointer\nnodes:\n  R: ReadData\n  C: Calculator\n' });
    await drawWire(port('CSV', 'source'), await middle(port('Calculator', 'target')), () =>
      expect.poll(() => node('Calculator').locator('.fits').count()).toBe(0),
    );
    const alert = page.getByRole('alert').filter({ hasText: 'gives tables' });
    await expect.poll(() => alert.innerText()).toContain('“Expression” of Calculator takes messages.');
    expect(await viewProblems(page)).toEqual([]);
    await alert.getByRole('button', { name: 'Put a Parser between them' }).click();
    await node('Parser, leads to Calculator').waitFor();
    await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(2);
    // A wire that ends on the empty canvas lists the components that fit.
    const { x, y } = await middle(page.locator('.react-flow__pane'));
    await drawWire(port('Parser', 'source'), { x, y: y + 250 }, () =>
      expect.poll(() => node('Calculator').locator('.fits').count()).toBe(1),
    );
    await search().fill('chat output');
    await page.getByRole('option', { name: /^Chat output/ }).click();
    await node('Chat output').waitFor();
    // On a connection, a component comes in its place.
    await page.locator('.react-flow__edge[aria-label*="to Data of Parser"]').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Insert a component here/ }).click();
    await search().fill('sort rows');
    await page.keyboard.press('Enter');
    await node('Sort rows, leads to Parser').waitFor();
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await expect.poll(() => node('Sort rows').count()).toBe(2);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.getByText('This flow has no components yet').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(() => page.locator('.react-flow__node').count()).toBe(6);
    await isSaved();
    expect((await stored(flow)).edges).toHaveLength(4);
  });

  it('shows edits of others at once, and asks where both changed the same part', async () => {
    const flow = await openFlow({ source: 'name: Shared\nnodes:\n  C: Calculator\n' });
    const [{ id } = { id: '' }] = flow.document.nodes;
    const rename = (base: number, name: string) =>
      change(studio.visitor, 'POST', `/api/v1/flows/${flow.id}/edits`, { base, edits: [{ kind: 'rename', id, name }] });
    await rename(flow.version, 'From a script');
    await node('From a script').waitFor();
    // The page removes the component while another client renames it and the server does not answer the page.
    studio.expectComplaint(/status of (503|409)/);
    const answers = await studio.refuse(/\/edits$/, 503, 'database_down', 'POST');
    await node('From a script').focus();
    await page.keyboard.press('Delete');
    await page.getByText(/^Not saved yet/).waitFor();
    const refused = page.waitForResponse(/\/edits$/);
    await rename(flow.version + 1, 'Renamed meanwhile');
    await refused;
    await answers();
    const dialog = page.getByRole('dialog', { name: 'Someone else changed the same part' });
    await dialog.waitFor();
    expect(await viewProblems(page)).toEqual([]);
    // Chromium ignores that a page prevents the second Escape in a row.
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByRole('button', { name: 'Use theirs' }).click();
    await node('Renamed meanwhile').waitFor();
    await isSaved();
    expect((await stored(flow)).nodes.map(({ name }) => name)).toEqual(['Renamed meanwhile']);
  });
});
