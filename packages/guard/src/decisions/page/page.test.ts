import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeProblems } from '../../../../../tests/browser/axe-problems.ts';
import { type LaunchedBrowser, launchChromium } from '../../../../../tests/browser/launch-chromium.ts';
import type { Decision, RuleName } from '../../decision.ts';
import { answerDecisions, createDecisionRoutes, type GuardFacts } from '../decision-routes.ts';
import { createDecisionLog, type DecisionLog } from '../decisions.ts';
import { createPageKeys, makePageCode, makePageSecret } from '../page-key.ts';

const ROOT = '/home/you/project';
const HOSTILE = `<img src=x onerror="document.title='taken'">`;
/** Set it to write screenshots of the page to this directory. */
const PICTURES = process.env.CROFT_PICTURES;

let launched: LaunchedBrowser;
let context: BrowserContext;
let page: Page;
let complaints: string[];
let server: Server;
let log: DecisionLog;
let facts: GuardFacts;
let origin: string;

beforeAll(async () => {
  launched = await launchChromium();
});
afterAll(() => launched?.close());

beforeEach(async () => {
  log = createDecisionLog();
  facts = { enabled: true, mode: 'enforce', strict: false, roots: [ROOT], newTemporary: true };
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await context?.close();
  server.close();
  server.closeAllConnections();
});

/** Opens the page by a one-time address and collects every error the browser reports, including policy violations. */
async function open(): Promise<void> {
  const secret = makePageSecret();
  const keys = createPageKeys(secret);
  const routes = createDecisionRoutes({ log, keys, facts: () => facts, version: '1.0.0' });
  server.removeAllListeners('request');
  server.on(
    'request',
    (request, response) => void (answerDecisions(routes, request, response) || response.end('upstream')),
  );
  context = await launched.browser.newContext({ viewport: { width: 1_100, height: 900 }, locale: 'en' });
  page = await context.newPage();
  // Timers run normally, and tests can advance the clock.
  await page.clock.install();
  complaints = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${origin}/guard/open?code=${makePageCode(secret)}`);
  await page.locator('#page').waitFor();
}

const block = (
  tool: string,
  path: string,
  agent = 'claude-code',
  rule: RuleName = 'outside-path',
  reason?: string,
): void => {
  const paths = path === '' ? [] : [{ written: path, read_as: path, inside: rule === 'protected-path' }];
  const decision: Decision = {
    decision: 'block',
    rule,
    reason: reason ?? `Path '${path}' is outside the project directory`,
    paths,
    accepted: '',
  };
  const [model, wire] = agent === 'codex' ? ['gpt-5.2-codex', 'openai-responses'] : ['claude-sonnet-4-5', 'anthropic'];
  log.record(decision, { tool, agent, model, wire, mode: facts.mode, root: ROOT });
};
const allow = (tool: string, agent: string, undecidable = false): void => {
  const reason = undecidable ? 'It is not known what the command writes: eval of a variable' : 'inside';
  log.record(
    { decision: 'allow', rule: 'allowed', reason, paths: [], accepted: '', ...(undecidable && { undecidable }) },
    { tool, agent, wire: 'mcp', mode: facts.mode, root: ROOT },
  );
};
const fill = (): void => {
  for (let i = 0; i < 58; i++) allow(i % 3 ? 'Edit' : 'Bash', 'claude-code');
  allow('run_command', 'cline', true);
  block('Write', '~/.ssh/authorized_keys');
  block(
    'Bash',
    '',
    'cline',
    'undecidable-command',
    'It is not known what the command writes: the text of eval is not known',
  );
  block(
    'write_file',
    '.git/hooks/pre-commit',
    'codex',
    'protected-path',
    "'.git/hooks/pre-commit' is protected: it is run or obeyed by another program later",
  );
  log.record(
    {
      decision: 'block',
      rule: 'outside-path',
      reason: "Path 'file:///srv/shared/notes/today.md' is outside the project directory",
      paths: [{ written: 'file:///srv/shared/notes/today.md', read_as: '/srv/shared/notes/today.md', inside: false }],
      accepted: '',
    },
    {
      tool: 'mcp__files__write_file',
      agent: 'opencode',
      model: 'gpt-5.2',
      wire: 'openai-responses',
      mode: facts.mode,
      root: ROOT,
    },
  );
};
/** Advances the clock to the next request of the page. */
const poll = () => page.clock.fastForward(2_000);
const rows = () => page.locator('#list > li .tool').allTextContents();
const picture = async (name: string) => {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(`${PICTURES}/${name}.png`, await page.screenshot({ fullPage: true }));
};

describe('the decisions page in a browser', () => {
  it('shows a stranger nothing, and remembers who came with the one-time address', async () => {
    block('Write', '/etc/secret-name');
    await open();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('1 call was blocked');
    expect(page.url()).toBe(`${origin}/guard`);
    await page.reload();
    await page.locator('#page').waitFor();
    const stranger = await launched.browser.newContext();
    const other = await stranger.newPage();
    await other.goto(`${origin}/guard`);
    await other.getByRole('heading', { name: 'Open it from your terminal' }).waitFor();
    expect(await other.content()).not.toContain('secret-name');
    await stranger.close();
    expect(complaints).toEqual([]);
  });

  it('says so when nothing was blocked yet, and shows what happens a moment after it happened', async () => {
    await open();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Nothing was blocked');
    await page.getByText('When an agent tries to write outside').waitFor();
    await picture('empty');
    block('Write', '/etc/cron.d/x');
    await poll();
    await page.getByRole('heading', { name: '1 call was blocked' }).waitFor({ timeout: 20_000 });
    await page.locator('#list').getByText("Path '/etc/cron.d/x' is outside").waitFor();
    expect(await page.locator('.chip.block').textContent()).toBe('outside-path');
    expect(complaints).toEqual([]);
  });

  it('shows a blocked call that the agent repeats at once as one row with a count, and a later repeat as another', async () => {
    block('Write', '/srv/x.md');
    await open();
    const toggle = page.getByRole('button', { name: 'Allow this path for this project…' });
    await toggle.focus();
    const repeated = page.locator('.chip.times:visible');
    expect(await repeated.count()).toBe(0);
    for (let i = 0; i < 3; i++) block('Write', '/srv/x.md');
    await poll();
    await page.getByRole('heading', { name: '4 calls were blocked' }).waitFor({ timeout: 20_000 });
    expect([await rows(), await repeated.allTextContents()]).toEqual([['Write'], ['4 times']]);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Allow this path for this project…');
    block('Write', '/etc/x');
    block('Write', '/srv/x.md');
    block('Write', '/srv/x.md', 'codex');
    await poll();
    await page.getByRole('heading', { name: '7 calls were blocked' }).waitFor({ timeout: 20_000 });
    expect([(await rows()).length, await repeated.allTextContents()]).toEqual([4, ['4 times']]);
    expect(await page.locator('#list > li').nth(1).textContent()).toContain('The agent tried the same before.');
    expect(await page.getByText('tried the same before').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('is filtered by what was decided, by agent and by tool', async () => {
    fill();
    await open();
    expect(await rows()).toEqual(['mcp__files__write_file', 'write_file', 'Bash', 'Write']);
    await page.getByLabel('Agent').selectOption('cline');
    await page.locator('#list > li').nth(1).waitFor({ state: 'detached' });
    expect(await rows()).toEqual(['Bash']);
    await page.getByRole('button', { name: 'Allowed' }).click();
    await page.getByText('allowed, undecidable').waitFor();
    expect(await rows()).toEqual(['run_command']);
    await page.getByLabel('Tool').selectOption('Edit');
    await page.getByText('Nothing fits').waitFor();
    await page.getByLabel('Agent').selectOption('');
    await page.locator('#list > li').nth(20).waitFor();
    expect(new Set(await rows())).toEqual(new Set(['Edit']));
    expect(complaints).toEqual([]);
  });

  it('shows and copies the line that would allow a path, and keeps it open while new ones come', async () => {
    block('Write', '/srv/shared/x.md');
    await open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    const toggle = page.getByRole('button', { name: 'Allow this path for this project…' });
    await toggle.click();
    const yaml = `sandboxing:\n  projects:\n    ${ROOT}:\n      allowed_roots:\n        - /srv/shared\n`;
    expect(await page.locator('pre').textContent()).toBe(yaml);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(yaml);
    block('Write', '/etc/x');
    await poll();
    await page.getByRole('heading', { name: '2 calls were blocked' }).waitFor({ timeout: 20_000 });
    expect(await page.locator('pre:visible').count()).toBe(1);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('pre:visible').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('keeps the keyboard where it was while new ones come', async () => {
    block('Write', '/srv/shared/x.md');
    await open();
    await page.getByRole('button', { name: 'Allow this path for this project…' }).focus();
    block('Write', '/etc/x');
    await poll();
    await page.getByRole('heading', { name: '2 calls were blocked' }).waitFor({ timeout: 20_000 });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Allow this path for this project…');
    expect(complaints).toEqual([]);
  });

  it('shows hostile names as the text they are', async () => {
    block(HOSTILE, `/srv/${HOSTILE}/x`, HOSTILE, 'outside-path', HOSTILE);
    block('Write', `/srv/"\n  evil: true/x`);
    await open();
    for (const toggle of await page.getByRole('button', { name: 'Allow this path' }).all()) await toggle.click();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).toBe('Croft guard');
    expect(await page.locator('#list').textContent()).toContain(HOSTILE);
    expect(complaints).toEqual([]);
  });

  it('says when the guard is gone, and when it is back', async () => {
    block('Write', '/etc/x');
    await open();
    await page.route('**/guard/decisions*', (route) => route.abort());
    await poll();
    await page.getByText('The guard does not answer').waitFor({ timeout: 20_000 });
    expect(await rows()).toEqual(['Write']);
    await page.unroute('**/guard/decisions*');
    await poll();
    await page.getByText('The guard does not answer').waitFor({ state: 'hidden', timeout: 20_000 });
  });

  it('says when it is off, dry, or without a project', async () => {
    facts = { ...facts, enabled: false };
    await open();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('The guard is off');
    await context.close();
    facts = { ...facts, enabled: true, mode: 'dry-run', roots: [] };
    block('Write', '/etc/x');
    await open();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('1 call would have been blocked');
    await page.getByText('This is a dry run').waitFor();
    await page.getByText('No project directory is known').waitFor();
    await picture('dry');
  });

  it('is accessible in both colour schemes, and not wider than its window', async () => {
    fill();
    await open();
    await page.getByRole('button', { name: 'Allow this path' }).first().click();
    await look('');
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.locator('#list > li').nth(20).waitFor();
    await look('-all');
    block('a'.repeat(90), `/srv/${'very-'.repeat(40)}long/x`, 'agent-'.repeat(12));
    await poll();
    await page.getByText('very-very-').first().waitFor();
    await look('-long');
    expect(complaints).toEqual([]);
  });

  /** Checks all rules in a wide light window, colours and width in the other looks. */
  async function look(name: string): Promise<void> {
    for (const width of [1_100, 360])
      for (const scheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: scheme });
        await picture(`${width}-${scheme}${name}`);
        const isFirst = width === 1_100 && scheme === 'light';
        const found =
          isFirst || scheme === 'dark' ? await axeProblems(page, isFirst ? undefined : 'color-contrast') : [];
        expect([name, width, scheme, found]).toEqual([name, width, scheme, []]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
  }
});
