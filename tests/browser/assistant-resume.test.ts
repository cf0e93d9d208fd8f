import { callReply as call, type ScriptedReply } from '@croft/models/testing';
import { describe, expect, it } from 'vitest';
import { useAssistant } from './assistant-page.ts';
import { change } from './studio-servers.ts';

const assistant = useAssistant({ model: true });
const { script } = assistant;
const edit: ScriptedReply = { text: '{"intent": "build_flow", "scope": "edit"}' };
const CHAT = 'name: Chat\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';

describe('a turn of the assistant', () => {
  it('is shown whole where the connection is dropped at every event', async () => {
    const { page, messages, send, visitor } = await assistant.open({ source: CHAT });
    const resumed: (string | undefined)[] = [];
    await page.route(/\/agentic\/turns\/[^/]+\/events/, async (route, request) => {
      const { pathname } = new URL(request.url());
      const whole = await (await visitor.request(pathname)).text();
      const frames = whole.split('\n\n').filter((frame) => frame.startsWith('id:'));
      const last = (await request.allHeaders())['last-event-id'];
      resumed.push(last);
      const at = frames.findIndex((frame) => frame.split('\n')[0] === `id: ${last}`);
      const body = `retry: 20\n\n${frames[at + 1] ?? ''}\n\n`;
      await route.fulfill({ status: 200, headers: { 'content-type': 'text/event-stream' }, body });
    });
    script.push(
      edit,
      call('add_component', { component_type: 'CurrentDate' }),
      call('write_file', { path: 'A.md', content: '# A' }),
      { text: 'The first half and the second half.' },
    );
    await send('add a date and write A.md');
    await messages.getByText(/^Changed the flow \(1 change\) · Wrote A.md/).waitFor();
    await messages.getByText('The first half and the second half.', { exact: true }).waitFor();
    await expect.poll(() => messages.getByText('Added Current date', { exact: true }).count()).toBe(1);
    await expect.poll(() => messages.getByRole('region', { name: 'File A.md' }).count()).toBe(1);
    expect(resumed.length).toBeGreaterThan(8);
    expect(new Set(resumed).size).toBe(resumed.length);
  });

  it('locks the page that sent the message, and another page of the flow edits meanwhile', async () => {
    const { page, url, flowId, messages, send, types } = await assistant.open({ source: CHAT });
    const other = await page.context().newPage();
    await other.goto(`${url}flows/${flowId}`);
    const toolbar = (of: typeof page) => of.getByRole('toolbar', { name: 'Edit the flow' });
    await toolbar(other).waitFor();
    // A panel that loads later would show this conversation, and lock its page too.
    await other.getByRole('textbox', { name: 'Message to the assistant' }).waitFor();
    script.push(
      edit,
      call('ask_user', { question: 'Which one?', choices: ['A date', 'A calculator'] }),
      call('add_component', { component_type: 'CurrentDate' }),
      { text: 'Added.' },
    );
    await send('add a component');
    await messages.getByText('Which one?').waitFor();
    await toolbar(page).waitFor({ state: 'detached' });
    await toolbar(other).getByRole('button', { name: 'Add component' }).click();
    await other.getByRole('combobox', { name: 'Search components' }).fill('calculator');
    await other.keyboard.press('Enter');
    await expect.poll(types).toContain('CalculatorComponent');
    await page.locator('.react-flow__node[aria-label^="Calculator"]').waitFor();
    await messages.getByRole('button', { name: 'A date' }).click();
    await messages.getByText('The canvas was changed elsewhere meanwhile').waitFor();
    await messages.getByText(/· not run\. 3 other components untouched\.$/).waitFor();
    await toolbar(page).waitFor();
    await expect.poll(() => types()).toEqual(['ChatInput', 'ChatOutput', 'CalculatorComponent', 'CurrentDate']);
    await other.close();
  });

  it('leads to a changed file in the tree that the page Files shows', async () => {
    const { page, messages, send, visitor } = await assistant.open({
      source: CHAT,
      newUser: false,
      autoLogin: true,
      mine: true,
    });
    await change(visitor, 'POST', '/api/v1/tools/full/write_file', { path: 'mine/NOTES.md', content: 'one two' });
    script.push(
      { text: '{"intent": "manage_files"}' },
      call('edit_file', { path: 'mine/NOTES.md', old_string: 'one', new_string: 'three' }),
      { text: 'Changed.' },
    );
    await send('change one to three in mine/NOTES.md');
    // The link moves while text is added above it.
    await messages.getByText(/^Wrote mine\/NOTES\.md/).waitFor();
    await messages.getByRole('link', { name: 'Open in Files' }).click();
    await page.getByRole('region', { name: 'Preview of NOTES.md' }).getByText('three two').waitFor();
  });
});
