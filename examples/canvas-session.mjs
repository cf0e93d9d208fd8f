// Eight tasks of a new user without any key, from the pages alone, in at most six clicks each: `croft serve` from the packed
// tarballs in an empty home. Runs a template, adds a branch, writes a component in TypeScript, repairs it, keeps an output,
// runs the flow from code, finds the failed run and restores a version. Takes screenshots of the pages.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { photograph, playStudio } from './pages.mjs';

const BARS = { clicks: 6, seconds: 60 };
const component = (line) => `export class Shout extends Component {
  inputs = [{ name: 'value', label: 'Value', kind: 'text', default: '' }];
  outputs = [{ name: 'result', label: 'Result', types: ['Message'], method: 'build' }];

  build() {
    ${line}
  }
}
`;

await playStudio('canvas-session', async ({ stage, started, page, button, transcript, pictures }) => {
  const link = (name) => page.getByRole('link', { name, exact: true });
  const pageLink = (name) => page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name });
  const node = (title) => page.locator(`.react-flow__node[aria-label^="${title}"]`);
  const panel = page.getByRole('tabpanel', { name: 'Component' });
  const result = (text) =>
    page.getByRole('tabpanel', { name: 'Run' }).getByText(new RegExp(text)).and(page.locator(':not(textarea)')).first();
  const isSaved = () => page.getByText('Saved', { exact: true }).waitFor();
  const run = async () => {
    await page.getByRole('tab', { name: 'Run' }).click();
    await button(/^Run$/).click();
  };
  const pick = async (text) => {
    await page.getByRole('combobox', { name: 'Search components' }).fill(text);
    await page.keyboard.press('Enter');
  };
  const write = async (line) => {
    await node('TypeScript code').click();
    await panel.getByRole('textbox', { name: 'Code' }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(component(line));
    await panel.getByRole('textbox', { name: 'Name' }).focus();
    await isSaved();
  };
  const task = await clickCounter(page, transcript);

  const start = performance.now();
  await task('1. run a template', async () => {
    await page.goto(started.oneTime);
    await pageLink('Flows').click();
    await button('New flow').first().click();
    await button(/^Word count/).click();
    await button(/^Run$/).click();
    await result('Words: 3, lines: 1').waitFor();
    return 'Words: 3, lines: 1';
  });
  const seconds = (performance.now() - start) / 1_000;
  assert.ok(seconds <= BARS.seconds, `${seconds.toFixed(1)} s from the address to the result`);

  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByLabel('Reason (optional)').fill('As it came');
  await page.keyboard.press('Enter');
  await page.getByText('Both versions are the same.').waitFor();
  await link('Canvas').click();

  await task('2. add a branch', async () => {
    await button('Add component').click();
    await pick('text output');
    await node('Text output').waitFor();
    await button('Connect (C)').click();
    await page.getByRole('dialog', { name: 'Connect Text output' }).waitFor();
    await page.keyboard.type('of chat input');
    await page.keyboard.press('Enter');
    await page.locator('.react-flow__edge[aria-label*="of Text output"]').waitFor();
    await run();
    await result('one two three').waitFor();
    return 'the message also goes to a second output';
  });

  await task('3. write a component', async () => {
    await page.locator('.react-flow__edge[aria-label*="of Chat output"]').focus();
    await page.keyboard.press('Enter');
    await button(/^Insert a component here/).click();
    await pick('typescript code');
    await write('return this.value.toUpperCase();');
    await run();
    await result('WORDS: 3, LINES: 1').waitFor();
    return 'WORDS: 3, LINES: 1';
  });
  await photograph(page, pictures, 'code');

  const problem = node('TypeScript code')
    .getByText(/not a function/)
    .first();
  await write('return this.value.toUpper();');
  await run();
  await problem.waitFor();
  await photograph(page, pictures, 'failed');
  await task('4. fix a type error', async () => {
    const [error] = (await problem.innerText()).split('\n');
    await write('return this.value.toLowerCase();');
    await run();
    await result('words: 3, lines: 1').waitFor();
    return `${error} → words: 3, lines: 1`;
  });

  await task('5. pin data', async () => {
    await node('Text statistics').click();
    await panel.getByText('Run options').click();
    await panel.getByRole('button', { name: 'Fix the last value' }).first().click();
    await panel.getByText('fixed', { exact: true }).waitFor();
    await isSaved();
    await run();
    await node('Text statistics').getByText('Reused').waitFor();
    return 'the next run reuses the counts';
  });
  await photograph(page, pictures, 'canvas');

  await task('6. publish as API', async () => {
    await link('Use it').click();
    const code = (await page.getByRole('region', { name: 'Code for curl' }).textContent()) ?? '';
    await photograph(page, pictures, 'use');
    await page.getByRole('main').getByRole('link', { name: 'Create a key' }).click();
    await button('New key').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What is it for?').fill('script');
    await page.keyboard.press('Enter');
    const key = await dialog.getByRole('region', { name: 'The key' }).textContent();
    const env = { ...stage.env, CROFT_KEY: key };
    const { text } = JSON.parse(
      execFileSync('bash', ['-c', code], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    assert.match(text, /words: 3/);
    return `curl with an API key: ${text.split('\n')[0]}`;
  });
  await page.keyboard.press('Escape');

  await task('7. find a failed run', async () => {
    await pageLink('Runs').click();
    await page.getByLabel('State').selectOption('Failed');
    await page
      .getByRole('region', { name: 'Runs' })
      .getByRole('link', { name: /^Word count, Failed/ })
      .click();
    const error = page.getByText(/not a function/).first();
    return (await error.innerText()).split('\n')[0];
  });
  await photograph(page, pictures, 'failed-run');

  await task('8. restore a version', async () => {
    await pageLink('Flows').click();
    await page.getByRole('main').getByRole('link', { name: 'Word count' }).first().click();
    await link('Versions').click();
    await page
      .getByRole('region', { name: 'Kept versions' })
      .getByRole('button', { name: /^As it came/ })
      .click();
    await photograph(page, pictures, 'versions');
    await button('Restore this version').click();
    await page.getByText('Restored “As it came”.').waitFor();
    await node('Text statistics').waitFor();
    assert.equal(await node('TypeScript code').count(), 0);
    return 'the flow is as it came';
  });
});

/** Carries out tasks and says how each ended, with its clicks: those of a mouse on the page. */
async function clickCounter(page, transcript) {
  let clicks = 0;
  await page.exposeFunction('countClick', () => (clicks += 1));
  await page.addInitScript('addEventListener("click", ({ detail }) => detail > 0 && countClick(), true)');
  return async (name, carryOut) => {
    clicks = 0;
    const outcome = await carryOut();
    assert.ok(clicks > 0 && clicks <= BARS.clicks, `${name}: ${clicks} clicks`);
    transcript.say(`${name} (${clicks} clicks): ${outcome}`);
  };
}
