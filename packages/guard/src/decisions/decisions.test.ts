import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import type { Decision, RuleName } from '../decision.ts';
import type { DecisionContext, DecisionRecord } from './decision-record.ts';
import { createDecisionLog } from './decisions.ts';

const CONTEXT: DecisionContext = { tool: 'Write', wire: 'anthropic', agent: 'cline', mode: 'enforce', root: '/p' };
const ALLOW: Decision = { decision: 'allow', reason: 'fine', rule: 'allowed', paths: [], accepted: '' };
const blockOf = (path: string, rule: RuleName = 'outside-path'): Decision => ({
  decision: 'block',
  reason: `Path '${path}' is outside the project directory`,
  rule,
  paths: [{ written: path, read_as: path, inside: false }],
  accepted: 'Use a path inside.',
});

let base: string;
let dir: string;
beforeEach(() => {
  base = testDir();
  dir = join(base, 'guard');
});

const files = () => readdirSync(dir).sort();
const lines = (): DecisionRecord[] =>
  files().flatMap((name) =>
    readFileSync(join(dir, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as DecisionRecord),
  );

describe('the log of decisions', () => {
  it('writes a blocked call before anything else happens, and allowed ones when their answers are out', async () => {
    const log = createDecisionLog({ dir });
    log.record(blockOf('/etc/x'), CONTEXT);
    expect(lines().map(({ decision, tool, agent, root }) => [decision, tool, agent, root])).toEqual([
      ['block', 'Write', 'cline', '/p'],
    ]);
    log.record(ALLOW, CONTEXT);
    log.record(ALLOW, CONTEXT);
    expect(lines()).toHaveLength(1);
    await turn();
    expect(lines().map(({ decision }) => decision)).toEqual(['block', 'allow', 'allow']);
    expect(new Set(lines().map(({ id }) => id)).size).toBe(3);
    log.close();
  });

  it('writes allowed calls that still wait when it is closed', () => {
    const log = createDecisionLog({ dir });
    log.record(ALLOW, CONTEXT);
    log.close();
    expect(lines()).toHaveLength(1);
    log.record(ALLOW, CONTEXT);
    log.close();
    expect(lines()).toHaveLength(1);
  });

  it('neither writes nor reads once it is closed, and closes its file', () => {
    const [log, other] = [createDecisionLog({ dir }), createDecisionLog({ dir })];
    log.record(blockOf('/1'), CONTEXT);
    const open = openSync(join(dir, 'decisions.1.ndjson'), 'r');
    log.close();
    const reopened = openSync(join(dir, 'decisions.1.ndjson'), 'r');
    for (const fd of [open, reopened]) closeSync(fd);
    expect(reopened).toBeLessThan(open);
    log.record(blockOf('/2'), CONTEXT);
    other.record(blockOf('/3'), CONTEXT);
    expect(lines().map(({ paths }) => paths[0]?.written)).toEqual(['/1', '/3']);
    expect(log.recent().map(({ paths }) => paths[0]?.written)).toEqual(['/2', '/1']);
    expect(log.totals).toMatchObject({ blocked: 2, unwritten: 0 });
    other.close();
  });

  it('waits a second after a failure, and counts what it does not write', () => {
    writeFileSync(dir, '');
    let now = 1_000_000;
    const errors: string[] = [];
    const log = createDecisionLog({ dir, now: () => now, onError: ({ message }) => void errors.push(message) });
    log.record(blockOf('/1'), CONTEXT);
    rmSync(dir);
    now += 999;
    log.record(ALLOW, CONTEXT);
    log.record(blockOf('/2'), CONTEXT);
    expect([existsSync(dir), log.totals.unwritten, errors.length]).toEqual([false, 3, 1]);
    now += 1;
    log.record(blockOf('/3'), CONTEXT);
    log.record(blockOf('/4'), CONTEXT);
    expect(lines().map(({ paths }) => paths[0]?.written)).toEqual(['/3', '/4']);
    expect(log.totals.unwritten).toBe(3);
    log.close();
  });

  it('survives an error of its reporter', () => {
    writeFileSync(dir, '');
    const log = createDecisionLog({
      dir,
      onError: () => {
        throw new Error('no');
      },
    });
    expect(log.record(blockOf('/x'), CONTEXT).decision).toBe('block');
    expect(log.totals.unwritten).toBe(1);
  });

  it('writes allowed calls at once if many wait', () => {
    const log = createDecisionLog({ dir });
    const large = { ...ALLOW, reason: 'x'.repeat(4_000) };
    let count = 0;
    while (!existsSync(dir)) {
      log.record(large, CONTEXT);
      count += 1;
    }
    expect(count).toBeGreaterThan(50);
    expect(lines()).toHaveLength(count);
    log.close();
  });

  it.skipIf(process.platform === 'win32')('creates its files with mode 0600', () => {
    const log = createDecisionLog({ dir });
    log.record(blockOf('/x'), CONTEXT);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, 'decisions.1.ndjson')).mode & 0o777).toBe(0o600);
    log.close();
  });

  it('stores no secrets and no control characters, and truncates long texts', () => {
    const log = createDecisionLog({ dir });
    const key = `sk-ant-api03-${'aB3'.repeat(20)}`;
    const { id } = log.record(
      {
        ...blockOf(`/tmp/${key}`),
        reason: `curl -H 'Authorization: Bearer ${key}' https://me:hunter2@host \u001b[31m \u202e password=hunter3 ${'x'.repeat(100_000)}`,
        paths: Array.from({ length: 500 }, (_, i) => ({
          written: `/${i}/${'é'.repeat(9_000)}`,
          read_as: key,
          inside: false,
        })),
      },
      { ...CONTEXT, tool: `a\nb${'c'.repeat(5_000)}`, model: `ghp_${'a1'.repeat(18)}` },
    );
    const [text = ''] = readFileSync(join(dir, 'decisions.1.ndjson'), 'utf8').split('\n');
    expect(text).toContain(id);
    for (const secret of [key, 'hunter2', 'hunter3', 'aB3aB3', '\u001b', '\u202e', 'a1a1a1'])
      expect(text).not.toContain(secret);
    expect(Buffer.byteLength(text)).toBeLessThan(64 * 1024);
    log.close();
  });

  it('counts upstreams that could not be reached', () => {
    const log = createDecisionLog();
    log.unreachable();
    log.unreachable();
    expect(log.totals.unreachable).toBe(2);
    expect(log.metrics()).toContain('croft_guard_upstream_errors_total 2');
  });

  it('keeps ordinary names whole: hashes, dates, versions', () => {
    const log = createDecisionLog();
    const names = [
      '/w/6a1f0b9c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f70',
      '/w/2026-11-22-my-long-note-name.md',
      '/w/sk-learn-examples-of-models',
    ];
    expect(names.map((name) => log.record(blockOf(name), CONTEXT).paths[0]?.written)).toEqual(names);
  });

  it('starts another file at the size limit and keeps the last two', () => {
    const log = createDecisionLog({ dir, maxFileBytes: 2_000 });
    for (let i = 0; i < 60; i++) log.record(blockOf(`/etc/${i}`), CONTEXT);
    expect(files().length).toBe(2);
    expect(lines().at(-1)?.paths[0]?.written).toBe('/etc/59');
    for (const name of files()) expect(statSync(join(dir, name)).size).toBeLessThan(2_600);
    log.close();
  });

  it('counts records that cannot be written, reports the first, and never throws', () => {
    writeFileSync(dir, 'a file where the directory should be');
    const told: Error[] = [];
    let now = 1_000_000;
    const log = createDecisionLog({ dir, onError: (error) => told.push(error), now: () => now });
    for (let i = 0; i < 5; i++) {
      now += 2_000;
      expect(log.record(blockOf('/etc/x'), CONTEXT).decision).toBe('block');
    }
    expect(told).toHaveLength(1);
    expect(log.totals).toMatchObject({ blocked: 5, unwritten: 5 });
    expect(log.metrics()).toContain('croft_guard_log_errors_total 5');
    expect(log.recent()).toHaveLength(5);
    rmSync(dir);
    now += 2_000;
    log.record(blockOf('/etc/back'), CONTEXT);
    expect(lines()).toHaveLength(1);
    log.close();
  });

  it.skipIf(process.platform === 'win32')('does not write through a link, and reports it', () => {
    mkdirSync(dir);
    symlinkSync(join(base, 'victim'), join(dir, 'decisions.1.ndjson'));
    const told: Error[] = [];
    const log = createDecisionLog({ dir, onError: (error) => told.push(error) });
    log.record(blockOf('/etc/x'), CONTEXT);
    expect(told).toHaveLength(1);
    expect(log.totals.unwritten).toBe(1);
    expect(existsSync(join(base, 'victim'))).toBe(false);
    log.close();
  });

  it('terminates half a line that a killed process left', () => {
    mkdirSync(dir);
    writeFileSync(join(dir, 'decisions.1.ndjson'), '{"id":"half');
    const log = createDecisionLog({ dir });
    log.record(blockOf('/etc/x'), CONTEXT);
    expect(log.recent()).toHaveLength(1);
    expect(readFileSync(join(dir, 'decisions.1.ndjson'), 'utf8').split('\n')).toHaveLength(3);
    log.close();
  });

  it('shows records of other processes, from before and after its start, once each', () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const clock = { now: () => (now += 1_000) };
    const hook = createDecisionLog({ dir, ...clock });
    hook.record(blockOf('/etc/before'), { ...CONTEXT, wire: 'hook' });
    const serve = createDecisionLog({ dir, ...clock });
    serve.record(blockOf('/etc/own'), CONTEXT);
    hook.record(blockOf('/etc/after'), { ...CONTEXT, wire: 'hook' });
    const seen = () => serve.recent().map(({ paths }) => paths[0]?.written);
    expect(seen()).toEqual(['/etc/after', '/etc/own', '/etc/before']);
    expect(seen()).toHaveLength(3);
    hook.record(blockOf('/etc/later'), { ...CONTEXT, wire: 'hook' });
    expect(seen()[0]).toBe('/etc/later');
    expect(serve.totals.blocked).toBe(1);
    for (const log of [hook, serve]) log.close();
  });

  it('follows other processes into their next file, and skips damaged lines', () => {
    const other = createDecisionLog({ dir, maxFileBytes: 1_000 });
    const log = createDecisionLog({ dir });
    for (let i = 0; i < 4; i++) other.record(blockOf(`/a/${i}`), CONTEXT);
    expect(log.recent().length).toBeGreaterThan(0);
    for (let i = 4; i < 9; i++) other.record(blockOf(`/a/${i}`), CONTEXT);
    expect(log.recent()[0]?.paths[0]?.written).toBe('/a/8');
    const newest = files().at(-1) as string;
    writeFileSync(join(dir, newest), 'null\n{"id":1}\n[]\nnot json\n{"decision":"block"}\n', { flag: 'a' });
    const before = log.recent().length;
    expect(log.recent()).toHaveLength(before);
    for (const one of [other, log]) one.close();
  });

  it('keeps a bounded list in memory, newest first', () => {
    const log = createDecisionLog({ maxRecords: 10 });
    for (let i = 0; i < 1_000; i++) log.record(blockOf(`/etc/${i}`), CONTEXT);
    expect(log.recent({ limit: 100 }).map(({ paths }) => paths[0]?.written)).toEqual(
      Array.from({ length: 10 }, (_, i) => `/etc/${999 - i}`),
    );
    expect(log.totals.blocked).toBe(1_000);
  });

  it('filters by tool, agent, decision, number and time', () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const log = createDecisionLog({ now: () => (now += 1_000) });
    const first = log.record(ALLOW, CONTEXT);
    const second = log.record(blockOf('/x'), { ...CONTEXT, tool: 'Edit' });
    const third = log.record(ALLOW, { ...CONTEXT, agent: undefined });
    const ids = (filter: Parameters<typeof log.recent>[0]) => log.recent(filter).map(({ id }) => id);
    expect(ids({ tool: 'Edit' })).toEqual([second.id]);
    expect(ids({ agent: 'cline' })).toEqual([second.id, first.id]);
    expect(ids({ decision: 'allow' })).toEqual([third.id, first.id]);
    expect(ids({ limit: 1 })).toEqual([third.id]);
    expect(ids({ since: first.id })).toEqual([third.id, second.id]);
    expect(ids({ since: second.time })).toEqual([third.id]);
  });

  it('counts for Prometheus by decision and rule', () => {
    const log = createDecisionLog();
    log.record(ALLOW, CONTEXT);
    log.record({ ...ALLOW, undecidable: true, rule: 'undecidable-command' }, CONTEXT);
    log.record(blockOf('/x'), CONTEXT);
    log.record(blockOf('/x'), { ...CONTEXT, mode: 'dry-run' });
    log.record(blockOf('/x', 'failure'), CONTEXT);
    const text = log.metrics();
    expect(text).toContain('# TYPE croft_guard_decisions_total counter');
    expect(text).toContain('croft_guard_decisions_total{decision="block",rule="outside-path"} 2');
    expect(text).toContain('croft_guard_decisions_total{decision="allow",rule="allowed"} 1');
    expect(text).toContain('croft_guard_undecidable_total 1');
    expect(text).toContain('croft_guard_dry_run_total 1');
    expect(text).toContain('croft_guard_errors_total 1');
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{[^}]*\})? \d+)$/);
    expect(text.endsWith('\n')).toBe(true);
  });
});
