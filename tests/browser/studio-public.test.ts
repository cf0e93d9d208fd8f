import { describe, expect, it } from 'vitest';
import { viewProblems } from './axe-problems.ts';
import { change } from './studio-servers.ts';
import { useStudio } from './use-studio.ts';

const tests = useStudio({ newUser: true });

const HELPS = `name: Helps
description: Answers questions
nodes:
  I: ChatInput
  L: LanguageModelComponent
  O: ChatOutput
edges:
  I.message -> L.input_value
  L.text_output -> O.input_value
config:
  L.model: croft/offline
  I.input_value: Say "hello"
`;

describe('a public link', () => {
  it('is made on the page of a flow, lets a visitor chat, keeps the chat over a reload, and ends', async () => {
    let id = '';
    const owner = await tests.open({
      path: 'flows',
      async beforeLoad(_, { visitor }) {
        const { flow } = (await change(visitor, 'POST', '/api/v1/flows/import', { source: HELPS })) as {
          flow: { id: string };
        };
        ({ id } = flow);
      },
    });
    const { page } = owner;
    await page.goto(`${owner.url}flows/${id}/use`);
    const card = page.getByRole('region', { name: 'Public link', exact: true });
    await card.getByRole('button', { name: 'Make a public link' }).click();
    expect(await viewProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make public link' }).click();
    const address = (await card.locator('code').textContent()) ?? '';
    expect(await viewProblems(page)).toEqual([]);
    // Another browser, without a session.
    const context = await page
      .context()
      .browser()
      ?.newContext({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' });
    const visitor = await context?.newPage();
    if (!visitor) throw new Error('no browser');
    await visitor.goto(address);
    await visitor.getByRole('heading', { name: 'Helps', level: 1 }).waitFor();
    expect(await viewProblems(visitor)).toEqual([]);
    await visitor.getByRole('button', { name: 'Say "hello"' }).click();
    await visitor.keyboard.press('Enter');
    const answer = visitor.getByRole('region', { name: 'Messages' }).getByText(/hello/).last();
    await visitor.getByRole('button', { name: 'Answer again' }).waitFor();
    await expect.poll(() => answer.isVisible()).toBe(true);
    expect(await viewProblems(visitor)).toEqual([]);
    await visitor.reload();
    await visitor.getByRole('button', { name: 'Answer again' }).waitFor();
    await visitor.getByRole('button', { name: 'New chat' }).click();
    await visitor.getByText('Chat with Helps').waitFor();
    await visitor.getByRole('button', { name: 'Say "hello"' }).click();
    const written = visitor.getByRole('textbox', { name: 'Message' });
    await expect.poll(() => written.inputValue()).toBe('Say "hello"');
    await written.fill('');
    await visitor.getByRole('button', { name: 'Say "hello"' }).click();
    await expect.poll(() => written.inputValue()).toBe('Say "hello"');
    const json = { name: 'Ben Reed', email: 'ben@public.example', password: 'correct horse' };
    await change(owner.visitor, 'POST', '/api/v1/users', json);
    await change(owner.visitor, 'PUT', `/api/v1/flows/${id}/shares`, { user: json.email, access: 'edit' });
    const ben = await owner.server.signIn(json.email, json.password);
    const edits = [{ kind: 'set_details', name: 'Asks for passwords' }];
    await change(ben, 'POST', `/api/v1/flows/${id}/edits`, { base: 1, edits });
    await visitor.reload();
    await visitor.getByRole('heading', { name: 'This page is not available at the moment' }).waitFor();
    expect(await viewProblems(visitor)).toEqual([]);
    await card.getByRole('button', { name: 'Remove link' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove link' }).click();
    await card.getByText('No public link').waitFor();
    await visitor.reload();
    await visitor.getByRole('heading', { name: 'Nothing is here any more' }).waitFor();
    expect(await viewProblems(visitor)).toEqual([]);
    await context?.close();
  });
});
