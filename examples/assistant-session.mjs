// A new user without any key: `croft serve` from the packed tarballs in an empty home. Runs a template, chats with it in
// the playground, finds the run in the history, and has the assistant build, run, document and change a flow. Takes
// screenshots of every page.
import assert from 'node:assert/strict';
import { photograph, playStudio } from './pages.mjs';

await playStudio('assistant-session', async ({ started, page, button, transcript, pictures }) => {
  await page.goto(started.oneTime);
  await page.goto(`${started.origin}/flows`);
  await button('New flow').click();
  await button(/^Word count/).waitFor();
  await photograph(page, pictures, 'templates');
  await button(/^Word count/).click();
  await button(/^Run$/).click();
  await page.getByText('Words: 3, lines: 1').first().waitFor();
  transcript.say('the template Word count runs on the canvas: Words: 3, lines: 1');
  await photograph(page, pictures, 'flow');

  await page.getByRole('link', { name: 'Playground' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('four words are here');
  await button('Send').click();
  await page.getByText('Words: 4, lines: 1').waitFor();
  transcript.say('the playground answers: Words: 4, lines: 1');
  await photograph(page, pictures, 'playground');

  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Runs' }).click();
  const runs = page.getByRole('region', { name: 'Runs' });
  await runs.getByRole('listitem').nth(1).waitFor();
  await photograph(page, pictures, 'runs');
  await runs.getByRole('link').first().click();
  await page.getByRole('list', { name: 'Timeline' }).waitFor();
  transcript.say(
    `the history has ${await page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').count()} components of the run`,
  );
  await photograph(page, pictures, 'run');

  await page.goto(`${started.origin}/files`);
  await page
    .locator('input[type=file]')
    .setInputFiles([
      { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('sow barley on the north field\n') },
    ]);
  await page.getByRole('link', { name: 'notes.md' }).waitFor();
  await page.goto(`${started.origin}/flows`);
  await button('New flow').click();
  await button(/^Empty flow/).click();
  await page.getByRole('button', { name: 'Assistant', exact: true }).click();
  await ask(
    page,
    transcript,
    'build a flow that reads notes.md from my workspace and shows `notes.md has N words`, then run it',
  );
  await page.getByText(/^Built into the flow · checked without problems · run completed/).waitFor();
  await page.getByText('notes.md has 6 words').first().waitFor();
  await photograph(page, pictures, 'assistant');
  await ask(page, transcript, 'document this flow in FLOW.md');
  await page.getByRole('region', { name: 'File FLOW.md' }).waitFor();
  transcript.say('the assistant writes FLOW.md');
  await ask(page, transcript, 'change the text to `N words in notes.md`');
  const changes = page.getByRole('region', { name: 'Proposed changes' });
  await photograph(page, pictures, 'assistant-change');
  await changes.getByRole('button', { name: 'Accept' }).click();
  await changes.getByText('Applied').waitFor();
  transcript.say('an accepted change is on the canvas');
  await ask(page, transcript, 'undo that');
  await page.locator('.react-flow__node').getByText('notes.md has {words} words').waitFor();
  transcript.say('and undone');
});

/** Sends a message to the assistant and waits for the end of its turn. */
async function ask(page, transcript, message) {
  transcript.say(`assistant: ${message}`);
  const turns = page.getByText(/\d m?s · croft\/offline$/);
  const before = await turns.count();
  await page.getByRole('textbox', { name: 'Message to the assistant' }).fill(message);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await turns.nth(before).waitFor();
  assert.equal(await page.getByTestId('assistant-flow-replace-button').count(), 0);
}
