import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useAssistant } from './assistant-page.ts';
import { viewProblems } from './axe-problems.ts';

const { open } = useAssistant();
const CHAT = 'name: Chat\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';

describe('the panel of the assistant', () => {
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
    // The code of the panel arrives while the user writes a note, which keeps the focus.
    let arrive = () => {};
    const isArriving = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route(/assistant-panel/, (route) => isArriving.then(() => route.fallback()));
    await page.reload();
    await page.getByRole('toolbar', { name: 'Edit the flow' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: /^Text of the note/ }).waitFor();
    await page.keyboard.type('Written while');
    arrive();
    await page.getByRole('button', { name: 'Float over the canvas' }).waitFor();
    await page.keyboard.type(' it loads');
    await page.keyboard.press('Escape');
    await page.locator('.react-flow__node').getByText('Written while it loads').waitFor();
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

  it('leaves a new flow in view as a whole, also in a window of another size, and a view of the user as it is', async () => {
    const { page } = await open({ source: CHAT });
    await page.getByRole('link', { name: 'All flows' }).click();
    await page.getByRole('button', { name: 'New flow', exact: true }).first().click();
    await page.getByRole('button', { name: /^Chat / }).click();
    await expect.poll(() => page.locator('.react-flow__node').count()).toBe(3);
    await page.locator('section[aria-label="Assistant"]').waitFor();
    /** Pixels between the flow and the edges of the canvas, of the nearest one. */
    const room = () =>
      page.evaluate(`(() => {
        const box = document.querySelector('.react-flow').getBoundingClientRect();
        return Math.round(Math.min(...[...document.querySelectorAll('.react-flow__node')].map((node) => {
          const { left, right, top, bottom } = node.getBoundingClientRect();
          return Math.min(left - box.left, box.right - right, top - box.top, box.bottom - bottom);
        })));
      })()`) as Promise<number>;
    const zoom = () =>
      page.evaluate("new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform).a");
    await expect.poll(room).toBeGreaterThan(10);
    const docked = (await zoom()) as number;
    await page.getByRole('button', { name: 'Close the assistant' }).click();
    // There is room for larger components.
    await expect.poll(zoom).toBeGreaterThan(docked * 1.1);
    await expect.poll(room).toBeGreaterThan(10);
    const wide = (await zoom()) as number;
    await page.setViewportSize({ width: 1_100, height: 800 });
    await expect.poll(zoom).toBeLessThan(wide);
    await expect.poll(room).toBeGreaterThan(10);
    await page.setViewportSize({ width: 1_400, height: 800 });
    await expect.poll(zoom).toBe(wide);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(zoom).toBeGreaterThan(wide);
    const chosen = await zoom();
    await page.setViewportSize({ width: 1_250, height: 700 });
    await expect.poll(() => page.evaluate("document.querySelector('.react-flow').clientWidth")).toBeLessThan(900);
    expect(await zoom()).toBe(chosen);
  });
});
