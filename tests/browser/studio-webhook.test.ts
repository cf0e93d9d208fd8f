import { describe, expect, it } from 'vitest';
import { takesBody } from '../../apps/server/src/testing-flows.ts';
import { viewProblems } from './axe-problems.ts';
import { openFlow } from './open-flow.ts';
import { useStudio } from './use-studio.ts';

const tests = useStudio();

describe('a webhook in the inspector', () => {
  it('receives one request for trying the flow, and runs of later requests do not use it', async () => {
    const { page, node, stored, isSaved, studio } = await openFlow(tests, takesBody('Order {order}'));
    await node('Webhook').click();
    const listener = page.getByRole('region', { name: 'Try it with a request' });
    await listener.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy the secret now' });
    const secret = await dialog.getByRole('region', { name: 'The secret' }).textContent();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const address = (await listener.locator('code').textContent()) ?? '';
    const send = async (body: string) => {
      const headers = { authorization: `Bearer ${secret}` };
      return (await fetch(address, { method: 'POST', headers, body })).json() as Promise<object>;
    };
    await listener.getByRole('button', { name: 'Wait for a request' }).click();
    await listener.getByText(/Waiting\./).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    // The page may ask a moment before its listener is stored.
    await expect.poll(() => send('{"order": 7}')).toEqual({ captured: true });
    await listener.getByText(/Received/).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await isSaved();
    const hook = (await stored()).nodes.find(({ type }) => type === 'Webhook');
    expect(hook?.pinned?.['output_data']).toEqual({ order: 7 });
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('Order 7').waitFor();
    const later = (await send('{"order": 8}')) as { id: string };
    const text = async () =>
      (await studio.visitor.json<{ run: { text: string } }>(`/api/v1/runs/${later.id}`)).body.run.text;
    await expect.poll(text).toBe('Order 8');
  });
});

describe('a new flow from a template that something starts', () => {
  async function create(template: string) {
    const studio = await tests.open({ newUser: true, path: 'flows', width: 1_400 });
    const { page } = studio;
    await page.getByText('No flows yet').waitFor();
    await page.getByRole('button', { name: 'New flow' }).click();
    await page.getByRole('searchbox', { name: 'Search templates' }).fill(template);
    await page.getByRole('button', { name: new RegExp(`^${template}`) }).click();
    return studio;
  }

  it('opens at its webhook, whose next request is the sample, and runs with a request after it', async () => {
    const { page, files } = await create('Webhook to file');
    const listener = page.getByRole('region', { name: 'Try it with a request' });
    await listener.waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await listener.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy the secret now' });
    const secret = await dialog.getByRole('region', { name: 'The secret' }).textContent();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await viewProblems(page)).toEqual([]);
    const address = (await listener.locator('code').textContent()) ?? '';
    const headers = { authorization: `Bearer ${secret}` };
    expect((await fetch(address, { method: 'POST', headers, body: '{"order": 8}' })).status).toBe(202);
    await expect.poll(() => files.text('requests.jsonl')).toBe('{"order":8}\n');
    await listener.getByRole('link', { name: 'Use it' }).click();
    await page.getByRole('switch', { name: 'Webhook is on' }).waitFor();
  });

  it('opens at its schedule, where its times are added and turned off', async () => {
    const { page, files } = await create('Daily report');
    const schedule = page.getByRole('region', { name: 'When it runs' });
    await schedule.getByText(/no schedule yet/).waitFor();
    expect(files.text('orders.csv')).toContain('North');
    expect(await viewProblems(page)).toEqual([]);
    await schedule.getByRole('button', { name: 'New schedule' }).click();
    await page.getByRole('button', { name: 'Add schedule' }).click();
    await schedule.getByText(/next .* 9:00/).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await schedule.getByRole('switch', { name: 'Every day at 9:00 is on' }).click();
    await schedule.getByText(/paused/).waitFor();
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page
      .getByRole('region', { name: 'Result' })
      .getByText(/reports\/\d{4}-\d\d-\d\d\.md/)
      .waitFor();
  });
});
