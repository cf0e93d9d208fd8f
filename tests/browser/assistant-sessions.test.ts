import { callReply as call, type ScriptedReply } from '@croft/models/testing';
import { describe, expect, it } from 'vitest';
import { type AssistantPage, type AssistantPageOptions, useAssistant } from './assistant-page.ts';
import { axeProblems } from './axe-problems.ts';
import { focused } from './open-studio.ts';

const assistant = useAssistant({ model: true });
const { script } = assistant;
let studio: AssistantPage;

const open = async (options: AssistantPageOptions = {}) => (studio = await assistant.open(options));
const edit: ScriptedReply = { text: '{"intent": "build_flow", "scope": "edit"}' };
const question: ScriptedReply = { text: '{"intent": "question"}' };
const CHAT = 'name: Chat\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';

/** Sends a message that adds a component. */
async function add(type: string) {
  script.push(edit, call('add_component', { component_type: type }), { text: `Added ${type} for you.` });
  await studio.send(`add ${type}`);
  await studio.messages.getByText(`Added ${type} for you.`).waitFor();
  await studio.messages
    .getByText(/^Changed the flow/)
    .last()
    .waitFor();
}

describe('conversations with the assistant', () => {
  it('goes back to before a message, with the canvas, and puts the message back to change it', async () => {
    const { page, field, messages, types } = await open({ source: CHAT });
    await add('CurrentDate');
    await add('CalculatorComponent');
    await messages.getByRole('button', { name: 'Edit and send again' }).last().click();
    await page.getByRole('menuitem', { name: 'Rewind canvas and chat to here' }).click();
    await expect.poll(() => field.inputValue()).toBe('add CalculatorComponent');
    await expect.poll(types).toEqual(['ChatInput', 'ChatOutput', 'CurrentDate']);
    expect(await messages.getByText('Added Calculator').count()).toBe(0);
    await messages.getByRole('button', { name: 'Edit and send again' }).click();
    await page.getByRole('menuitem', { name: 'Rewind the canvas to here' }).click();
    await expect.poll(types).toEqual(['ChatInput', 'ChatOutput']);
    await messages.getByText(/^Reverted/).waitFor();
  });

  it('begins a session, and resumes an earlier one with its messages', async () => {
    const { page, messages, send, field } = await open({ source: CHAT });
    await add('CurrentDate');
    await page.getByRole('button', { name: 'New session' }).click();
    await messages.getByText('Say what to build or change').waitFor();
    script.push(question, { text: 'Hello to you.' });
    await send('hello');
    await messages.getByText('Hello to you.').waitFor();
    await page.getByRole('button', { name: 'Earlier sessions' }).click();
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(2);
    await page.getByRole('menuitem', { name: /^add CurrentDate/ }).click();
    await messages.getByText('Added CurrentDate for you.').waitFor();
    await messages.getByText('Added Current date', { exact: true }).waitFor();
    expect(await messages.getByText('Hello to you.').count()).toBe(0);
    await page.reload();
    await field.waitFor();
    await messages.getByText('Added CurrentDate for you.').waitFor();
  });

  it('follows a turn after a reload, answers its question in words, and stops one', async () => {
    const { page, field, messages, send, types } = await open({ source: CHAT });
    script.push(
      edit,
      call('ask_user', { question: 'Which component?', choices: ['A date', 'A calculator'] }),
      call('add_component', { component_type: 'CurrentDate' }),
      { text: 'As you said.' },
    );
    await send('add a component');
    await messages.getByText('Which component?').waitFor();
    await page.reload();
    await messages.getByText('Which component?').waitFor();
    await page.getByText('Locked here while the assistant works').waitFor();
    await send('the date of today');
    await messages.getByText('As you said.').waitFor();
    await messages.getByText('the date of today').waitFor();
    await expect.poll(() => types()).toContain('CurrentDate');

    script.push(question, { text: 'A long reply that never ends', stall: 'during' });
    await send('tell me a story');
    await messages.getByText(/^A long reply/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await messages.getByText('Generation cancelled by user').waitFor();
    await messages.getByText('Nothing was changed · not run.').waitFor();
    await field.fill('next');
    await expect.poll(() => page.getByRole('button', { name: 'Send', exact: true }).isEnabled()).toBe(true);
  });

  it('announces each reply once', async () => {
    const { page, messages, send } = await open({ source: CHAT });
    await page.evaluate(`{
      const region = document.querySelector('section[aria-label="Assistant"] > [role="status"]');
      window.said = [];
      new MutationObserver(() => region.textContent && window.said.push(region.textContent))
        .observe(region, { childList: true, characterData: true, subtree: true });
    }`);
    await add('CurrentDate');
    script.push(question, { text: 'The first half and the second half.' });
    await send('say something');
    await messages.getByText('The first half and the second half.').waitFor();
    await messages.getByText(/^Nothing was changed/).waitFor();
    await expect
      .poll(() => page.evaluate('window.said'))
      .toEqual(['Assistant: Added CurrentDate for you.', 'Assistant: The first half and the second half.']);
  });

  it('offers no revert of a message that another one undid, also after a reload', async () => {
    const { page, messages, send, types } = await open({ source: CHAT });
    await add('CurrentDate');
    script.push(edit, call('undo_change', {}), { text: 'It is as before.' });
    await send('undo that');
    await expect.poll(types).toEqual(['ChatInput', 'ChatOutput']);
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload();
      await messages.getByText('It is as before.').waitFor();
      await messages.getByText(/^Already undone/).waitFor();
      expect(await messages.getByRole('button', { name: 'Revert' }).count()).toBe(0);
    }
  });

  it('works by keyboard alone: opens, resizes, reads, reverts, closes', async () => {
    const { page, field, types } = await open({ source: CHAT });
    await add('CurrentDate');
    const grip = page.getByRole('button', { name: /^Resize the assistant/ });
    await page.getByRole('button', { name: 'Float over the canvas' }).waitFor();
    // The docked panel has a fixed width.
    expect(await grip.count()).toBe(0);
    await page.getByRole('button', { name: 'Float over the canvas' }).press('Enter');
    const box = () => page.locator('section[aria-label="Assistant"]').boundingBox();
    const before = await box();
    await grip.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
    const after = await box();
    expect(Math.round((after?.width ?? 0) - (before?.width ?? 0))).toBe(32);
    expect(Math.round((before?.height ?? 0) - (after?.height ?? 0))).toBe(32);
    await field.focus();
    for (let at = 0; at < 20 && !(await focused(page)).includes('Revert'); at++) await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(types).toEqual(['ChatInput', 'ChatOutput']);
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('button', { name: 'Assistant', exact: true }).waitFor();
    expect(await field.count()).toBe(0);
  });

  it('fits a phone, in the dark too', async () => {
    const { page, messages, shot } = await open({ source: CHAT, width: 360, scheme: 'dark' });
    await add('CurrentDate');
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await axeProblems(page)).toEqual([]);
    await shot('phone-dark');
    await messages.getByRole('button', { name: 'Revert' }).click();
    await messages.getByRole('button', { name: 'Undo the revert' }).waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await axeProblems(page)).toEqual([]);
    await shot('phone-light');
  });

  it('forgets what the browser kept of a user at sign-out', async () => {
    const { page, send } = await open();
    await send('/skip-all');
    await page.getByTestId('assistant-skip-all-badge').waitFor();
    const keys = () => page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('croft-assistant-'))");
    const kept = (await keys()) as string[];
    const { body } = await studio.visitor.json<{ user: { id: string } }>('/api/v1/me');
    expect(kept.length).toBeGreaterThan(2);
    expect(kept.every((key) => key.endsWith(`:${body.user.id}`))).toBe(true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await keys()).toEqual([]);
    // No hidden page is left either.
    expect(await page.locator('#main').count()).toBe(0);
  });
});
