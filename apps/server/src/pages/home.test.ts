import { expect, it } from 'vitest';
import { type Overview, renderHome, renderRecent } from './home.ts';

const overview = (over: Partial<Overview> = {}): Overview => ({
  url: 'http://127.0.0.1:7860',
  token: 'croft_secret',
  roots: ['/home/ann/<files>'],
  tools: ['read_file', 'write_file'],
  toolset: 'full',
  readOnly: false,
  resolver: 'openat2',
  secondWall: 'on',
  version: '1.2.3',
  recent: [],
  advice: [{ log: 'croft log', undo: 'croft undo' }],
  ...over,
});

it('says what agents can reach and do', () => {
  const page = renderHome(overview());
  expect(page).toContain('<h1>One directory is open to your agents</h1>');
  expect(page).toContain('<code>/home/ann/&#60;files&#62;</code>');
  expect(page).toContain('<code>http://127.0.0.1:7860/mcp</code>');
  expect(page).toContain('Read and write; undo changes with <code>croft undo</code>');
  expect(page).toContain('<li><code>read_file</code></li><li><code>write_file</code></li>');
  const both = renderHome(overview({ roots: ['/a', '/b'], readOnly: true }));
  expect(both).toContain('<h1>2 directories are open to your agents</h1>');
  expect(both).toContain('<code>/a</code><br><code>/b</code>');
  expect(both).toContain('<dd>Read only</dd>');
});

it('shows the token only where a person asks for it', () => {
  const page = renderHome(overview());
  expect(page).toMatch(/<pre[^>]*data-text="[^"]*croft_secret[^"]*">[^<]*croft_…/);
  expect(page.replace(/data-text="[^"]*"/g, '')).not.toContain('croft_secret');
  expect(page).toContain('data-reveal');
});

it('warns where no token is required', () => {
  const open = renderHome(overview({ token: undefined }));
  expect(open).toContain('class="bad">No token is required');
  expect(open).not.toContain('data-reveal');
});

it('shows one configuration, and the others on their tabs', () => {
  const page = renderHome(overview());
  expect(page.match(/role="tab" /g)).toHaveLength(6);
  expect(page.match(/aria-selected="true" tabindex="0"/g)).toHaveLength(1);
  expect(page.match(/role="tabpanel"[^>]* hidden>/g)).toHaveLength(5);
});

it('lists the newest calls as text, with their problems', () => {
  const call = { time: '2026-01-02T03:04:05.678Z', tool: '<b>', outcome: 'ok', what: '' };
  const rows = renderRecent(overview({ recent: [call, { ...call, tool: 'read', outcome: 'denied', what: 'a&b' }] }));
  expect(rows).toContain('<time datetime="2026-01-02T03:04:05.678Z">03:04:05</time>');
  expect(rows).toContain('<td class="tool">&#60;b&#62;</td><td>.</td>');
  expect(rows).toContain('<td>a&#38;b <span class="bad">denied</span></td>');
  expect(renderRecent(overview())).toContain('<code>croft log</code>');
});
