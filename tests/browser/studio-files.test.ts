import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeProblems } from './axe-problems.ts';
import { focused, type OpenOptions, type OpenStudio, until } from './open-studio.ts';
import { change, filesIn, TRASH_BYTES } from './studio-servers.ts';
import { useStudio } from './use-studio.ts';

const opener = useStudio();
let studio: OpenStudio;
let page: Page;

async function open(options: OpenOptions = {}) {
  studio = await opener.open(options);
  page = studio.page;
}

const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const upload = (...files: { name: string; text: string }[]) =>
  page
    .locator('input[type=file]')
    .setInputFiles(files.map(({ name, text }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })));
/** Drags files and folders of this machine onto the page. */
async function dropOnFiles(files: string[]) {
  const { x, y, width, height } = (await page.getByRole('grid').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const at = { x: x + width / 2, y: y + height / 2, data: { items: [], files, dragOperationsMask: 1 } };
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at });
}
const has = (path: string) => studio.files.has(path);
const text = (path: string) => studio.files.text(path);
/** Chooses who sees the shared folder, which then has one file. */
async function share(mode: 'read' | 'off') {
  await change(studio.visitor, 'PUT', '/api/v1/shared-mount', { mode });
  if (mode === 'read')
    filesIn(join(studio.server.baseDir, 'workspaces/shared')).write('house-rules.md', '# House rules');
}

describe('the page Files', () => {
  it('walks into folders and back', async () => {
    await open();
    await row('projects').click();
    await page.getByRole('link', { name: 'rotation' }).click();
    await row('plan.ts').waitFor();
    expect(page.url()).toContain('/files?dir=projects%2Frotation');
    const crumbs = page.getByRole('navigation', { name: 'Folders' });
    await expect.poll(() => crumbs.getByRole('listitem').allTextContents()).toEqual(['Files', 'projects', 'rotation']);
    await crumbs.getByRole('link', { name: 'Files' }).click();
    await row('README.md').waitFor();
    await page.goBack();
    await row('plan.ts').waitFor();
  });

  it('says who sees the files, and shows a mount as a folder that stays where it is', async () => {
    await open();
    await page.getByText('Only you and your agents see these files.').waitFor();
    await share('read');
    studio.files.write('shared', 'hidden');
    await page.reload();
    await page.getByText('Other users see only shared/.').waitFor();
    await page.getByText('Another entry called “shared” is hidden').waitFor();
    await page.getByText('All users, read-only').waitFor();
    await page.getByRole('button', { name: 'Actions for shared' }).click();
    await page.getByRole('menuitem', { name: 'Open' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Open' }).click();
    await row('house-rules.md').waitFor();
    await page.getByText('These files are read-only here.').waitFor();
    expect(await page.getByRole('button', { name: 'Upload', exact: true }).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Select house-rules.md' }).check();
    await page.keyboard.press('Delete');
    await page.getByText('1 selected').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    expect(await axeProblems(page)).toEqual([]);
    // The page may list the directory once more, where there is only the file of that name.
    studio.expectComplaint(/status of 409/);
    await share('off');
  });

  it('shows text with numbers, documents, pictures, and offers the rest for download', async () => {
    await open();
    await row('field-notes.txt').click();
    const pane = page.getByRole('region', { name: /^Preview of/ });
    await pane.getByText('400 beans in row 20').waitFor();
    await expect.poll(() => pane.locator('pre').first().textContent()).toMatch(/^1\n2\n3\n/);
    await row('README.md').click();
    await pane.getByRole('heading', { name: 'The croft' }).waitFor();
    const plan = pane.getByRole('img', { name: 'The plan of the garden' });
    const width = () => plan.evaluate((img: unknown) => (img as { naturalWidth: number }).naturalWidth);
    // Images load after the document.
    await expect.poll(width).toBe(320);
    await expect.poll(() => pane.getByRole('checkbox').count()).toBe(3);
    // Markup in a document is not markup of ours.
    expect([await page.title(), await page.locator('img[src*=invalid], main script').count()]).toEqual([
      'Files · Croft',
      0,
    ]);
    await pane.getByRole('tab', { name: 'Source' }).click();
    await pane.getByText("<script>document.title = 'taken'</script>").waitFor();
    await pane.getByRole('tab', { name: 'Read' }).click();
    await pane.getByRole('link', { name: 'the rotation plan' }).click();
    await pane.getByText('export const rotation').waitFor();
    const lines = 'Line\n\n'.repeat(200);
    studio.files.write('long.md', `[To part 2](#part-2)\n\n${lines}# Part 2\n\n${lines}`);
    await page.goto(`${studio.url}files?file=long.md`);
    await pane.getByRole('link', { name: 'To part 2' }).waitFor();
    // A long document leaves the tabs their height.
    expect((await pane.getByRole('tablist').boundingBox())?.height).toBeGreaterThan(30);
    await pane.getByRole('link', { name: 'To part 2' }).click();
    const part = pane.getByRole('heading', { name: 'Part 2' });
    await expect.poll(async () => (await part.boundingBox())?.y ?? Number.NaN).toBeLessThan(300);
    await page.goto(`${studio.url}files?file=garden-plan.png`);
    await page.getByRole('img', { name: 'garden-plan.png' }).waitFor();
    await page.goto(`${studio.url}files?file=seeds.bin`);
    await page.getByText('There is no preview of this kind of file.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('seeds.bin');
    await page.getByRole('button', { name: 'Close the preview' }).click();
    await page.getByRole('heading', { name: 'seeds.bin' }).waitFor({ state: 'detached' });
  });

  it('uploads by button and by drop, and asks before it replaces', async () => {
    await open();
    studio.expectComplaint(/status of 409/);
    await row('README.md').waitFor();
    await upload({ name: 'new.txt', text: 'new' }, { name: 'harvest.csv', text: 'other' });
    const question = page.getByRole('dialog');
    await question.getByText('“harvest.csv” is already there').waitFor();
    await question.getByRole('button', { name: 'Keep both' }).click();
    await row('harvest (2).csv').waitFor();
    await row('new.txt').waitFor();
    // An event shows the row before the server has answered; files that are added until then belong to this batch.
    await page.getByText('2 uploaded').waitFor();
    await upload({ name: 'harvest.csv', text: 'replaced' });
    await question.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('1 uploaded').waitFor();
    expect(text('harvest.csv')).toBe('replaced');
    const dropped = await page.evaluateHandle(
      "(() => { const data = new DataTransfer(); data.items.add(new File(['dropped'], 'dropped.txt')); return data; })()",
    );
    await page.getByRole('grid').dispatchEvent('dragenter', { dataTransfer: dropped });
    await page.getByText('Drop to upload to Files').waitFor();
    await page.getByRole('grid').dispatchEvent('drop', { dataTransfer: dropped });
    await row('dropped.txt').waitFor();
    expect(text('dropped.txt')).toBe('dropped');
  });

  it('uploads whole folders by drop and by button, with their structure, and asks once for all that is there', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'croft-drop-'));
    try {
      mkdirSync(join(dir, 'trip/day two/empty'), { recursive: true });
      for (let i = 0; i < 105; i++) writeFileSync(join(dir, `trip/day two/${i}.txt`), `picture ${i}`);
      writeFileSync(join(dir, 'trip/plan.md'), 'plan');
      await open();
      studio.expectComplaint(/status of 409/);
      await row('README.md').waitFor();
      await dropOnFiles([join(dir, 'trip'), join(dir, 'trip/plan.md')]);
      await page.getByText('108 uploaded').waitFor();
      await row('trip').click();
      await row('plan.md').waitFor();
      await row('day two').waitFor();
      expect(text('trip/day two/104.txt')).toBe('picture 104');
      expect([has('trip/day two/empty'), has('plan.md')]).toEqual([true, true]);
      await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Files' }).click();
      writeFileSync(join(dir, 'trip/plan.md'), 'another plan');
      for (let i = 2; i < 105; i++) rmSync(join(dir, `trip/day two/${i}.txt`));
      const [dialog] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Upload folder' }).click(),
      ]);
      await dialog.setFiles(join(dir, 'trip'));
      const question = page.getByRole('dialog');
      await question.getByText(/In trip/).waitFor();
      await question.getByRole('checkbox').check();
      await question.getByRole('button', { name: 'Replace' }).click();
      await page.getByText('3 uploaded').waitFor();
      expect(text('trip/plan.md')).toBe('another plan');
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('stops a folder that is on its way, and says once that there is no room', async () => {
    await open();
    studio.expectComplaint(/status of (409|507)/);
    await row('README.md').waitFor();
    await page.route('**/api/v1/files/content**', async (route) => {
      if (route.request().url().includes('slow')) return;
      await route.continue();
    });
    await upload(...Array.from({ length: 80 }, (_, i) => ({ name: `slow-${i}.txt`, text: 'slow' })));
    await page.getByText('Uploading 80 of 80').waitFor();
    await expect.poll(() => page.getByRole('progressbar', { name: 'All uploads' }).count()).toBe(1);
    await page.getByText('and 20 more').waitFor();
    await page.getByRole('button', { name: 'Cancel all' }).click();
    await page.getByText('0 uploaded').waitFor();
    const accept = await studio.refuse(/files\/content/, 507, 'quota_exceeded', 'PUT');
    await upload(...Array.from({ length: 9 }, (_, i) => ({ name: `large-${i}.txt`, text: 'x'.repeat(100) })));
    await page.getByText('9 not uploaded').waitFor();
    await accept();
    await page.getByRole('button', { name: 'Try all again' }).click();
    await page.getByText('9 uploaded').waitFor();
    await row('large-8.txt').waitFor();
  });

  it('shows invisible characters of a name everywhere, and keeps the reading direction of the text around it', async () => {
    const tricky = 'photo\u202Egpj.exe';
    await open({ files: { [tricky]: Buffer.from([0, 1]), 'שלום.txt': 'peace' } });
    studio.expectComplaint(/status of 409/);
    const shown = 'photoU+202Egpj.exe';
    await row(shown).click();
    await page.getByRole('heading', { name: shown }).waitFor();
    await page.getByRole('region', { name: 'Preview of photo[U+202E]gpj.exe' }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close the preview' }).click();
    await upload({ name: tricky, text: 'x' });
    await page.getByRole('dialog', { name: `“${shown}” is already there` }).waitFor();
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('button', { name: 'Actions for photo[U+202E]gpj.exe' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: `Rename “${shown}”` }).waitFor();
    await page.getByText(`The name contains invisible characters: ${shown}`).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('photo.exe');
    await page.getByText('The name contains invisible characters').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('searchbox').fill('photo');
    await page.getByRole('link', { name: shown }).waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.getByRole('button', { name: 'Actions for photo[U+202E]gpj.exe' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText(`Deleted “${shown}”.`).waitFor();
    expect(await page.evaluate("document.body.innerText.includes('\u202E')")).toBe(false);
    const name = page.getByText('שלום.txt');
    await expect.poll(() => name.evaluate((node: unknown) => (node as { tagName: string }).tagName)).toBe('BDI');
  });

  it('shows how far an upload is, stops it when asked, and says why one failed', async () => {
    await open();
    studio.expectComplaint(/status of 507/);
    await row('README.md').waitFor();
    const held = page.route('**/api/v1/files/content**', async (route) => {
      if (route.request().url().includes('slow')) return;
      await route.continue();
    });
    await held;
    await upload({ name: 'slow.txt', text: 'slow' });
    await page.getByRole('progressbar', { name: 'Uploading slow.txt' }).waitFor();
    await page.getByRole('button', { name: 'Cancel slow.txt' }).click();
    await page.getByText('Cancelled').waitFor();
    expect(has('slow.txt')).toBe(false);
    const accept = await studio.refuse(/files\/content/, 507, 'quota_exceeded', 'PUT');
    await upload({ name: 'large.txt', text: 'x'.repeat(100) });
    await page.getByText('The test refuses this request.').waitFor();
    await accept();
    await page.getByRole('button', { name: 'Try large.txt again' }).click();
    await row('large.txt').waitFor();
  });

  it('makes folders, renames, and says what is wrong with a name', async () => {
    await open();
    studio.expectComplaint(/status of 409/);
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('a/b');
    await page.keyboard.press('Enter');
    await page.getByText('A name cannot contain a slash.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('seedlings');
    await page.keyboard.press('Enter');
    await row('seedlings').waitFor();
    await page.getByRole('button', { name: 'Actions for harvest.csv' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await expect.poll(() => page.evaluate('getSelection().toString()')).toBe('harvest');
    await page.keyboard.type('README');
    await page.getByRole('textbox', { name: 'Name' }).fill('README.md');
    await page.keyboard.press('Enter');
    await page.getByText('This name is taken. Choose another.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('yield.csv');
    await page.keyboard.press('Enter');
    await row('yield.csv').waitFor();
    expect(await row('harvest.csv').count()).toBe(0);
  });

  it('makes text files, and says when a name is taken', async () => {
    await open();
    studio.expectComplaint(/status of 409/);
    await page.getByRole('button', { name: 'New file' }).click();
    await page.getByRole('dialog', { name: 'New text file' }).waitFor();
    await expect.poll(() => page.evaluate('getSelection().toString()')).toBe('notes');
    await page.getByRole('textbox', { name: 'Name' }).fill('README.md');
    await page.getByRole('textbox', { name: 'Text' }).fill('# Seeds\n\nBeans first.');
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create file' }).click();
    await page.getByText('This name is taken. Choose another.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('seeds.md');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Seeds', exact: true }).waitFor();
    await row('seeds.md').waitFor();
    expect(text('seeds.md')).toBe('# Seeds\n\nBeans first.');
  });

  it('edits a text, asks where the file was changed meanwhile, and takes a saved text back', async () => {
    await open({ files: { 'diary.txt': 'one\r\ntwo\r\n' } });
    studio.expectComplaint(/status of 409/);
    const edit = async () => {
      await button('Actions for diary.txt').click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Text of diary.txt' }).click();
    };
    const type = async (line: string) => {
      await page.keyboard.press('Control+Home');
      await page.keyboard.insertText(`${line}\n`);
    };
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const dialog = page.getByRole('dialog', { name: 'Edit “diary.txt”' });
    await edit();
    expect(await axeProblems(page)).toEqual([]);
    await type('zero');
    await page.keyboard.press('Control+s');
    await dialog.waitFor({ state: 'detached' });
    expect(text('diary.txt')).toBe('zero\r\none\r\ntwo\r\n');
    await page.getByText('Saved “diary.txt”.').waitFor();
    await button('Undo').click();
    await expect.poll(() => text('diary.txt')).toBe('one\r\ntwo\r\n');
    await edit();
    await type('mine');
    studio.files.write('diary.txt', 'of another program');
    await button('Save').click();
    await page.getByText('The file was changed since you opened it.').waitFor();
    expect(text('diary.txt')).toBe('of another program');
    expect(await axeProblems(page)).toEqual([]);
    await button('Reload').click();
    await dialog.getByText('of another program').waitFor();
    await page.getByRole('textbox', { name: 'Text of diary.txt' }).click();
    await type('Read');
    studio.files.write('diary.txt', 'changed again');
    await button('Save').click();
    await button('Overwrite').click();
    await dialog.waitFor({ state: 'detached' });
    expect(text('diary.txt')).toBe('Read\nof another program');
    await edit();
    await type('not kept');
    await button('Cancel').click();
    await page.getByText('Your changes are not saved.').waitFor();
    await button('Discard changes').click();
    await dialog.waitFor({ state: 'detached' });
    expect(text('diary.txt')).toBe('Read\nof another program');
  });

  it('opens the editor with the focus in the text, and leaves it by Escape and Tab', async () => {
    await open({ files: { 'diary.txt': 'one' } });
    const edit = async () => {
      await page.getByRole('button', { name: 'Actions for diary.txt', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await expect.poll(focused).toBe('Text of diary.txt');
    };
    const focused = () =>
      page.evaluate<string>(`(() => {
        const { activeElement } = document;
        const inside = activeElement.shadowRoot?.activeElement ?? activeElement;
        return inside.ariaLabel ?? inside.textContent;
      })()`);
    const dialog = page.getByRole('dialog', { name: 'Edit “diary.txt”' });
    await edit();
    await page.keyboard.type('zero ');
    await page.keyboard.press('Tab');
    await dialog.getByText('zero one').waitFor();
    expect(await focused()).toBe('Text of diary.txt');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect([await focused(), await dialog.getByRole('alert').count()]).toEqual(['Save', 0]);
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('Text of diary.txt');
    // The next Escape in a row closes the dialog, which asks first where the text was changed.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByText('Your changes are not saved.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(text('diary.txt')).toBe('one');
    await edit();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('deletes a selection with one request and restores it with one Undo', async () => {
    await open();
    const requests: unknown[] = [];
    page.on('request', (request) => {
      if (/files\/(delete|undo)$/.test(request.url())) requests.push(request.postDataJSON());
    });
    await page.getByRole('checkbox', { name: 'Select harvest.csv' }).check();
    await page.getByRole('checkbox', { name: 'Select projects' }).check();
    await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click();
    await row('harvest.csv').waitFor({ state: 'detached' });
    expect(has('projects/rotation/plan.ts')).toBe(false);
    await page.getByText('Deleted 2 entries.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('harvest.csv').waitFor();
    expect(has('projects/rotation/plan.ts')).toBe(true);
    await page.getByText('Restored 2 entries.').waitFor();
    const paths = expect.arrayContaining(['harvest.csv', 'projects']) as unknown;
    expect(requests).toEqual([{ paths, permanent: false }, { undo: expect.any(String) as unknown }]);
  });

  it('deletes more than 500 entries in requests of 500, and restores all with one Undo', async () => {
    const files = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`many/${index}.txt`, 'x']));
    await open({ path: 'files?dir=many', files });
    const counts: number[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('files/delete'))
        counts.push((request.postDataJSON() as { paths: string[] }).paths.length);
    });
    await page.getByRole('grid').locator('tr[tabindex="0"]').focus();
    await page.keyboard.press('Control+a');
    await page.getByText('501 selected').waitFor();
    await page.keyboard.press('Delete');
    await page.getByText('Deleted 501 entries.').waitFor();
    expect(counts).toEqual([500, 1]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored 501 entries.').waitFor();
    expect([has('many/0.txt'), has('many/500.txt')]).toEqual([true, true]);
  });

  it('asks before it deletes for good what the trash cannot keep', async () => {
    await open({ files: { 'harvest.csv': 'x'.repeat(TRASH_BYTES + 1) } });
    studio.expectComplaint(/status of 409/);
    const remove = async () => {
      await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click();
      await page.getByText(/^These 2 entries could not be restored afterwards/).waitFor();
    };
    await page.getByRole('checkbox', { name: 'Select harvest.csv' }).check();
    await page.getByRole('checkbox', { name: 'Select README.md' }).check();
    await remove();
    expect(await axeProblems(page)).toEqual([]);
    await expect.poll(() => focused(page)).toBe('Cancel');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect([has('harvest.csv'), has('README.md')]).toEqual([true, true]);
    await remove();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('Deleted 2 entries.').waitFor();
    expect([has('harvest.csv'), has('README.md')]).toEqual([false, false]);
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  it('says what Replace keeps, offers Undo, and asks before it replaces for good', async () => {
    await open();
    studio.expectComplaint(/status of 409/);
    await row('harvest.csv').waitFor();
    const before = text('harvest.csv');
    const content = () => text('harvest.csv');
    const question = page.getByRole('dialog');
    await upload({ name: 'harvest.csv', text: 'first' });
    await question.getByText('The trash keeps the old file, so you can undo replacing it.').waitFor();
    await question.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('Replaced “harvest.csv”.').waitFor();
    expect(content()).toBe('first');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The old file was restored.').waitFor();
    expect(content()).toBe(before);
    const large = 'x'.repeat(TRASH_BYTES + 1);
    studio.files.write('harvest.csv', large);
    await upload({ name: 'harvest.csv', text: 'second' });
    await question.getByRole('button', { name: 'Replace' }).click();
    await page.getByRole('dialog', { name: '“harvest.csv” is too large for the trash' }).waitFor();
    expect(content()).toBe(large);
    await question.getByRole('button', { name: 'Replace for good' }).click();
    await expect.poll(content).toBe('second');
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  it('searches names and contents, and leads to the line', async () => {
    await open();
    await row('README.md').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('plan');
    await page.getByText('2 results for “plan”').waitFor();
    await page.getByRole('radio', { name: 'Contents' }).check();
    await page.getByText(/\d results for “plan”/).waitFor();
    await page.getByRole('searchbox').fill('hares');
    await page.getByRole('link', { name: /field-notes.txt/ }).click();
    await page.getByRole('region', { name: 'Text of field-notes.txt' }).waitFor();
    expect(page.url()).toMatch(/line=401/);
    await page.getByText('The last row was eaten by hares.').last().waitFor();
    await page.getByRole('searchbox').fill('rotation');
    await page.getByRole('radio', { name: 'Names' }).check();
    await page.getByRole('link', { name: /^rotation/ }).click();
    // A folder that was found is entered.
    await row('plan.ts').waitFor();
    await page.getByRole('searchbox').fill('no such thing');
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await row('plan.ts').waitFor();
  });

  it('does all of it by keyboard alone', async () => {
    await open();
    await row('README.md').waitFor();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focusIs = (text: string) => expect.poll(() => focused(page)).toContain(text);
    // Letters that arrive more than 0.7 s apart are separate searches, so a busy machine types again.
    const typeTo = (letters: string, name: string) => {
      const typed = async () => {
        await page.keyboard.type(letters);
        return focused(page);
      };
      return expect.poll(typed, { interval: 1_500 }).toContain(name);
    };
    await press('Tab');
    await focusIs('Skip to content');
    await press('Enter');
    for (let count = 0; count < 12 && !(await focused(page)).startsWith('projects'); count++) await press('Tab');
    await until(page, "document.activeElement.tagName === 'TR'");
    await press('Enter');
    await row('rotation').waitFor();
    await page.getByRole('grid').locator('tr[tabindex="0"]').focus();
    await press('Backspace');
    await row('README.md').waitFor();
    await page.getByRole('grid').locator('tr[tabindex="0"]').focus();
    await press('End', 'ArrowUp');
    await focusIs('README.md');
    await press('Enter');
    await page.getByRole('heading', { name: 'The croft' }).waitFor();
    await focusIs('README.md');
    await press('Escape');
    await page.getByRole('heading', { name: 'The croft' }).waitFor({ state: 'detached' });
    await typeTo('harv', 'harvest.csv');
    await press('F2');
    await page.keyboard.type('yield');
    await press('Enter');
    await row('yield.csv').waitFor();
    await until(page, "document.activeElement.tagName === 'TR'");
    await typeTo('yie', 'yield.csv');
    await press('Delete');
    await row('yield.csv').waitFor({ state: 'detached' });
    await until(page, "document.activeElement.tagName === 'TR'");
    await press('Control+z');
    await row('yield.csv').waitFor();
    await press('Home', 'Space', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await page.getByText('3 selected').waitFor();
    await press('Control+a');
    await page.getByText('8 selected').waitFor();
    await press('Delete');
    await page.getByText('Nothing here yet').waitFor();
    await press('Control+z');
    // The undo moves one entry after the other back, and the page may show some of them before.
    await expect.poll(() => page.getByRole('grid').locator('tr[tabindex]').count()).toBe(8);
    await page.getByRole('grid').locator('tr[tabindex="0"]').focus();
    await press('Control+a');
    await page.getByText('8 selected').waitFor();
    await press('Escape');
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
    await press('Tab', 'Tab', 'Enter');
    await page.getByRole('menu').waitFor();
    await press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    // The menu returns the focus a moment after it is gone.
    await focusIs('Actions for');
    await press('Enter');
    await page.getByRole('menu').waitFor();
  });

  it('keeps the focus on its row when another row appears above, and Tab leads to the buttons of that row', async () => {
    await open();
    const first = row('projects');
    await first.focus();
    await change(studio.visitor, 'POST', '/api/v1/tools/full/write_file', { path: 'a/new-file.md', content: 'hello' });
    await row('a').waitFor();
    expect(await focused(page)).toContain('projects');
    const openMenuOf = async (name: string) => {
      for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
      await page.getByRole('menu', { name: `Actions for ${name}` }).waitFor();
    };
    await openMenuOf('projects');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    // The menu returns the focus a moment after it is gone.
    await expect.poll(() => focused(page)).toContain('Actions for projects');
    await row('README.md').focus();
    await openMenuOf('README.md');
  });

  it('keeps the menu of a row that opens while the folder changes', async () => {
    await open();
    await row('README.md').waitFor();
    // The menu takes the focus late, so that the change arrives between the click and the focus.
    await page.evaluate(`(() => {
      const focus = HTMLElement.prototype.focus;
      HTMLElement.prototype.focus = function (options) {
        if (this.role === 'menu') setTimeout(() => focus.call(this, options), 1500);
        else focus.call(this, options);
      };
    })()`);
    await row('README.md').getByRole('button', { name: 'Actions for README.md' }).press('Enter');
    await page.getByRole('menu').waitFor();
    await change(studio.visitor, 'POST', '/api/v1/tools/full/write_file', { path: 'a-new-file.md', content: 'hello' });
    await row('a-new-file.md').waitFor();
    await until(page, "document.activeElement.role === 'menu'");
  });

  it('hears of changes made elsewhere', async () => {
    await open();
    await row('README.md').waitFor();
    const file = { path: 'by-an-agent.md', content: 'hello' };
    await change(studio.visitor, 'POST', '/api/v1/tools/full/write_file', file);
    await row('by-an-agent.md').waitFor();
  });

  it('says what is wrong and offers a way on', async () => {
    await open({ path: 'files?dir=gone' });
    studio.expectComplaint(/status of (404|500)/);
    await page.getByText('Folder not found').waitFor();
    await page.getByRole('link', { name: 'Go to all files' }).click();
    await row('README.md').waitFor();
    const accept = await studio.refuse(/api\/v1\/files\?/, 500, 'broken');
    await row('projects').click();
    await page.getByText('The folder cannot be shown').waitFor();
    await accept();
    await page.getByRole('button', { name: 'Try again' }).click();
    await row('fence').waitFor();
  });

  it.each([360, 768])('has its buttons in one line at a width of %i', async (width) => {
    await open({ width });
    await row('README.md').waitFor();
    const names = ['New folder', 'New file', 'Upload folder', 'Upload'];
    const tops = names.map(async (name) => {
      const box = await page.getByRole('button', { name, exact: true }).first().boundingBox();
      return Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2);
    });
    expect(new Set(await Promise.all(tops)).size).toBe(1);
  });

  it('keeps its buttons beside the title while a file is shown', async () => {
    await open({ width: 1_400, path: 'files?file=README.md' });
    await page.getByText('Good fences').waitFor();
    const left = async (role: 'heading' | 'button', name: string) =>
      (await page.getByRole(role, { name, exact: true }).first().boundingBox())?.x ?? 0;
    // In a line of their own they begin where the title does.
    expect((await left('button', 'New folder')) - (await left('heading', 'Files'))).toBeGreaterThan(250);
  });

  it('gives the whole page to a file where there is little room', async () => {
    await open({ width: 360 });
    await row('README.md').click();
    await page.getByRole('heading', { name: 'README.md', level: 1 }).waitFor();
    expect(await page.getByRole('grid').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Back to the folder' }).click();
    await row('README.md').waitFor();
  });

  it('works below a base path', async () => {
    await open({ basePath: '/tools/croft/' });
    await row('projects').click();
    await row('fence').waitFor();
    expect(new URL(page.url()).pathname).toBe('/tools/croft/files');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/tools/croft/settings/account');
  });

  it('draws of two thousand entries those one comes near to, and moving costs no drawing of the others', async () => {
    const files = Object.fromEntries(Array.from({ length: 1_990 }, (_, index) => [`many-${index}.txt`, 'x']));
    await open({ path: 'settings/about', files });
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await page.getByText('many-150.txt').waitFor();
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('1999');
    expect(await page.getByRole('row').count()).toBeLessThan(500);
    await page.getByRole('grid').locator('tr[tabindex="0"]').focus();
    // Every row that is drawn says when its entry was changed, in words of the browser's.
    await page.evaluate(`
      window.rowsDrawn = 0;
      const say = Intl.DateTimeFormat.prototype.__lookupGetter__('format');
      Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', { get() { window.rowsDrawn += 1; return say.call(this); } })`);
    for (let count = 0; count < 20; count++) await page.keyboard.press('ArrowDown');
    const drawn = (await page.evaluate('window.rowsDrawn')) as number;
    // Two for a step: the row that is left, and the one that is come to.
    expect(drawn).toBeGreaterThanOrEqual(20);
    expect(drawn).toBeLessThanOrEqual(45);
  });

  it('plays sound and seeks in it, a part at a time', async () => {
    await open({ files: { 'long.wav': silence(600) } });
    const parts: string[] = [];
    page.on('response', (answer) => {
      if (answer.url().includes('long.wav') && answer.status() === 206)
        parts.push(answer.headers()['content-range'] ?? '');
    });
    await row('long.wav').click();
    await page.locator('audio').waitFor();
    const audio = (expression: string) =>
      page.evaluate(`{ const audio = document.querySelector('audio'); ${expression} }`);
    await expect.poll(() => audio('audio.duration')).toBe(600);
    await audio('void (audio.currentTime = 590)');
    await expect.poll(() => audio('!audio.seeking && audio.readyState >= 2')).toBe(true);
    expect(await audio('audio.currentTime')).toBe(590);
    expect(parts.some((part) => Number(/^bytes (\d+)-/.exec(part)?.[1]) > 1_000_000)).toBe(true);
    expect(await axeProblems(page)).toEqual([]);
  });
});

/** So many seconds of nothing to hear. */
function silence(seconds: number): Buffer {
  const rate = 8_000;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + rate * seconds, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  // Uncompressed, one channel.
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(rate * seconds, 40);
  return Buffer.concat([head, Buffer.alloc(rate * seconds, 128)]);
}
