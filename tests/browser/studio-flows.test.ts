import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readsRows } from '../../apps/server/src/testing-flows.ts';
import { viewProblems } from './axe-problems.ts';
import { type OpenOptions, focused, type OpenStudio, until } from './open-studio.ts';
import { ADA, change } from './studio-servers.ts';
import { useStudio } from './use-studio.ts';

const opener = useStudio({ newUser: true, path: 'flows' });
let studio: OpenStudio;
let page: Page;

async function open(options: OpenOptions = {}) {
  studio = await opener.open(options);
  page = studio.page;
}

const button = (name: string | RegExp) => page.getByRole('button', { name });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
/** A component on the canvas, by the start of its name for screen readers. */
const node = (title: string) => page.locator(`.react-flow__node[aria-label^="${title}"]`);
const importFile = (name: string, text: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

describe('the page Flows', () => {
  it('makes a flow from a template, with its files, finds, duplicates, exports and deletes it', async () => {
    await open();
    await page.getByText('No flows yet').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await button('New flow').click();
    await button(/^Empty flow/).waitFor();
    await button(/^Find in files/).waitFor();
    const templates = await page
      .getByRole('dialog')
      .getByRole('listitem')
      .filter({ hasNotText: /Empty flow|Describe it/ })
      .all();
    expect(templates.length).toBeGreaterThan(12);
    for (const each of templates) expect(await each.locator('svg rect').count()).toBeGreaterThan(1);
    expect(await viewProblems(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Search templates' }).fill('find in files');
    await expect.poll(() => page.getByRole('dialog').getByRole('listitem').count()).toBeLessThan(5);
    expect(await viewProblems(page)).toEqual([]);
    await button(/^Find in files/).click();
    await heading('Find in files').waitFor();
    expect(studio.files.text('a.md')).toContain('TODO one');
    await link('Flows').click();
    await link('Find in files').waitFor();
    await button('Actions for Find in files').click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await link('Find in files (copy)').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Search flows' }).fill('no such name');
    await page.getByText('No flow has this name').waitFor();
    await page.getByRole('searchbox', { name: 'Search flows' }).fill('find in');
    await link('Find in files').waitFor();
    await page.getByRole('button', { name: 'Actions for Find in files', exact: true }).click();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('find-in-files.json');
    await page.getByRole('button', { name: 'Actions for Find in files', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('Deleted “Find in files”.').waitFor();
    await expect.poll(() => link('Find in files').count()).toBe(0);
    await button('Undo').click();
    await link('Find in files').waitFor();
    // Later, it is in the list of deleted flows.
    await page.getByRole('button', { name: 'Actions for Find in files', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.poll(() => link('Find in files').count()).toBe(0);
    await button('Recently deleted').click();
    await button('Restore Find in files').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await button('Restore Find in files').click();
    await page.getByText('Nothing is left to restore.').waitFor();
    await page.keyboard.press('Escape');
    await link('Find in files').waitFor();
  });

  it('does not show a flow that is being deleted, and asks for nothing of it', async () => {
    const held: (() => void)[] = [];
    const hold = () => new Promise<void>((resolve) => held.push(resolve));
    await open();
    await page.getByText('No flows yet').waitFor();
    await page.route(/\/api\/v1\/flows\/[^/?]+$/, async (route) => {
      // The drawing of the row and its deletion stay under way until a later list has arrived.
      await hold();
      await route.continue().catch(() => undefined);
    });
    await change(studio.visitor, 'POST', '/api/v1/flows', { name: 'Going' });
    await button('Actions for Going').click();
    await expect.poll(() => held.length).toBe(1);
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.poll(() => held.length).toBe(2);
    await change(studio.visitor, 'POST', '/api/v1/flows', { name: 'Added meanwhile' });
    await link('Added meanwhile').waitFor();
    expect(await link('Going').count()).toBe(0);
    held[1]?.();
    await page.getByText('Deleted “Going”.').waitFor();
    for (const release of held) release();
    await button('Undo').click();
    await link('Going').waitFor();
  });

  it('offers the assistant first, and opens an empty flow that was not changed instead of another one', async () => {
    await open();
    await button('Describe it to the assistant').click();
    const message = page.getByRole('textbox', { name: 'Message to the assistant' });
    await message.waitFor();
    await expect.poll(() => focused(page)).toBe('Message to the assistant');
    const first = page.url();
    await page.getByText('This flow has no components yet').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await button('Close the assistant').click();
    await message.waitFor({ state: 'hidden' });
    await button('Describe it to the assistant').click();
    await message.waitFor();
    await link('Flows').click();
    await button('New flow').click();
    await button(/^Empty flow/).click();
    await page.getByText('This flow has no components yet').waitFor();
    expect(page.url()).toBe(first);
    const id = first.split('/').at(-1);
    const edits = [{ kind: 'set_details', description: 'Changed.' }];
    await change(studio.visitor, 'POST', `/api/v1/flows/${id}/edits`, { base: 1, edits });
    await link('Flows').click();
    await button('New flow').click();
    await button(/^Describe it/).click();
    await message.waitFor();
    expect(page.url()).not.toBe(first);
  });

  it('renames a flow in the list and on the canvas, where it can be undone', async () => {
    await open();
    await page.getByText('No flows yet').waitFor();
    await change(studio.visitor, 'POST', '/api/v1/flows', { template: 'word-count' });
    await button('Actions for Word count').click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill(' ');
    await page.getByText('A flow needs a name.').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await name.fill('Counts words');
    await page.getByRole('textbox', { name: 'Description' }).fill('For the newsletter');
    await page.keyboard.press('Enter');
    await link('Counts words').waitFor();
    await page.getByText('For the newsletter').waitFor();
    const rail = async () => (await page.getByRole('banner').boundingBox())?.width ?? 0;
    expect(await rail()).toBeGreaterThan(150);
    await link('Counts words').click();
    // The canvas has the width that the names of the pages would take.
    await node('Chat input').waitFor();
    expect(await rail()).toBeLessThan(60);
    await button('Rename the flow').click();
    await page.keyboard.type('Word counter');
    await page.keyboard.press('Enter');
    await heading('Word counter').waitFor();
    await expect.poll(() => focused(page)).toBe('Rename the flow');
    await node('Chat input').focus();
    await page.keyboard.press('Control+z');
    await heading('Counts words').waitFor();
  });

  it('imports a file, and lists what was not mapped', async () => {
    await open();
    await page.getByText('No flows yet').waitFor();
    studio.expectComplaint(/status of 400/);
    await importFile('broken.yaml', 'nodes: nothing');
    await page.getByText(/broken\.yaml was not imported\. ./).waitFor();
    const odd = { id: 'Odd-1', type: 'NoSuchComponent', node: { template: {}, display_name: 'Odd' } };
    const data = {
      nodes: [{ id: 'Odd-1', type: 'genericNode', position: { x: 0, y: 0 }, data: odd }],
      edges: [],
    };
    await importFile('from-langflow.json', JSON.stringify({ name: 'From Langflow', data }));
    const findings = page.getByRole('dialog', { name: /^Imported “From Langflow”/ });
    await findings
      .getByText(/NoSuchComponent/)
      .first()
      .waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await findings.getByRole('button', { name: 'Open flow' }).click();
    await heading('From Langflow').waitFor();
    await page.locator('.react-flow__node').getByText('This server has no such component').waitFor();
    await page.getByText('One component prevents a run:').waitFor();
    await expect.poll(() => button(/^Run$/).isDisabled()).toBe(true);
  });

  it('follows changes of other clients, and says when a flow is gone', async () => {
    await open();
    await page.getByText('No flows yet').waitFor();
    const { flow } = (await change(studio.visitor, 'POST', '/api/v1/flows', { name: 'From a script' })) as {
      flow: { id: string };
    };
    await link('From a script').click();
    await heading('From a script').waitFor();
    const edits = [{ kind: 'set_details', name: 'Renamed by a script' }];
    await change(studio.visitor, 'POST', `/api/v1/flows/${flow.id}/edits`, { base: 1, edits });
    await heading('Renamed by a script').waitFor();
    studio.expectComplaint(/status of 404/);
    await change(studio.visitor, 'DELETE', `/api/v1/flows/${flow.id}`, {});
    await page.reload();
    await heading('This flow cannot be shown').waitFor();
  });
});

/** Fails: the file does not exist. */
const READS_A_FILE = readsRows('{name}', 'missing.csv');

interface StoredFlow {
  readonly flow: { readonly id: string; readonly version: number; readonly document: { readonly nodes: StoredNode[] } };
}
interface StoredNode {
  readonly values: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly type: string;
  readonly position: { readonly x: number; readonly y: number };
}

/** Opens the page of a flow that is made from its text form. */
async function openFlow(source: string): Promise<StoredFlow['flow']> {
  await open();
  await page.getByText('No flows yet').waitFor();
  const { flow } = (await change(studio.visitor, 'POST', '/api/v1/flows/import', { source })) as StoredFlow;
  await page.getByRole('region', { name: 'Flows' }).getByRole('link').click();
  await node('Parser').waitFor();
  return flow;
}

const focusedLabel = () => page.evaluate("document.activeElement.labels?.[0]?.textContent ?? ''");
const edit = (flow: StoredFlow['flow'], ...edits: object[]) =>
  change(studio.visitor, 'POST', `/api/v1/flows/${flow.id}/edits`, { base: flow.version, edits });

describe('the page of a flow', () => {
  it('runs a template without a key in four clicks, and shows states, result and cost', async () => {
    await open();
    await button('New flow').click();
    await button(/^Chat /).click();
    await button(/^Run$/).click();
    await page
      .getByRole('region', { name: 'Result' })
      .filter({ hasText: /good morning/i })
      .waitFor();
    await page.getByText(/^Took .*tokens in/).waitFor();
    await expect.poll(() => page.locator('.react-flow__node').getByText(/^Done/).count()).toBe(3);
    await expect.poll(() => page.getByRole('region', { name: 'Outline' }).getByText('Done').count()).toBe(3);
    await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(2);
    expect(await viewProblems(page)).toEqual([]);
  });

  it('shows an error at its component, with the fix, and leads to it', async () => {
    await openFlow(READS_A_FILE);
    await button(/^Run$/).click();
    const alert = page.getByRole('alert').filter({ hasText: 'CSV, JSON, YAML' });
    await alert
      .getByText(/missing\.csv/)
      .first()
      .waitFor();
    await node('CSV').getByText('Failed').waitFor();
    await node('CSV')
      .getByText(/missing\.csv/)
      .last()
      .waitFor();
    await node('Chat output').getByText('Skipped').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await alert.getByRole('button', { name: 'Show CSV, JSON, YAML' }).click();
    await until(page, "document.activeElement.getAttribute('aria-label').startsWith('CSV')");
    await page.getByRole('tab', { name: 'Component', selected: true }).waitFor();
    await page.getByRole('tabpanel', { name: 'Component' }).getByRole('textbox', { name: 'Name' }).waitFor();
  });

  it('follows a run again after the page was left, and stops it', async () => {
    const flow = await openFlow(READS_A_FILE);
    const reader = flow.document.nodes.find(({ type }) => type === 'ReadData') as StoredNode;
    await edit(flow, { kind: 'set_run_options', id: reader.id, run: { retry: { attempts: 1, delayMs: 600_000 } } });
    await button(/^Run$/).click();
    await node('CSV')
      .getByText(/^Attempt 2, after/)
      .waitFor();
    await page.getByRole('link', { name: 'All flows' }).click();
    await page.getByRole('region', { name: 'Flows' }).getByRole('link').click();
    await node('CSV')
      .getByText(/^Attempt 2, after/)
      .waitFor();
    await node('Parser').getByText('Waiting').waitFor();
    await button('Stop').click();
    await page.getByText('Stopped', { exact: true }).waitFor();
    await button(/^Run$/).waitFor();
  });

  it('looks for the end of a run whose events another server has', async () => {
    await openFlow(READS_A_FILE);
    studio.expectComplaint(/status of 404/);
    await studio.refuse(/\/api\/v1\/runs\/[^/]+\/events/, 404, 'not_found');
    let looks = 0;
    await page.route(/\/api\/v1\/runs\/[^/?]+$/, async (route) => {
      const response = await route.fetch();
      const { run } = (await response.json()) as { run: object };
      looks += 1;
      await route.fulfill({
        json: { run: looks === 1 ? { ...run, status: 'running', failure: null, metrics: null } : run },
      });
    });
    await button(/^Run$/).click();
    await page.getByText('Running', { exact: true }).first().waitFor();
    await page.getByRole('region', { name: 'Run', exact: true }).getByText('Failed').first().waitFor();
    expect(looks).toBe(2);
  });

  it('moves a component by keyboard and by mouse, and keeps moves while the server does not answer', async () => {
    const flow = await openFlow(READS_A_FILE);
    const parser = flow.document.nodes.find(({ type }) => type === 'ParserComponent') as StoredNode;
    const stored = async () => {
      const { body } = await studio.visitor.json<StoredFlow>(`/api/v1/flows/${flow.id}`);
      return body.flow.document.nodes.find(({ id }) => id === parser.id)?.position;
    };
    await node('Parser').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await stored())?.y).toBeGreaterThan(parser.position.y);
    await page.getByText('Saved', { exact: true }).waitFor();
    studio.expectComplaint(/status of 503|ERR_FAILED/);
    const answers = await studio.refuse(/\/edits$/, 503, 'database_down');
    const { x, y } = (await node('Parser').boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 20, y + 12);
    await page.mouse.down();
    await page.mouse.move(x + 60, y - 80, { steps: 4 });
    await page.mouse.up();
    await page.getByText(/^Not saved yet/).waitFor();
    await answers();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await stored())?.y).toBeLessThan(parser.position.y);
  });
});

describe('a session that ends while a flow is edited', () => {
  async function signInAgain(): Promise<void> {
    await heading('Sign in').waitFor();
    await page.getByLabel('Email or name').fill(studio.login);
    await page.getByRole('textbox', { name: 'Password' }).fill(ADA.password);
    await page.keyboard.press('Enter');
  }
  const storedNotes = async ({ id }: { id: string }) =>
    (await studio.visitor.json<any>(`/api/v1/flows/${id}`)).body.flow.document.notes as object[];
  const noteField = () => page.getByRole('textbox', { name: /^Text of the note/ });

  it('asks to sign in, and sends the edits afterwards', async () => {
    const flow = await openFlow(READS_A_FILE);
    studio.expectComplaint(/status of 401/);
    await page.keyboard.press('n');
    await noteField().fill('Written after the session');
    await page.context().clearCookies();
    await page.keyboard.press('Escape');
    await signInAgain();
    await page.locator('.react-flow__node').getByText('Written after the session').waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await storedNotes(flow)).toMatchObject([{ text: 'Written after the session' }]);
  });

  it('keeps a text that is being written', async () => {
    const flow = await openFlow(READS_A_FILE);
    studio.expectComplaint(/status of 401/);
    let answer = () => {};
    const written = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/edits$/, async (route) => {
      await written;
      await route.continue();
    });
    await page.keyboard.press('n');
    await noteField().fill('Half a sent');
    await page.context().clearCookies();
    answer();
    await signInAgain();
    await page.locator('.react-flow__node').getByText('Half a sent').waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await storedNotes(flow)).toMatchObject([{ text: 'Half a sent' }]);
  });
});

describe('the inspector of a component', () => {
  it('changes name and fields, marks and leads to problems, sets up a provider, runs up to a component', async () => {
    const flow = await openFlow(ASKS_A_MODEL);
    const panel = page.getByRole('tabpanel', { name: 'Component' });
    const field = (name: string) => panel.getByLabel(name);
    const stored = async (type: string) => {
      const { body } = await studio.visitor.json<StoredFlow>(`/api/v1/flows/${flow.id}`);
      return body.flow.document.nodes.find((each) => each.type === type);
    };
    // A problem leads to its field.
    await page.getByRole('tab', { name: /^Problems/ }).click();
    expect(await viewProblems(page)).toEqual([]);
    await button(/^Warning: CSV, JSON, YAML needs a value for 'File'/).click();
    await expect.poll(() => focusedLabel()).toBe('File (required)');
    await page.keyboard.type('harvest.csv');
    await expect.poll(async () => (await stored('ReadData'))?.values['path']).toBe('harvest.csv');
    await page.getByRole('tab', { name: /^Problems/ }).click();
    await button(/^Error: Parser needs/).waitFor();
    expect(await button(/needs a value for 'File'/).count()).toBe(0);
    // A name in braces becomes an input.
    // The view shows the component of the problem only.
    await button('Fit the view').click();
    await node('Prompt template').click();
    await field('Template (required)').fill('Say {word} and {other}');
    await panel.getByText('not connected').waitFor();
    // Enter commits a name; the canvas shows it.
    await field('Name').fill('Greeting');
    await page.keyboard.press('Enter');
    await node('Greeting').waitFor();
    await panel.getByRole('button', { name: 'Run up to here' }).click();
    await panel
      .getByRole('region', { name: /^Result/ })
      .filter({ hasText: 'Say hello and {other}' })
      .waitFor();
    // A provider that is not ready is set up in place. Its key is not shown again.
    await node('Language model').click();
    await panel.getByRole('combobox', { name: 'Language model', exact: true }).selectOption('OpenAI');
    await panel.getByRole('region', { name: 'Set up OpenAI' }).getByLabel('OPENAI_API_KEY').fill('sk-canary-of-a-test');
    expect(await viewProblems(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Save', exact: true }).click();
    await panel.getByText('OpenAI is ready').waitFor();
    expect(await page.content()).not.toContain('sk-canary');
    await expect.poll(async () => (await stored('LanguageModelComponent'))?.values['model']).toBe('OpenAI');
    await panel.getByRole('button', { name: 'Reset Language model to its default' }).click();
    await expect.poll(async () => (await stored('LanguageModelComponent'))?.values['model']).toBeUndefined();
    // A problem of code is shown at its line.
    await node('TypeScript code').click();
    studio.expectComplaint(/status of 422/);
    await panel.getByRole('textbox', { name: 'Code' }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(WRONG_IN_LINE_4);
    await panel.getByRole('button', { name: 'Line 4' }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await expect.poll(() => panel.locator('.cm-problem').textContent()).toContain('boom');
    // On a phone the component is a sheet.
    await page.setViewportSize({ width: 360, height: 740 });
    await button('Close the component').click();
    await button(/^Run$/).waitFor();
  });
});

/** The method returns nothing. */
const WRONG_IN_LINE_4 = `export class Fails extends Component {
  inputs = [];
  outputs = [{ name: 'result', types: ['Message'], method: 'go' }];
  go() { throw new Error('boom'); }
}`;
/** Two components are not complete. */
const ASKS_A_MODEL = `name: Asks a model
nodes:
  T: TextInput
  G: PromptTemplate
  M: LanguageModelComponent
  R: ReadData
  P: ParserComponent
  C: TypeScriptCode
  O: ChatOutput
edges:
  T.text -> G.word
  G.prompt -> M.input_value
  M.text_output -> O.input_value
config:
  T.input_value: hello
  G.template: Say {word}
`;

/** Has no file yet, and asks a person. */
const ASKS_FIRST = `name: Asks first
nodes:
  R: File
  P: ParserComponent
  H: HumanApproval
  O: ChatOutput
edges:
  R.message -> H.value
  H.approved -> P.input_data
  P.parsed_text -> O.input_value
`;

describe('the result of a component', () => {
  it('is a table where it has rows, and is used again where the component is frozen', async () => {
    await openFlow(READS_A_FILE);
    studio.files.write('missing.csv', 'name,beans\nAda,20\n');
    const run = async () => {
      await page.getByRole('tab', { name: 'Run' }).click();
      await button(/^Run$/).click();
      await page.getByRole('region', { name: 'Run', exact: true }).getByText('Done').first().waitFor();
    };
    await run();
    await node('CSV').click();
    const panel = page.getByRole('tabpanel', { name: 'Component' });
    await panel.getByRole('table').getByRole('cell', { name: '20' }).waitFor();
    await panel.getByText('Run options').click();
    await panel.getByRole('switch', { name: /^Freeze/ }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await run();
    studio.files.write('missing.csv', 'name,beans\nAda,21\n');
    await run();
    await node('CSV').getByText('Reused').waitFor();
    await page.getByRole('tab', { name: 'Component' }).click();
    await panel.getByRole('cell', { name: '20' }).waitFor();
  });
});

describe('the files of a component', () => {
  it('are pictures where the workspace has pictures, and links in any case', async () => {
    const names = ['a.png', 'gone.png', 'notes.txt'];
    await openFlow(`name: Pictures
nodes:
  F: FileInput
  P: ParserComponent
edges:
  F.files -> P.input_data
config:
  F.input_value: ${JSON.stringify(names)}
  P.pattern: "{path}"
`);
    for (const name of names) studio.files.write(name, name === 'a.png' ? PIXEL : 'no picture');
    await button(/^Run$/).click();
    await node('Parser').getByText('Done').waitFor();
    await node('File input').click();
    const panel = page.getByRole('tabpanel', { name: 'Component' });
    const picture = panel.getByRole('img', { name: 'Picture a.png' }).first();
    await picture.waitFor();
    await until(page, `document.querySelector('img[alt="Picture a.png"]').naturalWidth === 1`);
    await expect.poll(() => panel.getByRole('img', { name: 'Picture gone.png' }).count()).toBe(0);
    await panel.getByRole('link', { name: 'notes.txt' }).first().waitFor();
    expect(await viewProblems(page)).toEqual([]);
  });
});

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a run from a component on', () => {
  it('uses the results of the run before, from the inspector and from the buttons at the component', async () => {
    await openFlow(`${READS_A_FILE}  P.pattern: "{name} has {beans}"\n`);
    studio.files.write('missing.csv', 'name,beans\nAda,20\n');
    const panel = page.getByRole('tabpanel', { name: 'Component' });
    const again = panel.getByRole('button', { name: 'Run from here' });
    await node('Parser').click();
    await panel.getByRole('button', { name: 'Run up to here' }).waitFor();
    expect(await again.count()).toBe(0);
    await page.getByRole('tab', { name: 'Run' }).click();
    await button(/^Run$/).click();
    const isDone = () => node('Chat output').getByText('Done').waitFor();
    await isDone();
    // The reader does not run again, so it keeps the old value.
    studio.files.write('missing.csv', 'name,beans\nAda,21\n');
    await page.getByRole('tab', { name: 'Component' }).click();
    expect(await viewProblems(page)).toEqual([]);
    await again.click();
    await node('CSV').getByText('Reused').waitFor();
    await isDone();
    await node('Parser').getByText('Ada has 20').waitFor();
    // A changed field counts for a component before the one that runs.
    await node('Chat output').click();
    await page.locator('.react-flow__node-toolbar').getByRole('button', { name: 'Run from here' }).click();
    await node('Parser').getByText('Reused').waitFor();
    await isDone();
    await node('CSV').click();
    await again.click();
    await node('Parser').getByText('Ada has 21').waitFor();
  });

  it('starts after a reload with the latest stored run, from the command palette too, or says why not', async () => {
    await openFlow(`${READS_A_FILE}  P.pattern: "{name} has {beans}"\n`);
    studio.files.write('missing.csv', 'name,beans\nAda,20\n');
    const panel = page.getByRole('tabpanel', { name: 'Component' });
    const pick = async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search commands and components' }).fill('run from here');
      await page.getByRole('option', { name: /^Run from here/ }).click();
    };
    await node('Parser').click();
    await panel.getByRole('button', { name: 'Run up to here' }).waitFor();
    await pick();
    await page.getByText('Run the whole flow once first').waitFor();
    await page.getByRole('tab', { name: 'Run' }).click();
    await button(/^Run$/).click();
    await node('Chat output').getByText('Done').waitFor();
    await page.reload();
    await node('Parser').click();
    await panel.getByRole('button', { name: 'Run from here' }).click();
    await node('CSV').getByText('Reused').waitFor();
    await node('Parser').getByText('Ada has 20').waitFor();
    studio.files.write('missing.csv', 'name,beans\nAda,21\n');
    await page.reload();
    await node('CSV').click();
    await panel.getByRole('button', { name: 'Run from here' }).waitFor();
    await pick();
    await node('Parser').getByText('Ada has 21').waitFor();
  });
});

describe('a run that needs a file and an approval', () => {
  it('takes a file from the dialog, waits on node and panel, also after a reload, and continues', async () => {
    await openFlow(ASKS_FIRST);
    await button('Choose a file').click();
    const dialog = page.getByRole('dialog', { name: 'Choose a file' });
    await dialog.getByRole('button', { name: /^projects/ }).click();
    await dialog.getByRole('button', { name: /^rotation/ }).click();
    await dialog.getByRole('button', { name: /^notes\.md/ }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: /^notes\.md/ }).click();
    await expect.poll(() => page.getByLabel(/: File$/).inputValue()).toBe('projects/rotation/notes.md');
    await button(/^Run$/).click();
    await node('Human approval').getByRole('button', { name: 'Approve' }).waitFor();
    const panel = page.getByRole('region', { name: 'Human approval waits for you' });
    await panel.getByText('Four beds').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await page.reload();
    await node('Human approval').getByText('Waits for you').waitFor();
    await panel.getByLabel(/^Comment/).fill('looks right');
    await panel.getByRole('button', { name: 'Approve' }).click();
    await page
      .getByRole('region', { name: 'Result' })
      .filter({ hasText: /Four beds/ })
      .waitFor();
    expect(await panel.count()).toBe(0);
    await link('All flows').click();
    await page.getByText(/^Ran /).waitFor();
    await page.locator('li svg rect').first().waitFor();
    expect(await viewProblems(page)).toEqual([]);
  });
});
