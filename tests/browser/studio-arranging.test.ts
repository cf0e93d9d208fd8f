import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { GREETS, readsRows } from '../../apps/server/src/testing-flows.ts';
import { viewProblems } from './axe-problems.ts';
import { type OpenFlow, openFlow } from './open-flow.ts';
import { useStudio } from './use-studio.ts';

const tests = useStudio();
let opened: OpenFlow;
let page: Page;

const button = (name: string | RegExp) => page.getByRole('button', { name });
const frame = () => page.locator('.react-flow__node-frame');
const positions = async () =>
  Object.fromEntries((await opened.stored()).nodes.map(({ type, position }) => [type, position]));

describe('placing components', () => {
  it('tidies up from the command palette, which opens also in a field, as one step of undo', async () => {
    opened = await openFlow(tests, GREETS);
    ({ page } = opened);
    const ids = opened.flow.document.nodes.map(({ id }) => id);
    const heap = Object.fromEntries(ids.map((id, at) => [id, { x: 100 + at * 30, y: 200 + at * 20 }]));
    await opened.edit({ kind: 'move', positions: heap });
    await expect.poll(positions).toMatchObject({ ChatOutput: { x: 160, y: 240 } });
    await opened.node('Prompt template').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('tabpanel', { name: 'Component' }).getByLabel('Name', { exact: true }).focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await page.keyboard.type('tidy');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await positions())['ChatOutput']?.x).toBeGreaterThan(1_000);
    const tidy = await positions();
    expect(tidy['TextInput']).toEqual({ x: 100, y: tidy['TextInput']?.y });
    expect(tidy['PromptTemplate']?.x).toBeGreaterThan(500);
    await button('Undo').first().click();
    await expect.poll(positions).toMatchObject({ TextInput: { x: 100, y: 200 }, ChatOutput: { x: 160, y: 240 } });
    // A curl command becomes an HTTP request.
    await page.evaluate(
      "navigator.clipboard.writeText('curl https://api.example.test/items -H \\'accept: text/plain\\'')",
    );
    await page.keyboard.press('Escape');
    await page.locator('.react-flow__pane').focus();
    await page.keyboard.press('Control+v');
    await opened.node('HTTP request').waitFor();
    await expect.poll(async () => (await opened.stored()).nodes.at(-1)?.values).toMatchObject({ mode: 'cURL' });
    await button('Undo').first().click();
    // The palette adds components and leads to them too.
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await page.keyboard.type('add calculator');
    await page.keyboard.press('Enter');
    await opened.node('Calculator').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await page.keyboard.type('go to chat');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Chat output');
  });

  it('keeps the large name of a small component on one line beside the mark of a run', async () => {
    opened = await openFlow(tests, readsRows('{crop}', 'harvest.csv'));
    ({ page } = opened);
    await button('Run').first().click();
    await page.getByRole('status').getByText('Done', { exact: true }).waitFor();
    const zoomOut = button('Zoom out');
    for (let step = 0; step < 3; step += 1) await zoomOut.click();
    const lines = `[...document.querySelectorAll('.card-name > :first-child')].map(
      (name) => name.offsetHeight / Number.parseFloat(getComputedStyle(name).lineHeight))`;
    await page.locator('.react-flow.small').waitFor();
    await opened.node('CSV, JSON, YAML').locator('.card-status').waitFor();
    expect(await page.evaluate(lines)).toEqual([1, 1, 1]);
  });

  it('aligns several components, and groups them in a frame that moves them, by pointer and keyboard', async () => {
    opened = await openFlow(tests, GREETS);
    ({ page } = opened);
    const [first] = opened.flow.document.nodes;
    await opened.edit({ kind: 'move', positions: { [first?.id ?? '']: { x: 0, y: 400 } } });
    await expect.poll(positions).toMatchObject({ TextInput: { x: 0, y: 400 } });
    await opened.node('Text input').click();
    await opened.node('Prompt template').click({ modifiers: ['Control'] });
    await page.getByRole('toolbar', { name: '2 selected' }).waitFor();
    await button('Align and distribute').click();
    await page.getByRole('menuitem', { name: 'Align top' }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const focused = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent";
    await expect.poll(() => page.evaluate(focused)).toContain('Align and distribute');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Align top' }).click();
    await expect.poll(async () => (await positions())['TextInput']?.y).toBe(opened.flow.document.nodes[1]?.position.y);
    await page.getByRole('toolbar', { name: '2 selected' }).getByRole('button', { name: 'Group' }).click();
    await page.getByRole('textbox', { name: 'Name of the group' }).waitFor();
    await page.keyboard.type('Asking');
    await page.keyboard.press('Enter');
    await page.locator('[aria-label="Group Asking, 2 components"]').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await opened.isSaved();
    const before = await positions();
    // The frame is behind its components, also while it is selected.
    await opened.node('Text input').click();
    await page.getByRole('region', { name: 'Component Text input' }).waitFor();
    const { x, y } = (await frame().boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 60, y + 12);
    await page.mouse.down();
    await page.mouse.move(x + 100, y + 92, { steps: 5 });
    await page.mouse.up();
    await expect
      .poll(async () => (await positions())['TextInput']?.y)
      .toBeGreaterThan((before['TextInput']?.y ?? 0) + 50);
    const after = await positions();
    const way = (type: string) => [
      (after[type]?.x ?? 0) - (before[type]?.x ?? 0),
      (after[type]?.y ?? 0) - (before[type]?.y ?? 0),
    ];
    for (const [at, distance] of way('TextInput').entries())
      expect(Math.abs(distance - (way('PromptTemplate')[at] ?? 0))).toBeLessThanOrEqual(1);
    expect(way('ChatOutput')).toEqual([0, 0]);
    await button('Undo').first().click();
    await expect.poll(positions).toEqual(before);
    await frame().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(async () => (await positions())['PromptTemplate']?.y)
      .toBeGreaterThan(before['PromptTemplate']?.y ?? 0);
    await page.keyboard.press('Control+Shift+g');
    await expect.poll(() => frame().count()).toBe(0);
    await opened.isSaved();
    expect((await opened.stored()).groups).toEqual([]);
    await page.keyboard.press('Control+z');
    await frame().waitFor();
  });

  it('leaves the text of a note and the name of a group by a click elsewhere, which then has the focus', async () => {
    opened = await openFlow(tests, GREETS);
    ({ page } = opened);
    await button('Assistant').click();
    const field = page.getByRole('textbox', { name: 'Message to the assistant' });
    await field.waitFor();
    await button('Add note (N)').click();
    await page.getByRole('textbox', { name: /^Text of the note/ }).waitFor();
    await page.keyboard.type('Hello');
    await field.click();
    await page.keyboard.type('note');
    expect(await field.inputValue()).toBe('note');
    await opened.node('Text input').click();
    await opened.node('Prompt template').click({ modifiers: ['Control'] });
    await page.getByRole('toolbar', { name: '2 selected' }).getByRole('button', { name: 'Group' }).click();
    await page.getByRole('textbox', { name: 'Name of the group' }).waitFor();
    await page.keyboard.type('Both');
    await field.click();
    await page.keyboard.type(' and group');
    expect(await field.inputValue()).toBe('note and group');
    await opened.isSaved();
    const { notes, groups } = await opened.stored();
    expect([notes.map(({ text }) => text), groups.map(({ name }) => name)]).toEqual([['Hello'], ['Both']]);
  });
});
