import { FILE_WORDS_SPEC } from '@croft/assistant/testing';
import { callReply as call, type ScriptedReply } from '@croft/models/testing';
import { describe, expect, it } from 'vitest';
import { type AssistantPage, type AssistantPageOptions, useAssistant } from './assistant-page.ts';
import { viewProblems } from './axe-problems.ts';
import { focused } from './open-studio.ts';
import { change } from './studio-servers.ts';

const assistant = useAssistant({ model: true });
const { script } = assistant;
let studio: AssistantPage;

const open = async (options: AssistantPageOptions = {}) => (studio = await assistant.open(options));

const intent = (name: string, scope: 'new' | 'edit' = 'new'): ScriptedReply => ({
  text: `{"intent": "${name}", "scope": "${scope}"}`,
});
const CHAT = 'name: Chat\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';

const SHOUT = `export class ShoutText extends Component {
  label = 'Shout';
  description = 'Writes a text in capitals.';
  inputs = [{ name: 'text', label: 'Text', kind: 'text', accepts: ['Message'] }];
  outputs = [{ name: 'loud', label: 'Loud', types: ['Message'], method: 'build_loud' }];
  text: unknown;

  build_loud() {
    return String(this.text).toUpperCase();
  }
}`;

describe('the assistant with a model', () => {
  it('builds, runs, documents, changes and undoes with a provider', async () => {
    const { page, messages, send, files, types } = await open({ files: { 'notes.md': 'one two three four five\n' } });
    expect(await page.getByText('No model provider is set up').count()).toBe(0);
    script.push(intent('build_flow'), call('build_flow', { spec: FILE_WORDS_SPEC }), call('run_flow', {}), {
      text: 'The flow counts **words**.',
    });
    await send('build a flow that reads notes.md and shows its words, then run it');
    await messages.getByText(/· run completed/).waitFor();
    await messages.getByRole('group', { name: 'Result of the run' }).getByText('notes.md has 5 words').waitFor();
    await messages.locator('strong').getByText('words').waitFor();
    expect(await page.getByTestId('assistant-flow-replace-button').count()).toBe(0);
    await expect.poll(() => types()).toHaveLength(4);

    script.push(intent('manage_files'), call('write_file', { path: 'FLOW.md', content: '# Words\n\nCounts.\n' }), {
      text: 'Documented.',
    });
    await send('document this flow in FLOW.md');
    await messages.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('dialog', { name: 'FLOW.md' }).getByText('Counts.').waitFor();
    await page.keyboard.press('Escape');
    expect(files.has('FLOW.md')).toBe(true);

    const { flow } = (await studio.visitor.json<any>(`/api/v1/flows/${studio.flowId}`)).body;
    const parser = flow.document.nodes.find(({ type }: { type: string }) => type === 'ParserComponent').id as string;
    const edit = { component_id: parser, field_name: 'pattern', new_value: '{words} words in notes.md' };
    script.push(intent('build_flow', 'edit'), call('propose_field_edit', edit), { text: 'Proposed.' });
    await send('change the text to `N words in notes.md`');
    const edits = page.getByRole('region', { name: 'Proposed changes' });
    await edits.getByRole('group', { name: 'Old and new value' }).focus();
    await page.keyboard.press('a');
    await edits.getByText('Applied').waitFor();
    const canvas = page.locator('.react-flow__node');
    await canvas.getByText('{words} words in notes.md').waitFor();
    script.push(intent('build_flow', 'edit'), call('undo_change', {}), { text: 'Undone.' });
    await send('undo that');
    await canvas.getByText('notes.md has {words} words').waitFor();
  });

  it('asks with choices, locks the canvas of this page meanwhile, and says that another client changed it', async () => {
    const { page, messages, send, shot, visitor, flowId, types } = await open({ source: CHAT });
    const toolbar = page.getByRole('toolbar', { name: 'Edit the flow' });
    await toolbar.waitFor();
    script.push(
      intent('build_flow', 'edit'),
      call('ask_user', { question: 'Which component?', choices: ['A date', 'A calculator'] }),
      call('add_component', { component_type: 'CurrentDate' }),
      { text: 'Added a date.' },
    );
    await send('add a component');
    const question = messages.getByRole('region', { name: 'Question' });
    await question.waitFor();
    await toolbar.waitFor({ state: 'detached' });
    await page.getByText('Locked here while the assistant works').waitFor();
    await shot('question');
    expect(await viewProblems(page)).toEqual([]);
    const edits = [{ kind: 'set_details', name: 'Renamed meanwhile' }];
    await change(visitor, 'POST', `/api/v1/flows/${flowId}/edits`, { base: 1, edits });
    await page.getByRole('heading', { name: 'Renamed meanwhile' }).waitFor();
    await question.getByRole('button', { name: 'A date' }).click();
    await messages.getByText('Added Current date').waitFor();
    await messages.getByText('The canvas was changed elsewhere meanwhile').waitFor();
    await toolbar.waitFor();
    await expect.poll(() => types()).toContain('CurrentDate');
    // One undo of the page takes the turn back, and leaves what the other client changed.
    await toolbar.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(types).not.toContain('CurrentDate');
    await page.getByRole('heading', { name: 'Renamed meanwhile' }).waitFor();
  });

  it('Plan proposal — Dismiss transitions to refining (not terminal)', async () => {
    const { page, field, messages, send, shot } = await open();
    script.push(intent('build_flow'), call('propose_plan', { plan: '1. Read a page\n2. Ask a model' }), {
      text: 'Shall I?',
    });
    await send('build me a scraper with an agent');
    const plan = messages.getByRole('region', { name: 'Plan' });
    await plan.getByRole('button', { name: 'Dismiss' }).click();
    await plan.getByText('Refining plan').waitFor();
    await expect.poll(() => field.getAttribute('placeholder')).toBe('Tell me what to change…');
    await shot('plan');
    expect(await viewProblems(page)).toEqual([]);
    expect(script).toEqual([]);
    script.push(intent('build_flow'), call('propose_plan', { plan: '1. Use Claude' }), { text: 'And now?' });
    await send('use Claude instead of GPT');
    await plan.nth(1).getByRole('button', { name: 'Continue' }).waitFor();
    expect(assistant.requests().at(-1)).toContain('[Previous plan you proposed');
    await plan.nth(0).getByText('Dismissed').waitFor();
    script.push(call('build_flow', { spec: CHAT }), { text: 'Built.' });
    await plan.nth(1).getByRole('button', { name: 'Continue' }).click();
    await plan.nth(1).getByText('Approved').waitFor();
    await page.getByTestId('assistant-flow-add-button').waitFor();
    expect(await messages.getByText('User approved the plan').count()).toBe(0);
  });

  it('asks before it does what the message did not ask for, and changes nothing without consent', async () => {
    const { page, messages, send, shot, types } = await open({ source: CHAT });
    const before = await types();
    const wants = () =>
      script.push(
        { text: '{"intent": "question", "scope": "read"}' },
        call('add_component', { component_type: 'CurrentDate' }),
        {
          text: 'It echoes.',
        },
      );
    wants();
    await send('what does this flow do?');
    const question = messages.getByRole('region', { name: 'Question' });
    await question
      .getByText('Your message did not ask for this. May I change the flow in this turn? First: “Adding CurrentDate”')
      .waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await shot('beyond');
    expect(await viewProblems(page)).toEqual([]);
    await question.getByRole('button', { name: 'Do not allow' }).click();
    await messages.getByText('Nothing was changed').waitFor();
    expect(await types()).toEqual(before);
    wants();
    await send('and what else does it do?');
    await question.getByRole('button', { name: 'Allow', exact: true }).click();
    await expect.poll(types).toEqual([...before, 'CurrentDate']);
  });

  it('draws an open plan on the canvas, changes nothing, and removes the drawing with the plan', async () => {
    const { page, messages, send, shot, types } = await open({ source: CHAT });
    const before = await types();
    const ghosts = page.getByRole('img', { name: 'Planned, not on the canvas: Text input, Text output' });
    const propose = async () => {
      const spec = 'nodes:\n  I: TextInput\n  O: TextOutput\nedges:\n  I.text -> O.input_value\n';
      script.push(intent('build_flow'), call('propose_plan', { plan: 'Repeat a text', spec }), { text: 'Shall I?' });
      await send('build me something large');
      await ghosts.waitFor();
    };
    await propose();
    await shot('plan-drawn');
    expect(await types()).toEqual(before);
    expect(await page.locator('.react-flow__node-component').count()).toBe(before.length);
    expect(await viewProblems(page)).toEqual([]);
    await page.reload();
    await ghosts.waitFor();
    const plan = messages.getByRole('region', { name: 'Plan' });
    await plan.getByRole('button', { name: 'Dismiss' }).click();
    await plan.getByText('Refining plan').waitFor();
    await ghosts.waitFor();
    await plan.getByRole('button', { name: 'Reset' }).click();
    await ghosts.waitFor({ state: 'detached' });
    await propose();
    script.push({ text: 'Built nothing.' }, { text: 'Built nothing.' }, { text: 'Built nothing.' });
    await messages.getByRole('region', { name: 'Plan' }).nth(1).getByRole('button', { name: 'Continue' }).click();
    await ghosts.waitFor({ state: 'detached' });
    expect(await types()).toEqual(before);
  });

  it('withholds Add with the reason where both flows have an input', async () => {
    const { page, messages, send, types, shot } = await open({ source: CHAT });
    script.push(intent('build_flow'), call('build_flow', { spec: CHAT.replace('Chat\n', 'Another chat\n') }), {
      text: 'Built.',
    });
    await send('build a new chat flow');
    await page.getByTestId('assistant-flow-replace-button').waitFor();
    await messages.getByText(/^It cannot be added beside the canvas. .*one place where a message comes in/).waitFor();
    expect(await page.getByTestId('assistant-flow-add-button').count()).toBe(0);
    await shot('withheld');
    const before = await types();
    await page.getByTestId('assistant-flow-replace-button').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Added to canvas').waitFor();
    expect(await types()).toEqual(before);
    await expect.poll(() => focused(page)).toBe('Message to the assistant');
  });

  it('shows a component that it wrote with its code, adds it to the canvas and saves it', async () => {
    const { page, messages, send, shot, types, visitor } = await open({ source: CHAT });
    script.push({ text: '{"intent": "generate_component"}' }, call('generate_component', { code: SHOUT }), {
      text: 'It shouts.',
    });
    await send('make a component that shouts');
    const card = messages.getByRole('region', { name: 'Component ShoutText' });
    await card.getByText('Code', { exact: true }).click();
    await card.getByText("label = 'Shout'").waitFor();
    await messages.getByText(/^Wrote component ShoutText/).waitFor();
    await shot('component');
    expect(await viewProblems(page)).toEqual([]);
    await card.getByRole('button', { name: 'Add to canvas' }).click();
    await page.locator('.react-flow__node[aria-label^="Shout"]').waitFor();
    await expect.poll(types).toEqual(['ChatInput', 'ChatOutput', 'ShoutText']);
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Saved').waitFor();
    const { body } = await visitor.json<{ origin: string }>('/api/v1/components/ShoutText');
    expect(body.origin).toBe('saved');
  });
});
