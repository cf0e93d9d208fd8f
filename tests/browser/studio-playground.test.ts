import { type ScriptedProvider, type ScriptedReply, startScriptedProvider } from '@croft/models/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASKS } from '../../apps/server/src/testing-flows.ts';
import { viewProblems } from './axe-problems.ts';
import { focused, type OpenOptions, type OpenStudio } from './open-studio.ts';
import { change } from './studio-servers.ts';
import { useStudio } from './use-studio.ts';

let provider: ScriptedProvider;
/** The next replies of the model; the last one is repeated. */
let replies: ScriptedReply[] = [];
const opener = useStudio({ newUser: true, path: 'flows' }, () => ({ flowHosts: [new URL(provider.url).host] }));
let studio: OpenStudio;
let page: Page;

beforeAll(async () => {
  provider = await startScriptedProvider(() => (replies.length > 1 ? replies.shift() : replies[0]) ?? { text: 'Hm.' });
});
afterAll(async () => provider?.close());

const button = (name: string | RegExp) => page.getByRole('button', { name });
const field = () => page.getByRole('textbox', { name: 'Message' });
const messages = () => page.getByRole('region', { name: 'Messages' });
const chats = () => page.getByRole('complementary', { name: 'Chats' });

/** Opens the playground of a new flow. `withModel`: the flow asks the scripted model. */
async function openPlayground(
  source: { readonly template: string } | { readonly source: string },
  { withModel = false, ...options }: OpenOptions & { readonly withModel?: boolean } = {},
): Promise<string> {
  let id = '';
  studio = await opener.open({
    ...options,
    beforeLoad: async (_, { visitor }) => {
      if (withModel)
        for (const name of ['OPENAI_API_KEY', 'OPENAI_BASE_URL'])
          await change(visitor, 'PUT', `/api/v1/variables/${name}`, { value: provider.variables[name], kind: 'text' });
      const route = 'source' in source ? '/api/v1/flows/import' : '/api/v1/flows';
      const { flow } = (await change(visitor, 'POST', route, source)) as { flow: { id: string } };
      ({ id } = flow);
    },
  });
  page = studio.page;
  await button(/^Actions for /).click();
  await page.getByRole('menuitem', { name: 'Open the playground' }).click();
  await page.getByRole('link', { name: 'Playground' }).waitFor();
  return id;
}

async function say(text: string) {
  await field().fill(text);
  await page.keyboard.press('Enter');
}

describe('the playground of a chat', () => {
  it('chats without a key, keeps conversations, names, resumes and deletes them', async () => {
    await openPlayground({ template: 'chat' });
    await page.getByText('Chat with Chat').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await say('Say "good morning"');
    await messages()
      .getByText(/good morning/i)
      .nth(1)
      .waitFor();
    await page.getByText(/^Took .*tokens in/).waitFor();
    await expect.poll(() => focused(page)).toBe('Message');
    await say('Say "good night"');
    await messages()
      .getByText(/good night/i)
      .nth(1)
      .waitFor();
    await chats().getByText('4 messages').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    // The address names the chat, so that a reload shows it.
    await page.reload();
    await messages()
      .getByText(/good morning/i)
      .nth(1)
      .waitFor();
    await chats().getByRole('button', { name: 'New chat' }).click();
    await page.getByText('Chat with Chat').waitFor();
    await say('Say "something else"');
    await page.getByText(/^Took /).waitFor();
    await expect
      .poll(() =>
        messages()
          .getByText(/good morning/i)
          .count(),
      )
      .toBe(0);
    await chats()
      .getByRole('button', { name: /^Say "good morning"/ })
      .click();
    await messages()
      .getByText(/good night/i)
      .nth(1)
      .waitFor();
    await button('Actions for Say "good morning"').click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Greetings');
    await page.keyboard.press('Enter');
    await button('Actions for Greetings').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await button('Delete chat').click();
    await page.getByText('Chat with Chat').waitFor();
    await expect.poll(() => chats().getByText('Greetings').count()).toBe(0);
    await chats()
      .getByText(/^Say "something else"/)
      .waitFor();
  });

  it('renames and deletes chats on a phone', async () => {
    await openPlayground({ template: 'chat' }, { width: 390 });
    await say('Say "good morning"');
    await page.getByText(/^Took /).waitFor();
    await button('Chats').click();
    const list = page.getByRole('dialog', { name: 'Chats' });
    await list.getByRole('button', { name: /^Actions for Say/ }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Greetings');
    await page.keyboard.press('Enter');
    await list.getByRole('button', { name: 'Actions for Greetings' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await button('Delete chat').click();
    await page.getByText('Chat with Chat').waitFor();
  });

  it('shows the end after a message and its reply, unless the reader scrolled up', async () => {
    replies = [{ text: `First line.\n\n${'One more paragraph.\n\n'.repeat(30)}Last line.` }];
    await openPlayground({ template: 'chat' }, { withModel: true });
    const gap = () =>
      messages().evaluate((box) => {
        const { scrollHeight, clientHeight, scrollTop } = box as unknown as Record<string, number>;
        return Number(scrollHeight) - Number(clientHeight) - Number(scrollTop);
      });
    const latest = button('Latest message');
    for (let count = 1; count <= 3; count += 1) {
      await say(`Message ${count}`);
      await expect.poll(() => messages().getByText('Last line.').count()).toBe(count);
      await page.getByText(/^Took /).waitFor();
      await expect.poll(gap).toBeLessThan(3);
      expect(await latest.count()).toBe(0);
    }
    await messages().hover();
    await page.mouse.wheel(0, -600);
    await latest.waitFor();
    // The run begins after the reader scrolled up again.
    let begin = () => {};
    const isBeginning = new Promise<void>((resolve) => {
      begin = resolve;
    });
    await page.route(/\/run\/stream$/, (route) => isBeginning.then(() => route.fallback()));
    await say('Message 4');
    await expect.poll(gap).toBeLessThan(3);
    await page.mouse.wheel(0, -600);
    await latest.waitFor();
    expect(await gap()).toBeGreaterThan(100);
    begin();
    await expect.poll(() => messages().getByText('Last line.').count()).toBe(4);
    expect(await gap()).toBeGreaterThan(100);
    await latest.click();
    await expect.poll(gap).toBeLessThan(3);
  });

  it('shows the answer while it is written, stops it, and asks again in the place of the stopped message', async () => {
    replies = [{ text: 'Once upon a time there was a very long story.', stall: 'during' }, { text: MARKDOWN }];
    const id = await openPlayground({ template: 'chat' }, { withModel: true });
    await say('Tell me');
    await messages()
      .getByText(/^Once upon/)
      .waitFor();
    expect(await viewProblems(page)).toEqual([]);
    // A page that is loaded again follows the same run.
    await page.reload();
    await messages()
      .getByText(/^Once upon/)
      .waitFor();
    await button('Stop').click();
    await page.getByText(/^Stopped/).waitFor();
    await button('Answer again').click();
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    await messages().getByRole('table').waitFor();
    await page.evaluate("navigator.clipboard.writeText('before')");
    await messages().locator('pre').hover();
    await button('Copy code').click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('const a = 1;\n');
    await chats().getByText('2 messages').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    const { body } = await studio.visitor.json<{ sessions: unknown[] }>(`/api/v1/flows/${id}/sessions`);
    expect(body.sessions).toHaveLength(1);
  });

  it('unfolds calls of tools, and names a failure with the next step', async () => {
    const call = { name: 'evaluate_expression', arguments: { expression: '6 * 7' } };
    replies = [{ calls: [call] }, { text: 'It is 42.' }];
    await openPlayground({ template: 'agent-with-calculator' }, { withModel: true });
    await say('What is 6 * 7?');
    await messages().getByText('It is 42.').waitFor();
    await messages().getByText('evaluate_expression').click();
    await page.getByRole('region', { name: 'Input of evaluate_expression' }).getByText('6 * 7').waitFor();
    await page.getByRole('region', { name: 'Result of evaluate_expression' }).getByText('42').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    replies = [{ status: 401, body: '{"error":{"message":"Incorrect API key"}}' }];
    await say('And now?');
    await page.getByRole('alert').filter({ hasText: 'Agent' }).getByText(/key/i).first().waitFor();
    await page.getByRole('link', { name: 'Open the canvas' }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    // The failure is still there after a reload, and the message can be sent again.
    await page.reload();
    await page.getByRole('alert').filter({ hasText: 'Agent' }).waitFor();
    replies = [{ text: 'All is well.' }];
    await button('Try again').click();
    await messages().getByText('All is well.').waitFor();
    await expect.poll(() => messages().getByText('And now?').count()).toBe(1);
  });

  it('asks for an approval in the chat, also after a reload', async () => {
    await openPlayground({ source: ASKS });
    await say('Buy ten');
    const card = page.getByRole('region', { name: 'Human approval waits for you' });
    await card.getByText('Buy ten').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await page.reload();
    await card.getByRole('button', { name: 'Approve' }).click();
    await messages().getByText('Buy ten').nth(1).waitFor();
    await page.getByText(/^Took /).waitFor();
    expect(await card.count()).toBe(0);
  });

  it('attaches files: chosen, and uploaded beside a file of the same name', async () => {
    await openPlayground({ template: 'agent-with-files' }, { files: { 'uploads/wall.md': 'The wall is of brick.' } });
    await button('Attach a file').click();
    const dialog = page.getByRole('dialog', { name: 'Choose a file' });
    await dialog.getByRole('button', { name: /^projects/ }).click();
    await dialog.getByRole('button', { name: /^rotation/ }).click();
    await dialog.getByRole('button', { name: /^notes\.md/ }).click();
    // The first name is taken.
    studio.expectComplaint(/status of 409/);
    await page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File(['The wall is of granite.'], 'wall.md'));
      document.querySelector('textarea').dispatchEvent(
        new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }`);
    const list = page.getByRole('list', { name: 'Files of the message' });
    await list.getByText('wall (2).md').waitFor();
    expect(studio.files.text('uploads/wall (2).md')).toContain('granite');
    expect(await viewProblems(page)).toEqual([]);
    await button('Leave out notes.md').click();
    await say('Read the file uploads/wall (2).md');
    await messages().getByRole('link', { name: 'wall (2).md' }).waitFor();
    await page.getByText(/^Took /).waitFor();
    expect(await list.count()).toBe(0);
  });

  it('works by keyboard alone', async () => {
    await openPlayground({ template: 'chat' });
    await page.getByText('Chat with Chat').waitFor();
    for (let presses = 0; (await focused(page)) !== 'Message'; presses++) {
      expect(presses).toBeLessThan(40);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('Say "hello"');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('please');
    await page.keyboard.press('Enter');
    await page.getByText(/^Took /).waitFor();
    await expect.poll(() => field().inputValue()).toBe('');
  });
});

describe('the playground of another flow', () => {
  it('has a form, and shows outputs as rows and files', async () => {
    await openPlayground({ source: LISTS }, { files: { 'sales.csv': 'region,amount\nnorth,3\nsouth,4\n' } });
    await page.getByLabel(/: File$/).fill('sales.csv');
    await button(/^Run$/).click();
    const outputs = page.getByRole('region', { name: 'Outputs' });
    await outputs.getByRole('row', { name: /north/ }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
  });
});

const MARKDOWN = ['## Result', '', '| a | b |', '|---|---|', '| 1 | 2 |', '', '```js', 'const a = 1;', '```'].join(
  '\n',
);
const LISTS = `name: Lists
nodes:
  R: ReadData
  S: SortRows
edges:
  R.dataframe -> S.df
config:
  S.column_name: amount
`;
