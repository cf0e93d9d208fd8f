import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDecisionLog, type Decision } from '@croft/guard';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { type GuardLogFlags, parseSince, runGuardLog } from './guard-log.ts';

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
    expect(await shown({ blocked: true })).not.toContain('Read');
    expect(await shown({ tool: 'Read' })).toMatch(/^[^\n]*Read[^\n]*\n$/);
    expect(await shown({ since: '1h' })).not.toContain('Bash');
    expect(await shown({ limit: 1 })).toMatch(/^[^\n]*Write[^\n]*\n$/);
    expect(await shown({ tool: 'nope' })).toContain('None of the 3 decisions');
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

  it('parses times and durations', () => {
    expect(parseSince('2h', 10_000_000)).toBe(2_800_000);
    expect(parseSince('2026-01-31', 0)).toBe(Date.UTC(2026, 0, 31));
    expect(() => parseSince('yesterday', 0)).toThrow('--since yesterday');
  });
});
