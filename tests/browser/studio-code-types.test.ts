import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeProblems, viewProblems } from './axe-problems.ts';
import { openFlow } from './open-flow.ts';
import { useStudio } from './use-studio.ts';

const tests = useStudio({ newUser: true, path: 'settings/components', width: 1_400 });

const code = (line: string, before = '') => `${before}export class Doubles extends Component {
  inputs = [{ name: 'value', label: 'Text', kind: 'text', default: '' }];
  outputs = [{ name: 'result', types: ['Message'], method: 'build' }];
  build() {
    ${line}
  }
}`;
/** One line of types that keeps the compiler busy for seconds. */
const SLOW = `type F<N extends number, A extends any[] = []> = A['length'] extends N ? A : F<N, [...A, any]>; type G<N extends number, A extends any[] = []> = A['length'] extends N ? 0 : F<999>['length'] | F<998>['length'] | G<N, [...A, { [K in A['length']]: K }]>; ${Array.from({ length: 60 }, (_, at) => `const a${at}: G<${900 - at}> = 1; `).join('')}`;

async function openEditor(page: Page) {
  await page.getByRole('button', { name: 'New component', exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Code of the component' });
  await editor.waitFor();
  return async (text: string) => {
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  };
}

/** The problems that axe finds while a box is open; in dark only those of colours. */
async function openProblems(page: Page): Promise<string[]> {
  const found = await axeProblems(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  found.push(...(await axeProblems(page, 'color-contrast')));
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

describe('the code editor', () => {
  it('names a type error at its line while the code is edited, and saves the code all the same', async () => {
    const scripts: string[] = [];
    const { page, files } = await tests.open({
      beforeLoad: async (opened) => void opened.on('request', (request) => scripts.push(request.url())),
    });
    const ofTypes = () => scripts.filter((url) => url.includes('types-worker'));
    await page.getByText('No components yet').waitFor();
    expect(ofTypes()).toEqual([]);
    const write = await openEditor(page);
    const line = page.getByRole('button', { name: 'Line 5' });
    await write(code('return this.value * 2;'));
    await line.waitFor();
    await page.getByText('The left-hand side of an arithmetic operation must be').waitFor();
    expect(ofTypes()).toHaveLength(1);
    expect(await viewProblems(page)).toEqual([]);
    await write(code('return [this.value];'));
    await page.getByText("Output 'result' gets string[], and must be a text.").waitFor();
    await write(code('return this.value.repeat(2);'));
    await line.waitFor({ state: 'detached' });
    await write(code('return this.value * 2;'));
    await line.waitFor();
    await page.getByRole('button', { name: 'Save component', exact: true }).click();
    await page.getByText('.components/Doubles.ts').waitFor();
    expect(files.text('.components/Doubles.ts')).toContain('this.value * 2');
  });

  it('explains an underlined place, a name and a completion in boxes that everyone can read', async () => {
    const { page } = await tests.open();
    const write = await openEditor(page);
    await write(code('return this.value * 2;'));
    await page.locator('.cm-lintRange-warning').first().hover();
    await page.locator('.cm-tooltip-lint').waitFor();
    expect(await openProblems(page)).toEqual([]);
    await page.getByRole('heading', { name: 'New component' }).hover();
    await page.locator('.cm-tooltip-lint').waitFor({ state: 'detached' });
    await page.getByText('Doubles', { exact: true }).first().hover();
    await page.locator('.cm-type-info').getByText('class Doubles').waitFor();
    expect(await openProblems(page)).toEqual([]);
    await write(code('return '));
    for (const key of ['ArrowUp', 'ArrowUp', 'End']) await page.keyboard.press(key);
    await page.keyboard.type('this.v');
    await page.getByRole('option', { name: 'value' }).waitFor();
    await page.locator('.cm-completionInfo').getByText('(property) Doubles.value: string').waitFor();
    expect(await openProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('.cm-line').getByText('return this.value').waitFor();
  });

  it('checks the code of a component in a flow, beside the canvas and in a large window', async () => {
    const { page, node, stored } = await openFlow(tests, 'nodes:\n  C: TypeScriptCode');
    await node('TypeScript code').click();
    const text = `${code('return this.value.repeat("2");')}${'\n// More lines than the editor shows.'.repeat(20)}`;
    await page.getByRole('textbox', { name: 'Code' }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
    const line = page.getByRole('button', { name: 'Line 5' });
    await line.waitFor();
    // The server takes the code: a type is a warning.
    await expect.poll(async () => (await stored()).nodes[0]?.values['code']).toBe(text);
    expect(await viewProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Edit in a large window' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Line 5' }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
  });

  it('marks the line where a run failed until the code is another, and again once it is the same', async () => {
    const { page, node, stored } = await openFlow(tests, 'nodes:\n  C: TypeScriptCode');
    await node('TypeScript code').click();
    const editor = page.getByRole('textbox', { name: 'Code' });
    const write = async (text: string) => {
      await editor.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(text);
      await expect.poll(async () => (await stored()).nodes[0]?.values['code']).toBe(text);
    };
    const failing = code("if (this.value === '') throw new Error('not today'); return 'today';");
    await write(failing);
    await page.getByRole('button', { name: 'Run up to here' }).click();
    const panel = page.getByRole('region', { name: 'Component TypeScript code' });
    const line = panel.getByRole('button', { name: 'Line 5' });
    await line.waitFor();
    await node('TypeScript code').getByText('Failed', { exact: true }).waitFor();
    await write(code("return 'today';"));
    await line.waitFor({ state: 'detached' });
    await panel.getByText('Error of the last run, before the change').waitFor();
    await node('TypeScript code').getByText('Failed before the change.').waitFor();
    expect(await page.locator('.cm-problem').count()).toBe(0);
    expect(await viewProblems(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.getByText('Before the change:').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Component' }).click();
    await write(failing);
    await line.waitFor();
    await node('TypeScript code').getByText('Failed', { exact: true }).waitFor();
  });

  it('shows the log of code beside the canvas and on the page of the run', async () => {
    const { page, node, flow, stored } = await openFlow(tests, 'nodes:\n  C: TypeScriptCode');
    await node('TypeScript code').click();
    const text = code("for (let at = 0; at < 40; at++) this.log('line', at, { deep: [at] }); return 'done';");
    await page.getByRole('textbox', { name: 'Code' }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
    await expect.poll(async () => (await stored()).nodes[0]?.values['code']).toBe(text);
    await page.getByRole('button', { name: 'Run up to here' }).click();
    const log = page.getByRole('region', { name: 'Log of TypeScript code' });
    await log.getByText('line 0 {"deep":[0]}', { exact: true }).waitFor();
    expect(await log.getByRole('listitem').count()).toBe(40);
    expect(await viewProblems(page)).toEqual([]);
    await page.goto(page.url().replace(/flows\/.*$/, `flows/${flow.id}/runs`));
    await page.getByRole('region', { name: 'Runs' }).getByRole('link').click();
    await page.getByRole('list', { name: 'Timeline' }).getByText('TypeScript code').click();
    await log.getByText('line 39 {"deep":[39]}', { exact: true }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
  });

  it('gives up a check that takes too long, and checks the next text', async () => {
    const { page } = await tests.open({ clock: true });
    const write = await openEditor(page);
    await write(code('return 1;', SLOW));
    const given = page.getByText(/^Types: This code keeps the compiler busy/);
    // The clock of the page runs ahead: how long the compiler is busy depends on the machine.
    await expect.poll(() => page.clock.fastForward(3_000).then(() => given.count())).toBe(1);
    expect(await openProblems(page)).toEqual([]);
    await write(code('return this.value * 2;'));
    await page.getByRole('button', { name: 'Line 5' }).waitFor();
    expect(await page.getByText('This code keeps the compiler busy').count()).toBe(0);
  });
});
