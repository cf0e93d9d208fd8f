import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDecisionLog, type Decision } from '@croft/guard';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { UsageError } from '../usage-error.ts';
import { type GuardLogFlags, renderDecision, runGuardLog } from './guard-log.ts';

let base: string;

beforeEach(() => {
  base = testDir();
  vi.stubEnv('CROFT_BASE_DIR', base);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const allowed: Decision = { decision: 'allow', rule: 'allowed', reason: '', paths: [], accepted: '' };
const blocked: Decision = {
  decision: 'block',
  rule: 'outside-path',
  reason: "Path '/etc/x' is outside",
  paths: [{ written: '/etc/x', read_as: '/etc/x', inside: false }],
  accepted: '',
};

function keep(now: number, ...decisions: readonly (readonly [string, Decision])[]): void {
  const log = createDecisionLog({ dir: join(base, 'guard'), now: () => now });
  for (const [tool, decision] of decisions)
    log.record(decision, { tool, wire: 'hook', agent: 'claude-code', mode: 'enforce' });
  log.close();
}

async function shown(flags: Partial<GuardLogFlags> = {}): Promise<string> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  await runGuardLog({ limit: 50, ...flags });
  return text;
}

describe('croft guard log', () => {
  it('names the log directory when there are no decisions', async () => {
    expect(await shown()).toBe(
      `The guard has decided nothing yet (${join(base, 'guard')}). croft guard hook, mcp and serve record their decisions there.\n`,
    );
    expect(await shown({ json: true })).toBe('');
  });

  it('shows decisions, oldest first, without colours if there is no terminal', async () => {
    keep(Date.UTC(2026, 0, 2), ['Read', allowed], ['Write', blocked]);
    keep(Date.UTC(2026, 0, 1), ['Bash', blocked]);
    expect(await shown()).toBe(
      [
        "2026-01-01 00:00:00  blocked  Bash   outside-path: Path '/etc/x' is outside  by claude-code, hook",
        '2026-01-02 00:00:00  allowed  Read   by claude-code, hook',
        "2026-01-02 00:00:00  blocked  Write  outside-path: Path '/etc/x' is outside  by claude-code, hook",
        '',
      ].join('\n'),
    );
  });

  it('shows only matching decisions', async () => {
    keep(Date.now(), ['Read', allowed], ['Write', blocked]);
    keep(Date.now() - 7_200_000, ['Bash', blocked]);
    const tools = async (flags: Partial<GuardLogFlags>) =>
      (await shown(flags)).split('\n').flatMap((line) => /(?:allowed|blocked) +(\w+)/.exec(line)?.[1] ?? []);
    expect(await tools({})).toEqual(['Bash', 'Read', 'Write']);
    expect(await tools({ limit: 0 })).toEqual(['Bash', 'Read', 'Write']);
    expect(await tools({ limit: 2 })).toEqual(['Read', 'Write']);
    expect(await tools({ blocked: true })).toEqual(['Bash', 'Write']);
    expect(await tools({ tool: 'Read' })).toEqual(['Read']);
    expect(await tools({ since: '1h' })).toEqual(['Read', 'Write']);
    keep(Date.UTC(2020, 0, 2) - 1, ['Before', allowed]);
    keep(Date.UTC(2020, 0, 2), ['Then', allowed]);
    expect(await tools({ since: '2020-01-02' })).toEqual(['Then', 'Bash', 'Read', 'Write']);
    expect(await shown({ tool: 'nope' })).toBe(`None of the 5 decisions in ${join(base, 'guard')} matches.\n`);
    expect(await shown({ tool: 'nope', json: true })).toBe('');
    const [line = ''] = (await shown({ json: true, tool: 'Bash' })).split('\n');
    expect(JSON.parse(line)).toMatchObject({ tool: 'Bash', decision: 'block' });
  });

  it('skips damaged lines, and escapes control characters', async () => {
    keep(Date.now(), ['a\u001b[31mb', blocked]);
    mkdirSync(join(base, 'guard'), { recursive: true });
    writeFileSync(join(base, 'guard/decisions.7.ndjson'), '{"id":\nnope\n');
    expect(await shown()).not.toContain('\u001b');
  });

  it('escapes control characters in records that another program wrote', async () => {
    mkdirSync(join(base, 'guard'), { recursive: true });
    const record = {
      id: 'x-1',
      time: '2026-01-01T00:00:00.\u001b[2J',
      wire: 'hook\u001b[1m',
      tool: 'a\u001b[31mb',
      agent: '\u001b]0;x\u0007',
      decision: 'block',
      rule: 'x\u001b[0m',
      reason: '\u202e\u001b[8m',
      paths: [{ written: '\u001b[5m', read_as: '', inside: false }],
      mode: 'enforce',
    };
    const lines = [record, { ...record, id: 'x-2', decision: 'allow' }].map((one) => JSON.stringify(one));
    writeFileSync(join(base, 'guard/decisions.1.ndjson'), `${lines.join('\n')}\n`);
    for (const json of [false, true]) {
      const text = await shown({ json });
      expect(text).not.toMatch(/[\u001b\u0007\u202e]/);
      expect(text.trimEnd().split('\n')).toHaveLength(2);
    }
  });

  it('says why the decisions cannot be read', async () => {
    writeFileSync(join(base, 'guard'), '');
    await expect(shown()).rejects.toThrow(
      new UsageError(`The decisions in ${join(base, 'guard')} cannot be read: Not a directory`),
    );
  });

  it.each([
    [allowed, {}, 'allowed  Read    '],
    [{ ...allowed, paths: blocked.paths }, {}, 'allowed  Read    /etc/x  '],
    [
      { ...allowed, rule: 'no-path', reason: 'It has none' },
      { undecidable: true },
      'allowed  Read    no-path: It has none  ',
    ],
    [blocked, {}, "blocked  Read    outside-path: Path '/etc/x' is outside  "],
    [blocked, { mode: 'dry-run' }, "dry run  Read    outside-path: Path '/etc/x' is outside  "],
    [allowed, { mode: 'dry-run' }, 'allowed  Read    '],
  ])('shows one decision as one line: %j %j', (decision, more, line) => {
    const record = { id: '1', time: '2026-01-02T03:04:05.678Z', tool: 'Read', wire: 'hook', mode: 'enforce' };
    const rendered = (fields: object) => renderDecision({ ...record, ...decision, ...more, ...fields } as never, 6);
    expect(rendered({ agent: 'codex' })).toBe(`2026-01-02 03:04:05  ${line}by codex, hook`);
    expect(rendered({})).toBe(`2026-01-02 03:04:05  ${line}by an agent, hook`);
  });

  it('shows and reads times in local time', async () => {
    vi.stubEnv('TZ', 'America/New_York');
    keep(Date.UTC(2020, 0, 2, 4), ['Before', allowed]);
    keep(Date.UTC(2020, 0, 2, 6), ['Then', allowed]);
    const lines = (await shown({ since: '2020-01-02' })).trimEnd().split('\n');
    vi.stubEnv('TZ', 'UTC');
    expect(lines).toEqual([expect.stringMatching(/^2020-01-02 01:00:00 .* Then /)]);
  });

  it('is as wide as the longest name of a tool, up to 30 characters', async () => {
    keep(0, ['abc', allowed], ['x'.repeat(31), allowed]);
    const [, second = ''] = (await shown({ limit: 2 })).split('\n');
    expect((await shown({ limit: 2 })).split('\n')[0]).toContain(`  abc${' '.repeat(27)}  by`);
    expect(second).toContain(`  ${'x'.repeat(31)}  by`);
    expect(await shown({ tool: 'abc' })).toContain('  abc   by');
  });
});
