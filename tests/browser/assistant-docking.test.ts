import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useAssistant } from './assistant-page.ts';
import { viewProblems } from './axe-problems.ts';
import { BROWSER_TEST_MS } from './open-studio.ts';

const { open } = useAssistant();
const CHAT = 'name: Chat\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';

describe('the panel of the assistant', { timeout: BROWSER_TEST_MS }, () => {
  it('is docked beside the canvas and covers nothing of the page, also after a reload', async () => {
    const { page } = await open({ source: CHAT });
    const boxOf = async (target: Locator) => (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const column = page.getByRole('tabpanel');
    const gap = async () => {
      const [panel, side] = [await boxOf(page.locator('section[aria-label="Assistant"]')), await boxOf(column)];
      return Math.round(panel.x - (side.x + side.width));
    };
    // It begins beside the canvas, which keeps room for the flow and for the Run panel.
    await expect.poll(gap).toBe(0);
    const canvas = await boxOf(page.getByLabel('Canvas', { exact: true }));
    expect(canvas.width).toBeGreaterThan(600);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Files' }).waitFor();
    await page.getByRole('button', { name: 'Float over the canvas' }).click();
    await expect.poll(gap).toBeLessThan(0);
    // It floats over the canvas, not over the run.
    const right = async () => {
      const { x, width } = await boxOf(page.locator('section[aria-label="Assistant"]'));
      return x + width;
    };
    expect(await right()).toBeLessThanOrEqual((await boxOf(column)).x);
    await page.getByRole('button', { name: 'Dock beside the canvas' }).click();
    await expect.poll(gap).toBe(0);
    expect(await viewProblems(page)).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Float over the canvas' }).waitFor();
    await expect.poll(gap).toBe(0);
    // A narrow window has no room for it.
    await page.setViewportSize({ width: 1_000, height: 800 });
    await page.getByRole('button', { name: 'Float over the canvas' }).waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1_400, height: 800 });
    await page.getByRole('button', { name: 'Float over the canvas' }).click();
    await expect.poll(gap).toBeLessThan(0);
    await page.getByRole('button', { name: 'Dock beside the canvas' }).click();
    await page.getByRole('button', { name: 'Close the assistant' }).click();
    await expect.poll(async () => Math.round((await boxOf(column)).x) > 1_000).toBe(true);
  });
});
