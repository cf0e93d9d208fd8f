import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { GREETS } from '../../apps/server/src/testing-flows.ts';
import { viewProblems } from './axe-problems.ts';
import { type OpenFlow, openFlow } from './open-flow.ts';
import { useStudio } from './use-studio.ts';

const tests = useStudio();
let opened: OpenFlow;
let page: Page;

const button = (name: string | RegExp) => page.getByRole('button', { name });
const differences = () => page.getByRole('region', { name: 'Differences' });
const differenceText = async () => (await differences().innerText()).replaceAll(/\s+/g, ' ');

it('scrolls to the tab that is pressed below the canvas of a phone', async () => {
  opened = await openFlow(tests, GREETS);
  ({ page } = opened);
  await page.setViewportSize({ width: 360, height: 400 });
  const top = async () => Math.round((await page.getByRole('tabpanel').boundingBox())?.y ?? 0);
  for (const name of ['Problems', 'Run']) {
    await page.evaluate('scrollTo(0, 0)');
    const before = await top();
    // A click of the test would scroll by itself.
    await page.getByRole('tab', { name }).dispatchEvent('mousedown', { button: 0 });
    await expect.poll(top).toBeLessThan(before);
  }
  const before = await top();
  await page.evaluate('scrollTo(0, 0)');
  await page.getByRole('tab', { name: 'Run' }).dispatchEvent('click');
  await expect.poll(top).toBe(before);
});

describe('versions of a flow', () => {
  it('keeps a version, shows what changed since on the canvas and as text, and restores it as one step', async () => {
    opened = await openFlow(tests, GREETS);
    ({ page } = opened);
    const { flow } = opened;
    await page.getByRole('link', { name: 'Versions' }).click();
    const title = page.getByText('No versions kept yet');
    await title.waitFor();
    const [above, below] = [await title.boundingBox(), await page.getByText(/^Keep a version before/).boundingBox()];
    expect((below?.y ?? 0) - (above?.y ?? 0)).toBeLessThan(2 * (above?.height ?? 0));
    await button('Keep the flow as it is now').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await page.getByLabel('Reason (optional)').fill('Before the demo');
    await page.keyboard.press('Enter');
    await page.getByText('Both versions are the same.').waitFor();
    const id = (type: string) => flow.document.nodes.find((each) => each.type === type)?.id;
    await opened.edit(
      { kind: 'configure', id: id('PromptTemplate'), values: { template: 'Shout {word}' } },
      { kind: 'remove_component', id: id('ChatOutput') },
      { kind: 'add_component', node: { id: 'X-1', type: 'TextOutput', position: { x: 1200, y: 0 }, values: {} } },
    );
    await differences().getByText('1 added, 1 removed, 1 changed, 1 connection.').waitFor();
    for (const title of ['Added: Text output', 'Removed: Chat output', 'Changed: Prompt template'])
      await opened.node(title).waitFor();
    await expect.poll(() => differenceText()).toContain('Template − before: Say {word} + after: Shout {word}');
    expect(await viewProblems(page)).toEqual([]);
    await button('Restore this version').click();
    await page.getByText('Restored “Before the demo”.').waitFor();
    await opened.node('Chat output').waitFor();
    await opened.isSaved();
    const { nodes, edges } = await opened.stored();
    expect([nodes, edges]).toEqual([flow.document.nodes, flow.document.edges]);
    // The whole restoration is one step of undo.
    await button('Undo').first().click();
    await opened.node('Text output').waitFor();
    await opened.isSaved();
    expect((await opened.stored()).nodes.map(({ type }) => type)).toEqual([
      'TextInput',
      'PromptTemplate',
      'TextOutput',
    ]);
  });

  it('fits the flow again in a window of another size', async () => {
    opened = await openFlow(tests, GREETS);
    ({ page } = opened);
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByLabel('Reason (optional)').fill('Before');
    await page.keyboard.press('Enter');
    await page.getByText('Both versions are the same.').waitFor();
    const canvas = page.getByLabel('Differences on the canvas');
    const isWithin = async () => {
      const box = await canvas.boundingBox();
      const nodes = await Promise.all(
        (await canvas.locator('.react-flow__node').all()).map((each) => each.boundingBox()),
      );
      return (
        nodes.length > 2 && nodes.every((at) => at && box && at.x >= box.x && at.x + at.width <= box.x + box.width)
      );
    };
    await expect.poll(isWithin).toBe(true);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(isWithin).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(isWithin).toBe(true);
  });

  it('compares two kept versions, deletes one, and works with the keyboard', async () => {
    opened = await openFlow(tests, GREETS);
    ({ page } = opened);
    const first = opened.flow.document.nodes[0]?.id;
    await page.getByRole('link', { name: 'Versions' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Reason (optional)').focus();
    await page.keyboard.type('One');
    await page.keyboard.press('Enter');
    await page.getByText('Both versions are the same.').waitFor();
    await opened.edit({ kind: 'rename', id: first, name: 'Word' });
    await opened.node('Changed: Word').waitFor();
    await page.getByLabel('Reason (optional)').focus();
    await page.keyboard.type('Two');
    await page.keyboard.press('Enter');
    await page.getByText('Both versions are the same.').waitFor();
    await opened.edit({ kind: 'rename', id: first, name: 'Other' });
    await opened.node('Changed: Other').waitFor();
    await page.getByRole('region', { name: 'Kept versions' }).getByRole('button', { name: /^One/ }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(differenceText).toContain('Name − before: empty + after: Other');
    await page.getByLabel('Compare with').selectOption({ index: 1 });
    await expect.poll(differenceText).toContain('Name − before: empty + after: Word');
    await button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete version' }).click();
    await page.getByText('Deleted the version “One”.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^One/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Canvas' }).click();
    await opened.node('Other').waitFor();
  });
});
