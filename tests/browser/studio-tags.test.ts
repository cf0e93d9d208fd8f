import { describe, expect, it } from 'vitest';
import { viewProblems } from './axe-problems.ts';
import { change } from './studio-servers.ts';
import { useStudio } from './use-studio.ts';

const tests = useStudio({ newUser: true, path: 'flows' });

describe('tags of flows', () => {
  it('are edited in a dialog, shown with the flow, and filter the list, also after a reload', async () => {
    const { page, visitor } = await tests.open();
    await page.getByText('No flows yet').waitFor();
    for (const name of ['Reads orders', 'Writes orders', 'Chat'])
      await change(visitor, 'POST', '/api/v1/flows', { name });
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    const tag = async (flow: string, text: string) => {
      await page.getByRole('button', { name: `Actions for ${flow}`, exact: true }).click();
      await page.getByRole('menuitem', { name: 'Edit tags' }).click();
      await page.getByRole('textbox', { name: 'Tags' }).fill(text);
    };
    await link('Chat').waitFor();
    await tag('Reads orders', 'orders, draft');
    expect(await viewProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    const filter = page.getByRole('list', { name: 'Tags' });
    await filter.getByRole('button', { name: 'orders 1 flow' }).waitFor();
    await tag('Writes orders', '');
    await page.getByRole('button', { name: 'Add orders' }).click();
    await page.getByRole('button', { name: 'Save tags' }).click();
    await filter.getByRole('button', { name: 'orders 2 flows' }).click();
    await expect.poll(() => link('Chat').count()).toBe(0);
    expect(await viewProblems(page)).toEqual([]);
    await page.reload();
    await link('Writes orders').waitFor();
    expect(await link('Chat').count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search flows' }).fill('reads');
    await expect.poll(() => link('Writes orders').count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search flows' }).fill('');
    await filter.getByRole('button', { name: 'orders', exact: true }).click();
    await link('Chat').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });
});
