import { runInNewContext } from 'node:vm';
import { parseHTML } from 'linkedom';
import { expect, it } from 'vitest';
import { KEY_HEADER, PAGE_SCRIPT } from './page-script.ts';
import { renderPage } from './render-page.ts';

/** The parts of an element that these tests use. */
interface Element {
  readonly hidden: boolean;
  readonly textContent: string | null;
  readonly children: Iterable<Element>;
  querySelector(selector: string): Element | null;
}

const TOTALS = { allowed: 2, blocked: 1, undecidable: 0, dryRun: 0, errors: 0, unwritten: 0, unreachable: 0 };
const FACTS = { enabled: true, mode: 'enforce', strict: false, roots: ['/p', '/q'], newTemporary: false };
const DRY = { ...FACTS, mode: 'dry-run' };
const kept = (calls: number, blocked: number, dryRun: number) => ({ calls, blocked, dryRun });
const BLOCKED = {
  id: 'd1',
  decision: 'block',
  time: '2026-03-01T12:00:00Z',
  rule: 'outside-path',
  reason: "Path '/etc/x' is outside",
  tool: 'Write',
  agent: 'cline',
  model: 'm',
  wire: 'mcp',
  mode: 'enforce',
  paths: [{ written: '/etc/x', read_as: '/etc/x', inside: false }],
};
const data = (more: object = {}) => ({
  decisions: [BLOCKED],
  totals: TOTALS,
  kept: kept(3, 1, 0),
  facts: FACTS,
  // The document of this test has no options that can be set.
  agents: [],
  tools: [],
  ...more,
});

/** Runs the script in a page, with these answers of the guard. */
async function open(answer: object | number | undefined, key: string | null = 'k') {
  const { document } = parseHTML(renderPage().body);
  const asked: { url: string; headers: Record<string, string> }[] = [];
  const timers: (() => void)[] = [];
  let current = answer;
  runInNewContext(PAGE_SCRIPT, {
    document,
    URLSearchParams,
    localStorage: { getItem: () => key },
    setInterval: (act: () => void, every: number) => (expect(every).toBe(2_000), timers.push(act)),
    fetch: async (url: string, { headers }: { headers: Record<string, string> }) => {
      asked.push({ url, headers });
      if (current === undefined) throw new Error('gone');
      const status = typeof current === 'number' ? current : 200;
      return { status, ok: status === 200, text: async () => JSON.stringify(current) };
    },
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  const by = (id: string) => document.getElementById(id) as unknown as Element;
  const again = async (next: object | number | undefined) => {
    current = next;
    for (const act of timers) act();
    await turn();
  };
  return { asked, by, again, textOf: (id: string) => by(id).textContent };
}

it('shows the page to a browser with a key, and asks with it', async () => {
  const { asked, by, textOf } = await open(data());
  expect(asked).toEqual([{ url: '/guard/decisions?limit=200&decision=block', headers: { [KEY_HEADER]: 'k' } }]);
  expect([by('locked').hidden, by('page').hidden, by('gone').hidden]).toEqual([true, false, true]);
  expect(textOf('headline')).toBe('1 call was blocked');
  expect(textOf('where')).toContain('Writing is allowed in /p, /q. Default mode');
  expect(textOf('stats')).toBe('Since the start:2 allowed1 blocked0 undecidable');
  expect(textOf('list')).toContain('cline · m · mcp · ');
  expect(textOf('list')).toContain("Path '/etc/x' is outside");
});

it('locks the page without a key, and where the guard refuses it', async () => {
  const without = await open(data(), null);
  expect([without.by('locked').hidden, without.by('page').hidden, without.asked]).toEqual([false, true, []]);
  for (const status of [401, 403]) expect((await open(status)).by('page').hidden).toBe(true);
});

it('says that the guard is gone, and shows it again', async () => {
  const { by, again } = await open(data());
  await again(undefined);
  expect(by('gone').hidden).toBe(false);
  await again(data());
  expect(by('gone').hidden).toBe(true);
  await again(500);
  expect([by('gone').hidden, by('page').hidden]).toEqual([false, false]);
});

it.each<[object, string]>([
  [{ facts: { ...FACTS, enabled: false } }, 'The guard is off'],
  [{ kept: kept(0, 0, 0) }, 'Nothing was blocked'],
  [{ kept: kept(9, 2, 0) }, '2 calls were blocked'],
  [{ kept: kept(1_000, 2, 0) }, '2 of the last 1,000 calls were blocked'],
  [{ facts: DRY, kept: kept(3, 0, 1) }, '1 call would have been blocked'],
  [{ facts: DRY, kept: kept(0, 0, 0) }, 'Nothing would have been blocked'],
  [{ kept: kept(9, 0, 4) }, '4 calls would have been blocked'],
  [{ kept: kept(30, 20, 4) }, '20 calls were blocked, and 4 would have been blocked in a dry run'],
  [{ kept: kept(1_000, 1, 4) }, '1 of the last 1,000 calls was blocked, and 4 would have been blocked in a dry run'],
])('has the headline for %j', async (more, headline) => {
  expect((await open(data(more))).textOf('headline')).toBe(headline);
});

it('says that the headline also counts calls from before the start', async () => {
  const { textOf } = await open(data({ kept: kept(9, 2, 0) }));
  expect([textOf('headline'), textOf('stats')]).toEqual([
    '2 calls were blocked',
    'Since the start:2 allowed1 blocked0 undecidableThe list also has earlier calls.',
  ]);
});

it.each<[object, string, string]>([
  [{}, 'Blocked', '2 allowed1 blocked0 undecidable'],
  [{ facts: DRY, kept: kept(3, 0, 0) }, 'Would be blocked', '2 allowed1 blocked0 would be blocked0 undecidable'],
  [
    { totals: { ...TOTALS, blocked: 5, dryRun: 4 }, kept: kept(7, 1, 4) },
    'Blocked or dry run',
    '2 allowed1 blocked4 would be blocked0 undecidable',
  ],
])('does not name calls of a dry run blocked, with %j', async (more, choice, stats) => {
  const { textOf } = await open(data(more));
  expect([textOf('stopped'), textOf('stats')]).toEqual([choice, `Since the start:${stats}`]);
});

it('says what is special', async () => {
  const { by, textOf } = await open(
    data({
      totals: { ...TOTALS, unwritten: 1, errors: 2, unreachable: 3 },
      facts: { ...FACTS, strict: true, roots: [], mode: 'dry-run' },
    }),
  );
  expect([by('dry').hidden, by('unwritten').hidden]).toEqual([false, false]);
  expect(textOf('where')).toBe('No project directory is known, so no tool call passes.');
  expect(textOf('stats')).toContain('2 errors of the guard3 times an upstream was not reached');
  expect((await open(data({ facts: { ...FACTS, strict: true } }))).textOf('where')).toContain('Strict mode');
  expect((await open(data({ facts: { ...FACTS, newTemporary: true } }))).textOf('where')).toContain(
    'Writing is allowed in /p, /q, and in new files of the system’s temporary directory. Default mode',
  );
  expect((await open(data({ decisions: [] }))).textOf('list')).toContain(
    'When an agent tries to write outside the project',
  );
});

it('shows repeats of a blocked call in one row with their number, and inserts names as text', async () => {
  const older = { ...BLOCKED, id: 'd0' };
  const { by } = await open(data({ decisions: [BLOCKED, older, { ...BLOCKED, id: 'd2', tool: '<b>x</b>' }] }));
  const rows = [...by('list').children];
  expect(rows.map((row) => row.querySelector('.times')?.hidden)).toEqual([false, true]);
  expect(rows[0]?.querySelector('.times')?.textContent).toBe('2 times');
  expect([by('list').querySelector('b'), rows[1]?.textContent?.includes('<b>x</b>')]).toEqual([null, true]);
});
