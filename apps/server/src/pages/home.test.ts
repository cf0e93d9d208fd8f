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

/** The text of a page, a line for each element that ends one. */
const textOf = (html: string) =>
  html
    .replace(/<pre.*?<\/pre>/gs, '')
    .replace(/<\/(h1|h2|p|dt|dd|li|button|span|tr)>|<br>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');

it('has the facts, the configurations and the activity in this order', () => {
  const page = renderHome(overview({ tools: ['read_file'], url: 'http://h' }));
  expect(textOf(page)).toEqual([
    'One directory is open to your agents',
    'The tools below cannot reach files outside this directory.',
    'Directory',
    '/home/ann/&#60;files&#62;',
    'Endpoint',
    'http://h/mcp',
    'Access',
    'Read and write; undo changes with croft undo',
    'Tools',
    'read_file',
    'Protection',
    'openat2; second sandbox on',
    'Version',
    '1.2.3',
    'Connect an agent',
    'Claude Code',
    'Cursor',
    'VS Code',
    'Codex',
    'Gemini CLI',
    'Any client',
    'Run in a terminal',
    'Show token',
    ' Copy',
    '~/.cursor/mcp.json',
    'Show token',
    ' Copy',
    '.vscode/mcp.json, or the user mcp.json',
    'Show token',
    ' Copy',
    '~/.codex/config.toml',
    'Show token',
    ' Copy',
    '~/.gemini/settings.json',
    'Show token',
    ' Copy',
    'Streamable HTTP',
    'Show token',
    ' Copy',
    'The token is a password for these directories. It is kept in a file that only you can read.',
    'Recent activity',
    'No agent has called a tool yet. Their calls appear here and in croft log.',
  ]);
});

it('speaks of several directories, and names each command', () => {
  const page = renderHome(
    overview({
      roots: ['/a', '/b'],
      token: undefined,
      advice: [
        { log: 'croft log', undo: 'croft undo' },
        { log: 'croft log b', undo: 'croft undo b' },
      ],
    }),
  );
  expect(textOf(page)).toEqual(
    expect.arrayContaining([
      'The tools below cannot reach files outside these directories.',
      'Directories',
      'Read and write; undo changes with croft undo or croft undo b',
      'No token is required: every program on this machine can use these tools.',
      'No agent has called a tool yet. Their calls appear here and in croft log or croft log b.',
    ]),
  );
});

it('connects each tab with its panel, and each button with its text', () => {
  const page = renderHome(overview({ toolset: '<set>' }));
  expect(page).toContain('aria-label="Tools of the set &#60;set&#62;"');
  expect(page).toContain('<div class="tabs" role="tablist" aria-labelledby="connect">');
  expect(page).toContain('<h2 id="connect">');
  expect(page).toContain('id="activity" aria-live="polite"><p class="empty">');
  const tabs = [
    ...page.matchAll(/role="tab" id="(.*?)" aria-controls="(.*?)" aria-selected="(.*?)" tabindex="(.*?)"/g),
  ];
  const panels = [...page.matchAll(/role="tabpanel" id="(.*?)" aria-labelledby="(.*?)"( hidden)?>/g)];
  const buttons = [...page.matchAll(/data-copy="(.*?)">Copy<\/button>.*?<pre tabindex="0" id="(.*?)" /gs)];
  const ids = ['claude-code', 'cursor', 'vscode', 'codex', 'gemini', 'any'];
  expect(tabs.map((each) => each.slice(1))).toEqual(
    ids.map((id, at) => [`tab-${id}`, `config-${id}`, String(at === 0), at === 0 ? '0' : '-1']),
  );
  expect(panels.map((each) => each.slice(1))).toEqual(
    ids.map((id, at) => [`config-${id}`, `tab-${id}`, at === 0 ? undefined : ' hidden']),
  );
  expect(buttons.map((each) => each.slice(1))).toEqual(ids.map((id) => [`text-${id}`, `text-${id}`]));
});

it('makes one row of each call', () => {
  const call = { time: '2026-01-02T03:04:05.678Z', tool: 'read', outcome: '<no>', what: 'a' };
  expect(renderRecent(overview({ recent: [call, { ...call, outcome: 'ok' }] }))).toBe(
    [
      '<table><tbody>',
      '<tr><td class="time"><time datetime="2026-01-02T03:04:05.678Z">03:04:05</time></td><td class="tool">read</td><td>a <span class="bad">&#60;no&#62;</span></td></tr>',
      '<tr><td class="time"><time datetime="2026-01-02T03:04:05.678Z">03:04:05</time></td><td class="tool">read</td><td>a</td></tr>',
      '</tbody></table>',
    ].join(''),
  );
});
