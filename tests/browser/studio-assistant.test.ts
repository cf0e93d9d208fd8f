import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type AssistantPage, type AssistantPageOptions, useAssistant } from './assistant-page.ts';
import { viewProblems } from './axe-problems.ts';
import { focused } from './open-studio.ts';

const assistant = useAssistant();
let studio: AssistantPage;

const open = async (options: AssistantPageOptions = {}) => (studio = await assistant.open(options));
const nodes = () => studio.page.locator('.react-flow__node');
const NOTES = 'one two three four five\n';
const BUILD = 'build a flow that reads notes.md from my workspace and shows `notes.md has N words`, then run it';
const CHAT = 'name: Chat\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';
const PROPOSAL = 'Build me a simple chatbot';

/** Takes an older message, selects everything at once, and returns the selection two frames later. */
const SELECTED_AFTER_UP = `(async () => {
  const field = document.activeElement;
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true, cancelable: true }));
  await Promise.resolve();
  field.select();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return field.value.slice(field.selectionStart, field.selectionEnd);
})()`;

describe('the assistant', () => {
  it('builds and runs a flow on a blank canvas, documents it, proposes a changed text and undoes it, without a key', async () => {
    const { page, messages, send, shot, files } = await open({ files: { 'notes.md': NOTES } });
    await page.getByText('No model provider is set up').waitFor();
    await shot('empty');
    await send(BUILD);
    await messages.getByText('notes.md has 5 words').first().waitFor();
    await messages.getByText(/^Built into the flow · checked without problems · run completed/).waitFor();
    await messages.getByText('Run completed', { exact: true }).waitFor();
    expect(await messages.getByText('notes.md has 5 words').count()).toBe(1);
    await expect.poll(() => nodes().count()).toBe(4);
    await shot('built');
    expect(await page.getByTestId('assistant-flow-replace-button').count()).toBe(0);
    expect(await viewProblems(page)).toEqual([]);

    await send('document this flow in FLOW.md');
    await page.getByRole('region', { name: 'File FLOW.md' }).getByRole('button', { name: 'Open' }).click();
    await page.getByRole('dialog', { name: 'FLOW.md' }).getByRole('heading').nth(1).waitFor();
    await shot('file');
    await page.keyboard.press('Escape');
    expect(files.has('FLOW.md')).toBe(true);

    await send('change the text to `N words in notes.md`');
    const edits = page.getByRole('region', { name: 'Proposed changes' });
    await edits.waitFor();
    expect(await edits.getByRole('group', { name: 'Old and new value' }).innerText()).toBe(
      'notes.md has {words} words in notes.md',
    );
    await shot('diff');
    expect(await viewProblems(page)).toEqual([]);
    await edits.getByRole('button', { name: 'Accept' }).click();
    await edits.getByText('Applied').waitFor();
    await page.getByText('{words} words in notes.md').first().waitFor();
    await send('undo that');
    await messages
      .getByText(/^Undone/)
      .first()
      .waitFor();
    await page.locator('.react-flow__node').getByText('notes.md has {words} words').waitFor();
    await shot('undone');
    await page.keyboard.press('Escape');
    await nodes().first().click();
    await page.getByText(/^Added by the assistant for .+ just now$/).waitFor();
    await shot('origin');
    expect(await viewProblems(page)).toEqual([]);
  });

  it('Build a new flow on an empty canvas (gated)', async () => {
    const { page, messages, send, types, shot } = await open();
    await send(PROPOSAL);
    await page.getByTestId('assistant-flow-add-button').waitFor();
    await page.getByTestId('assistant-flow-replace-button').waitFor();
    await page.getByTestId('assistant-flow-dismiss-button').waitFor();
    await messages.getByRole('img', { name: 'Drawing of the flow' }).waitFor();
    await messages.getByText(/^Built, not in the flow yet/).waitFor();
    await shot('proposal');
    expect(await types()).toEqual([]);
    expect(await viewProblems(page)).toEqual([]);
  });

  it('adds the sample files of a template with its flow, and says so before', async () => {
    const { page, messages, send, files } = await open();
    await send('use template sales-report');
    await messages.getByText('Adds orders.csv to your files.').waitFor();
    expect(files.has('orders.csv')).toBe(false);
    await page.getByTestId('assistant-flow-add-button').click();
    await page.getByText('Added to canvas').waitFor();
    expect(files.has('orders.csv')).toBe(true);
    await nodes().first().click();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('tabpanel', { name: 'Run' }).getByText('North: 160').first().waitFor();
  });

  it('Continue applies the proposed flow', async () => {
    const { page, send, types } = await open({ clock: true });
    await send(PROPOSAL);
    await page.getByTestId('assistant-flow-add-button').click();
    await page.getByText('Added to canvas').waitFor();
    const built = await types();
    expect(built.length).toBeGreaterThan(1);
    await expect.poll(() => nodes().count()).toBe(built.length);
    // The decision stays for three seconds. Then the flow can be put there again, as an edit of the user.
    await page.clock.fastForward(3_000);
    await page.getByTestId('assistant-flow-replace-button').waitFor();
    expect(await page.getByTestId('assistant-flow-dismiss-button').count()).toBe(0);
    await page.getByRole('button', { name: 'Revert' }).click();
    await expect.poll(types).toEqual([]);
    await page.getByRole('button', { name: 'Undo the revert' }).click();
    await expect.poll(types).toEqual(built);
  });

  it('says before and after a revert that files of the run stay, and leads to where they can be undone', async () => {
    const { page, messages, send, shot, types, visitor } = await open({ files: { 'notes.md': NOTES } });
    await send('build a flow that reads notes.md, makes it upper case and saves it to upper.txt, then run it');
    await messages.getByText(/run completed/).waitFor();
    await messages.getByRole('button', { name: 'Revert' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revert this message?' });
    await dialog.getByText('The run of this message changed 1 file: that stays').waitFor();
    await shot('revert-asked');
    expect(await viewProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await types()).not.toEqual([]);
    await messages.getByRole('button', { name: 'Revert' }).click();
    await dialog.getByRole('button', { name: 'Revert' }).click();
    await expect.poll(types).toEqual([]);
    await messages.getByText('The run of this message changed 1 file: that stays').waitFor();
    await shot('revert-done');
    expect(await viewProblems(page)).toEqual([]);
    const file = () => visitor.request('/api/v1/files/content?path=upper.txt');
    expect((await file()).status).toBe(200);

    await messages.getByRole('link', { name: 'Activity' }).click();
    const list = page.getByRole('region', { name: 'Recent changes' });
    await list.getByRole('heading', { name: 'Changes of one run' }).waitFor();
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
    await shot('changes-of-run');
    expect(await viewProblems(page)).toEqual([]);
    await list.getByRole('button', { name: 'Undo the change of upper.txt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await list.getByText('Undone', { exact: true }).waitFor();
    expect((await file()).status).toBe(404);
    await list.getByRole('link', { name: 'Show all changes' }).click();
    await list.getByRole('heading', { name: 'Recent changes' }).waitFor();
    await page.goBack();
    await page.goBack();
    // No file of the run is left to ask about.
    studio.expectComplaint(/status of 409/);
    await messages.getByRole('button', { name: 'Revert' }).click();
    await messages.getByText(/^Already undone/).waitFor();
    expect(await page.getByText('The run of this message changed').count()).toBe(0);
  });

  it('Dismiss discards the proposed flow', async () => {
    const { page, messages, send, types } = await open();
    await send(PROPOSAL);
    await page.getByTestId('assistant-flow-dismiss-button').click();
    await messages.getByText('Dismissed').waitFor();
    await messages.getByRole('img', { name: 'Drawing of the flow' }).waitFor();
    expect(await types()).toEqual([]);
  });

  it('a dismissed flow can be added, also after another message, and one undo takes it off the canvas', async () => {
    const { page, messages, send, types } = await open();
    await send(PROPOSAL);
    await page.getByTestId('assistant-flow-dismiss-button').click();
    await messages.getByText(/^Built, and not put into the flow/).waitFor();
    await send('help');
    expect(await page.getByTestId('assistant-flow-dismiss-button').count()).toBe(0);
    expect(await viewProblems(page)).toEqual([]);
    await page.getByTestId('assistant-flow-add-button').click();
    await messages.getByText('Added to canvas').waitFor();
    await expect.poll(async () => (await types()).length).toBeGreaterThan(1);
    await messages.getByText(/^Built into the flow/).waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(types).toEqual([]);
  });

  it('a dismissed text can be applied while its field has the old value', async () => {
    const { page, messages, send, types } = await open({ files: { 'notes.md': NOTES } });
    await send(BUILD);
    await messages.getByText('Run completed', { exact: true }).waitFor();
    await send('change the text to `N words in notes.md`');
    const edits = page.getByRole('region', { name: 'Proposed changes' });
    await edits.getByRole('button', { name: 'Dismiss' }).click();
    await edits.getByRole('button', { name: 'Apply it after all' }).click();
    await edits.getByText('Applied').waitFor();
    await page.locator('.react-flow__node').getByText('{words} words in notes.md', { exact: true }).waitFor();
    expect(await edits.getByRole('button', { name: 'Apply it after all' }).count()).toBe(0);
    expect(await types()).toHaveLength(4);
  });

  it('Skip-all badge in header', async () => {
    const { page, field, messages, send, types } = await open();
    const badge = page.getByTestId('assistant-skip-all-badge');
    await send('/skip-all please');
    await messages
      .getByText(/did not understand|needs|cannot/)
      .first()
      .waitFor();
    expect(await badge.count()).toBe(0);
    await field.fill('/sk');
    await page.getByRole('option', { name: '/skip-all' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await badge.waitFor();
    await messages.getByText(/^Skip-all mode enabled/).waitFor();
    await page.reload();
    await badge.waitFor();
    await send(PROPOSAL);
    await expect.poll(async () => (await types()).length).toBeGreaterThan(1);
    await messages.getByText(/^Built into the flow/).waitFor();
    expect(await page.getByTestId('assistant-flow-replace-button').count()).toBe(0);
    await send('/skip-all');
    await badge.waitFor({ state: 'detached' });
  });

  it('Open a written file renders inline content', async () => {
    const { page, messages, send } = await open({ source: CHAT });
    await send('document this flow in docs/FLOW.md');
    await messages.getByRole('button', { name: 'Open', exact: true }).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await messages.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('dialog', { name: 'FLOW.md' }).getByRole('heading', { name: 'Chat' }).first().waitFor();
    expect(requests.filter((url) => url.includes('/files'))).toEqual([]);
  });

  it('Download a written file builds a Blob locally', async () => {
    const { page, messages, send, files } = await open({ source: CHAT });
    await send('document this flow in FLOW.md');
    const downloading = page.waitForEvent('download');
    await messages.getByRole('button', { name: 'Download FLOW.md' }).click();
    const download = await downloading;
    expect(download.url()).toMatch(/^blob:/);
    expect(download.suggestedFilename()).toBe('FLOW.md');
    expect(readFileSync(await download.path(), 'utf8')).toBe(files.text('FLOW.md'));
  });

  it('opens and closes with the keyboard, and recalls messages with the arrows', async () => {
    const { page, field, messages, send } = await open();
    await send('hello');
    await messages.getByText(/croft\/offline: rules/).waitFor();
    await field.fill('a draft');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => field.inputValue()).toBe('hello');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => field.inputValue()).toBe('a draft');
    expect(await page.evaluate(SELECTED_AFTER_UP)).toBe('hello');
    await field.fill('one\ntwo');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => field.inputValue()).toBe('one\ntwo');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'hidden' });
    await expect.poll(() => focused(page)).toContain('Assistant');
    await page.keyboard.press('Control+i');
    await expect.poll(() => focused(page)).toBe('Message to the assistant');
    await field.fill('x'.repeat(501));
    await page.getByText('501/500').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  });
});
