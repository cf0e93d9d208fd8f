import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { viewProblems } from './axe-problems.ts';
import { type LaunchedBrowser, launchChromium } from './launch-chromium.ts';
import { BROWSER_TEST_MS, buildStudioOnce, type OpenOptions, type OpenStudio, openStudio } from './open-studio.ts';
import { change, studioServers } from './studio-servers.ts';

const servers = studioServers();
let launched: LaunchedBrowser;
let studio: OpenStudio;
let page: Page;

beforeAll(async () => {
  [launched] = await Promise.all([launchChromium(), buildStudioOnce()]);
}, 60_000);
afterAll(async () => {
  await launched?.close();
  await servers.stop();
});
afterEach(async () => studio?.close());

async function open(options: OpenOptions = {}) {
  studio = await openStudio(launched.browser, servers, { newUser: true, path: 'flows', ...options });
  page = studio.page;
}

const button = (name: string | RegExp) => page.getByRole('button', { name });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const importFile = (name: string, text: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

describe('the page Flows', { timeout: BROWSER_TEST_MS }, () => {
  it('makes a flow from a template, with its files, finds, duplicates, exports and deletes it', async () => {
    await open();
    await page.getByText('No flows yet').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await button('New flow').click();
    await button(/^Empty flow/).waitFor();
    await button(/^Find in files/).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await button(/^Find in files/).click();
    await heading('Find in files').waitFor();
    expect(studio.files.text('a.md')).toContain('TODO one');
    await link('Flows').click();
    await link('Find in files').waitFor();
    await button('Actions for Find in files').click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await link('Find in files (copy)').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Search flows' }).fill('no such name');
    await page.getByText('No flow has this name').waitFor();
    await page.getByRole('searchbox', { name: 'Search flows' }).fill('find in');
    await link('Find in files').waitFor();
    await page.getByRole('button', { name: 'Actions for Find in files', exact: true }).click();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('find-in-files.json');
    await page.getByRole('button', { name: 'Actions for Find in files', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await button('Delete flow').click();
    await page.getByText('Deleted “Find in files”.').waitFor();
    await expect.poll(() => link('Find in files').count()).toBe(0);
  });

  it('imports a file, and lists what was not mapped', async () => {
    await open();
    await page.getByText('No flows yet').waitFor();
    studio.expectComplaint(/status of 400/);
    await importFile('broken.yaml', 'nodes: nothing');
    await page.getByText(/broken\.yaml was not imported\. ./).waitFor();
    const node = { id: 'Odd-1', type: 'NoSuchComponent', node: { template: {}, display_name: 'Odd' } };
    const data = {
      nodes: [{ id: 'Odd-1', type: 'genericNode', position: { x: 0, y: 0 }, data: node }],
      edges: [],
    };
    await importFile('from-langflow.json', JSON.stringify({ name: 'From Langflow', data }));
    const findings = page.getByRole('dialog', { name: /^Imported “From Langflow”/ });
    await findings
      .getByText(/NoSuchComponent/)
      .first()
      .waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await findings.getByRole('button', { name: 'Open flow' }).click();
    await heading('From Langflow').waitFor();
    await page.getByText('This server has no such component').waitFor();
  });

  it('follows changes of other clients, and says when a flow is gone', async () => {
    await open();
    await page.getByText('No flows yet').waitFor();
    const { flow } = (await change(studio.visitor, 'POST', '/api/v1/flows', { name: 'From a script' })) as {
      flow: { id: string };
    };
    await link('From a script').click();
    await heading('From a script').waitFor();
    studio.expectComplaint(/status of 404/);
    await change(studio.visitor, 'DELETE', `/api/v1/flows/${flow.id}`, {});
    await page.reload();
    await heading('This flow cannot be shown').waitFor();
  });
});
