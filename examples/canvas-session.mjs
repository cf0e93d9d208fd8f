// Eight tasks of a new user without any key, from the pages alone: `croft serve` from the packed tarballs in an empty home.
// Runs a template, adds a branch, writes a component in TypeScript, breaks and repairs it, fixes an output, restores a
// version, runs the flow from code, chats with it, and finds the failed run. Takes screenshots of every page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { installServer, makeStage } from './installed-croft.mjs';
import { openPage, photograph, picturesDir, startServer, stop } from './pages.mjs';
import { createTranscript } from './transcript.mjs';

const BARS = { clicks: 6, seconds: 60 };
const component = (line) => `export class Shout extends Component {
  inputs = [{ name: 'value', label: 'Value', kind: 'text' }];
  outputs = [{ name: 'result', label: 'Result', types: ['Message'], method: 'build' }];

  build() {
    ${line}
  }
}
`;

const stage = makeStage();
const transcript = createTranscript('canvas-session', { [stage.home]: '~', [stage.base]: '/…' });
const pictures = picturesDir(stage);

let server;
let launched;
let clicks = 0;
try {
  const started = await startServer(installServer(stage), stage);
  server = started.child;
  const opened = await openPage();
  launched = opened.launched;
  const { page } = opened;
  const button = (name) => page.getByRole('button', { name });
  const link = (name) => page.getByRole('link', { name, exact: true });
  const node = (title) => page.locator(`.react-flow__node[aria-label^="${title}"]`);
  const panel = page.getByRole('tabpanel', { name: 'Component' });
  const result = (text) => page.getByRole('region', { name: 'Result', exact: true }).getByText(text, { exact: true });
  const click = async (target) => {
    clicks += 1;
    await target.click();
  };
  const run = async () => {
    await page.getByRole('tab', { name: 'Run' }).click();
    await button(/^Run$/).click();
  };
  const isSaved = () => page.getByText('Saved', { exact: true }).waitFor();

  const start = performance.now();
  await page.goto(started.oneTime);
  await click(page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Flows' }));
  await click(button('New flow').first());
  await click(button(/^Word count/));
  await click(button(/^Run$/));
  await result('Words: 3, lines: 1').waitFor();
  const seconds = (performance.now() - start) / 1_000;
  assert.ok(clicks <= BARS.clicks && seconds <= BARS.seconds, `${clicks} clicks and ${seconds.toFixed(1)} s`);
  transcript.say(`1. a template runs after ${clicks} clicks: Words: 3, lines: 1`);

  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByLabel('Reason (optional)').fill('As it came');
  await page.keyboard.press('Enter');
  await page.getByText('Both versions are the same.').waitFor();
  await link('Canvas').click();

  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'Search components' }).fill('text output');
  await page.keyboard.press('Enter');
  await node('Text output').waitFor();
  await page.keyboard.press('c');
  await page.getByRole('dialog', { name: 'Connect Text output' }).waitFor();
  await page.keyboard.type('of chat input');
  await page.keyboard.press('Enter');
  await page.locator('.react-flow__edge[aria-label*="of Text output"]').waitFor();
  transcript.say('2. a branch: the message also goes to a second output');

  await page.locator('.react-flow__edge[aria-label*="of Chat output"]').focus();
  await page.keyboard.press('Enter');
  await button(/^Insert a component here/).click();
  await page.getByRole('combobox', { name: 'Search components' }).fill('typescript code');
  await page.keyboard.press('Enter');
  await node('TypeScript code').click();
  const write = async (line) => {
    await node('TypeScript code').click();
    await panel.getByRole('textbox', { name: 'Code' }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(component(line));
    await panel.getByRole('textbox', { name: 'Name' }).focus();
    await isSaved();
  };
  await write('return this.value.toUpperCase();');
  await photograph(page, pictures, 'code');
  await run();
  await result('WORDS: 3, LINES: 1').waitFor();
  transcript.say('3. a component in TypeScript, written in the editor, runs: WORDS: 3, LINES: 1');

  await write('return this.value.toUpper();');
  await run();
  const problem = node('TypeScript code').getByText(/toUpper/);
  await problem.first().waitFor();
  transcript.say(`4. broken, the error is on the component: ${(await problem.first().innerText()).split('\n')[0]}`);
  await photograph(page, pictures, 'failed');
  await write('return this.value.toLowerCase();');
  await run();
  await result('words: 3, lines: 1').waitFor();
  transcript.say('   repaired, it runs: words: 3, lines: 1');

  await node('Text statistics').click();
  await panel.getByText('Run options').click();
  await panel.getByRole('button', { name: 'Fix the last value' }).first().click();
  await panel.getByText('fixed', { exact: true }).waitFor();
  await isSaved();
  await run();
  await node('Text statistics').getByText('Reused').waitFor();
  transcript.say('5. a fixed output is reused by the next run');
  await photograph(page, pictures, 'canvas');

  await link('Playground').click();
  await page.getByRole('textbox', { name: 'Message' }).fill('four words are here');
  await button('Send').click();
  await page.getByText(/^words: \d, lines: 1$/).waitFor();
  transcript.say('6. the playground answers');

  const code = await codeFrom(page, link, started.origin, button);
  const said = execFileSync('bash', ['-c', code.text], {
    env: { ...stage.env, CROFT_KEY: code.key },
    encoding: 'utf8',
  });
  assert.match(JSON.parse(said).text, /words: 3/);
  transcript.say('7. the command of the page Use it runs the flow with an API key of the page API keys');
  await page.goto(code.flow);

  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Runs' }).click();
  await page.getByLabel('State').selectOption('Failed');
  const runs = page.getByRole('region', { name: 'Runs' });
  await runs.getByRole('link', { name: /^Word count, Failed/ }).click();
  await page
    .getByText(/toUpper/)
    .first()
    .waitFor();
  transcript.say('8. the failed run is in the history, with its error');
  await photograph(page, pictures, 'failed-run');

  await page.goto(code.flow);
  await link('Versions').click();
  await page
    .getByRole('region', { name: 'Kept versions' })
    .getByRole('button', { name: /^As it came/ })
    .click();
  await photograph(page, pictures, 'versions');
  await button('Restore this version').click();
  await page.getByText('Restored “As it came”.').waitFor();
  assert.equal(await node('TypeScript code').count(), 0);
  transcript.say('   the version from the beginning is restored');
  transcript.keep();
} finally {
  await launched?.close();
  if (server) await stop(server);
  stage.remove();
}

/** The curl command of the flow's page, and a key for it. */
async function codeFrom(page, link, origin, button) {
  await link('Use it').click();
  const text = (await page.getByRole('region', { name: 'Code for curl' }).textContent()) ?? '';
  await photograph(page, pictures, 'use');
  const flow = page.url().replace(/\/use$/, '');
  await page.goto(`${origin}/settings/keys`);
  await button('New key').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What is it for?').fill('script');
  await page.keyboard.press('Enter');
  const key = await dialog.getByRole('region', { name: 'The key' }).textContent();
  assert.ok(key, 'the page shows the key');
  return { text, flow, key };
}
