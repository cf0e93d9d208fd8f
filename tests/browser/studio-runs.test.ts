import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ASKS, readsRows } from '../../apps/server/src/testing-flows.ts';
import { viewProblems } from './axe-problems.ts';
import { type OpenStudio } from './open-studio.ts';
import { change, type StudioUser } from './studio-servers.ts';
import { useStudio } from './use-studio.ts';

const opener = useStudio({ newUser: true, path: 'runs', files: { 'sales.csv': 'region\nnorth\n' } });
let studio: OpenStudio;
let page: Page;

const READS = readsRows('{region}', 'sales.csv');

const button = (name: string | RegExp) => page.getByRole('button', { name });
const list = () => page.getByRole('region', { name: 'Runs' });
const post = ({ visitor }: StudioUser, path: string, json: object) => change(visitor, 'POST', path, json);

/** Opens a page of a new user after `prepare`, which gives its path. */
async function open(prepare: (user: StudioUser) => Promise<string>) {
  let path = '';
  studio = await opener.open({
    beforeLoad: async (_, user) => {
      path = await prepare(user);
    },
  });
  page = studio.page;
  await page.goto(`${studio.url}${path}`);
}

interface Stored {
  readonly id: string;
  readonly version: number;
  readonly document: { readonly nodes: readonly { readonly id: string; readonly type: string }[] };
}

const storeFlow = async (user: StudioUser, source: string): Promise<Stored> =>
  ((await post(user, '/api/v1/flows/import', { source })) as { flow: Stored }).flow;
/** The id of the component that reads the file. */
const readerOf = ({ document }: Stored) => document.nodes.find(({ type }) => type === 'ReadData')?.id ?? '';
const missing = (flow: Stored) => ({ inputs: { [readerOf(flow)]: { path: 'missing.csv' } } });

describe('the history of runs', () => {
  it('shows states in one column on a phone, and the exact time of each run as title', async () => {
    await open(async (user) => {
      const reads = await storeFlow(user, READS);
      await post(user, `/api/v1/flows/${reads.id}/run`, {});
      await user.visitor.json(`/api/v1/flows/${reads.id}/run`, { method: 'POST', json: missing(reads) });
      return 'runs';
    });
    const failedRow = list().getByRole('listitem').filter({ hasText: 'Failed' });
    await failedRow.getByText('missing.csv').waitFor();
    const boxOf = async (text: string) =>
      (await failedRow.getByText(text, { exact: true }).boundingBox()) ?? { x: 0, y: 0 };
    expect((await boxOf('missing.csv')).x).toBeGreaterThan((await boxOf('Reads')).x + 100);
    await page.setViewportSize({ width: 390, height: 800 });
    const [name, input] = [await boxOf('Reads'), await boxOf('missing.csv')];
    expect(Math.abs(input.x - name.x)).toBeLessThan(2);
    expect(input.y).toBeGreaterThan(name.y + 10);
    const pill = (word: string) => list().getByRole('listitem').getByText(word, { exact: true }).boundingBox();
    await list().getByText('Failed', { exact: true }).waitFor();
    const [done, failed] = [await pill('Done'), await pill('Failed')];
    const end = (box: typeof done) => Math.round((box?.x ?? 0) + (box?.width ?? 0));
    expect(end(done)).toBe(end(failed));
    expect(end(done)).toBeGreaterThan(300);
    expect(
      await list()
        .getByRole('link', { name: /^Reads, Done/ })
        .getAttribute('title'),
    ).toMatch(/:\d\d:\d\d/);
    expect(await viewProblems(page)).toEqual([]);
    await list()
      .getByRole('link', { name: /^Reads, Done/ })
      .click();
    const again = await button('Run again').boundingBox();
    expect(again?.y).toBe((await page.getByRole('link', { name: 'Open the flow' }).boundingBox())?.y);
    expect(await button('Delete').count()).toBe(1);
  });

  it('shows Run above the bar of a phone, and names the component of each result of several outputs', async () => {
    await open(async (user) => {
      const two = await storeFlow(
        user,
        'name: Greets a visitor with the weather of today\nnodes:\n  A: TextInput\n  O: ChatOutput\n  Q: ChatOutput\nedges:\n  A.text -> O.input_value\n  A.text -> Q.input_value\nconfig:\n  A.input_value: hello',
      );
      const edits = two.document.nodes
        .filter(({ type }) => type === 'ChatOutput')
        .map(({ id }, at) => ({ kind: 'rename', id, name: ['For Ada', 'For Ben'][at] }));
      await post(user, `/api/v1/flows/${two.id}/edits`, { base: two.version, edits });
      return `flows/${two.id}`;
    });
    const bar = page.getByRole('navigation', { name: 'Pages', exact: true });
    const run = page
      .getByRole('region', { name: 'Run', exact: true })
      .getByRole('button', { name: 'Run', exact: true });
    for (const [width, height] of [
      [390, 800],
      [390, 667],
      [360, 640],
    ] as const) {
      await page.setViewportSize({ width, height });
      await run.waitFor();
      const [box, below] = [await run.boundingBox(), await bar.boundingBox()];
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
      // The field above it is in sight, too.
      const field = await page.getByRole('textbox', { name: /Text/ }).first().boundingBox();
      expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
    }
    await page.setViewportSize({ width: 1_200, height: 800 });
    await run.click();
    const outputs = page.getByRole('region', { name: 'Outputs' });
    await outputs.getByRole('heading', { name: 'For Ben' }).waitFor();
    expect(await outputs.getByRole('heading').allTextContents()).toEqual(['For Ada', 'For Ben']);
    expect(await outputs.getByText('hello').count()).toBe(2);
    expect(await viewProblems(page)).toEqual([]);
  });

  it('lists and filters runs, shows the timeline with inputs and outputs, and repeats and deletes a run', async () => {
    await open(async (user) => {
      const chat = ((await post(user, '/api/v1/flows', { template: 'chat' })) as { flow: { id: string } }).flow.id;
      await post(user, `/api/v1/flows/${chat}/run`, { message: 'Say "good morning"' });
      const reads = await storeFlow(user, READS);
      await post(user, `/api/v1/flows/${reads.id}/run`, {});
      await user.visitor.json(`/api/v1/flows/${reads.id}/run`, { method: 'POST', json: missing(reads) });
      return 'runs';
    });
    await expect.poll(() => list().getByRole('listitem').count()).toBe(3);
    expect(await viewProblems(page)).toEqual([]);
    await page.getByLabel('State').selectOption('Timed out');
    await page.getByText('No run has the state “Timed out”').waitFor();
    await page.getByLabel('State').selectOption('Failed');
    await expect.poll(() => list().getByRole('listitem').count()).toBe(1);
    await page.reload();
    await list().getByRole('link').click();
    await page
      .getByRole('alert')
      .getByText(/missing\.csv/)
      .first()
      .waitFor();
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await expect.poll(() => timeline.getByRole('listitem').count()).toBe(1);
    await timeline.getByText('CSV, JSON, YAML').click();
    await page.getByRole('region', { name: 'Inputs of CSV, JSON, YAML' }).getByText('missing.csv').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    // The same input fails again until the file is there.
    const before = page.url();
    studio.files.write('missing.csv', 'region\nsouth\n');
    await button('Run again').click();
    await expect.poll(() => page.url()).not.toBe(before);
    await page.getByRole('region', { name: 'Text' }).getByText('south').waitFor();
    await timeline.getByText('Parser').click();
    await page.getByRole('region', { name: 'Outputs of Parser' }).getByText('south').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await button('Delete').click();
    await button('Delete run').click();
    await page.getByText('Deleted the run.').waitFor();
    await expect.poll(() => list().getByRole('listitem').count()).toBe(2);
    expect(await viewProblems(page)).toEqual([]);
  });

  it('follows a run that starts elsewhere, and stops it', async () => {
    let flow = undefined as unknown as Stored;
    await open(async (user) => {
      flow = await storeFlow(user, READS);
      const run = { retry: { attempts: 1, delayMs: 600_000 } };
      await post(user, `/api/v1/flows/${flow.id}/edits`, {
        base: flow.version,
        edits: [{ kind: 'set_run_options', id: readerOf(flow), run }],
      });
      return `flows/${flow.id}/runs`;
    });
    await page.getByText('No runs yet').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await post(studio, `/api/v1/flows/${flow.id}/runs`, missing(flow));
    await list().getByText('Running').waitFor();
    await list().getByRole('link').click();
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('CSV, JSON, YAML').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await button('Stop').click();
    await page.getByRole('status').getByText('Stopped').waitFor();
    await button('Run again').waitFor();
  });

  it('answers an approval in its place, by keyboard', async () => {
    await open(async (user) => {
      const flow = await storeFlow(user, ASKS);
      const { id } = (await post(user, `/api/v1/flows/${flow.id}/runs`, { message: 'Buy ten' })) as { id: string };
      return `runs/${id}`;
    });
    const card = page.getByRole('region', { name: 'Human approval waits for you' });
    await card.getByText('Buy ten').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await card.getByRole('button', { name: 'Approve' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Done').waitFor();
    await page.getByRole('region', { name: 'Text' }).getByText('Buy ten').waitFor();
    await page.getByRole('list', { name: 'Timeline' }).locator('summary').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Outputs of Chat input' }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
  });
});
