import { type ScriptedProvider, type ScriptedReply, startScriptedProvider } from '@croft/models/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { viewProblems } from './axe-problems.ts';
import { useStudio } from './use-studio.ts';

let provider: ScriptedProvider;
let reply: ScriptedReply = { text: 'ok' };
const opener = useStudio({ newUser: true }, () => ({
  flowHosts: [new URL(provider.url).host],
  flowCommands: ['npx -y fixed-server'],
}));

beforeAll(async () => {
  provider = await startScriptedProvider(() => reply);
});
afterAll(async () => provider?.close());

it('sets up a provider, tests its key, and changes and deletes variables', async () => {
  const { page } = await opener.open({ path: 'settings/providers' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Test croft').click();
  await page.getByText(/ answered in /).waitFor();
  await page.getByText('Set up OpenAI', { exact: true }).click();
  await page.getByLabel('OPENAI_API_KEY').fill(provider.variables['OPENAI_API_KEY'] ?? '');
  expect(await viewProblems(page)).toEqual([]);
  await page.getByRole('region', { name: 'Set up OpenAI' }).getByRole('button', { name: 'Save' }).click();
  await button('Test OpenAI').waitFor();

  await page.getByRole('link', { name: 'Variables', exact: true }).click();
  await page.getByText('OPENAI_API_KEY').waitFor();
  await button('New variable').click();
  await page.getByLabel('Name').fill('OPENAI_BASE_URL');
  await page.getByLabel('Kind').selectOption('Text: runs and logs may show it');
  await page.getByLabel('Value').fill(provider.variables['OPENAI_BASE_URL'] ?? '');
  expect(await viewProblems(page)).toEqual([]);
  await button('Save').click();
  await page.getByText('OPENAI_BASE_URL').waitFor();
  expect(await viewProblems(page)).toEqual([]);
  expect(await page.content()).not.toContain('sk-canary');

  await page.getByRole('link', { name: 'Model providers' }).click();
  await button('Test OpenAI').click();
  await page
    .getByRole('status')
    .filter({ hasText: /gpt.* answered in / })
    .waitFor();
  reply = { status: 401, body: '{"error":{"message":"Incorrect API key"}}' };
  await button('Test OpenAI').click();
  await page.getByText(/Set OPENAI_API_KEY to a valid key/).waitFor();
  expect(await viewProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'Variables', exact: true }).click();
  await button('Delete OPENAI_API_KEY').click();
  await button('Delete variable').click();
  await expect.poll(() => page.getByText('OPENAI_API_KEY').count()).toBe(0);
});

it('allows a command after it showed what runs, and removes it', async () => {
  const { page, expectComplaint } = await opener.open({ path: 'settings/workers', newUser: false });
  const card = page.getByRole('region', { name: 'Commands of MCP servers' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await card.getByText('npx -y fixed-server').waitFor();
  await card.getByText('Fixed by CROFT_FLOW_COMMANDS').waitFor();
  expect(await card.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  await button('Allow a command').click();
  expectComplaint(/400/);
  await page.getByLabel('Command', { exact: true }).fill('no-such-program');
  await button('Check').click();
  await page.getByText("finds no program 'no-such-program'").waitFor();
  const command = `${process.execPath} --version`;
  await page.getByLabel('Command', { exact: true }).fill(command);
  await button('Check').click();
  const dialog = page.getByRole('dialog', { name: 'Allow this command?' });
  await dialog.getByRole('listitem').filter({ hasText: '--version' }).waitFor();
  await dialog.getByText(/runs with the rights of the server/).waitFor();
  expect(await viewProblems(page)).toEqual([]);
  await button('Allow command').click();
  await dialog.waitFor({ state: 'hidden' });
  await card.getByText(command, { exact: true }).first().waitFor();
  expect(await viewProblems(page)).toEqual([]);
  await button(`Remove ${command}`).click();
  await button('Remove command').click();
  await button(`Remove ${command}`).waitFor({ state: 'detached' });
});

it('gives a user a new password, disables and enables them, and says what a deletion takes away', async () => {
  const { page, server, visitor } = await opener.open({ path: 'settings/users' });
  const name = 'Carla de la Fuente-Montgomery von und zu Hohenstein';
  const email = 'carla.hohenstein.with.a.long.address@department.croft.example';
  const old = await visitor.json('/api/v1/users', { method: 'POST', json: { name, email, password: 'forgotten one' } });
  expect(old.status).toBe(201);
  await page.reload();
  const row = page.getByRole('listitem').filter({ hasText: name });
  const choose = async (item: string) => {
    await row.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  await choose('Set a new password');
  await page.getByRole('dialog').getByLabel('New password', { exact: true }).fill('a new secret');
  expect(await viewProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('has a new password.').waitFor();
  await expect(server.signIn(email, 'forgotten one')).rejects.toThrow();
  await server.signIn(email, 'a new secret');
  await choose('Disable');
  await page.getByText(/is disabled and signed out/).waitFor();
  await row.getByText('Disabled', { exact: true }).waitFor();
  await choose('Enable');
  await page.getByText(/can sign in again/).waitFor();
  // A phone shows the whole name and address, in two lines each.
  await page.setViewportSize({ width: 390, height: 844 });
  for (const text of [name, email])
    expect(((await row.getByText(text).boundingBox())?.height ?? 0) / 20).toBeGreaterThan(1.5);
  await choose('Delete');
  await page.getByText(/deletes their flows for good, also for others who use them/).waitFor();
  await page.getByRole('button', { name: 'Delete user' }).click();
  await row.waitFor({ state: 'detached' });
});
