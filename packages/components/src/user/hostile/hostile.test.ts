import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { readComponent } from '../read-component.ts';
import type { ReadComponent, RowLimits } from '../sandbox/messages.ts';
import { SandboxSession } from '../sandbox-session.ts';
import { closeSandbox } from '../sandbox-threads.ts';
import { withShortJobs } from '../../testing.ts';
import { withTurns } from '@croft/workspace/testing';

interface HostileCase {
  readonly group: string;
  readonly name: string;
  /** The body of a method. */
  readonly body: string;
  /** `host-free`: gives a value without a trace of the host. `any`: ends, with or without a value. Others: the reason of the failure. */
  readonly ends: 'host-free' | 'any' | 'thrown' | 'time' | 'memory' | 'result';
  /** Whether the scan refuses it before it runs. */
  readonly scanned?: boolean;
  /** Statements before the class. */
  readonly pre?: string;
}

const CASES = readFileSync(new URL('corpus.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as HostileCase);

/** Short for what runs until it is stopped; the rest must not depend on the speed of the machine. */
const LIMITS: RowLimits = { timeMs: 150, memoryBytes: 32 * 1024 * 1024, resultChars: 1_000_000, logLines: 50 };
const PATIENT: RowLimits = { ...LIMITS, timeMs: 20_000 };
const OUTPUTS = [{ name: 'result', method: 'attack' }];
/** Kinds of the host's objects, its paths and its files. */
const TRACES = /"(?:object|function)|process|root:|file:|\/work|\/usr|\/home|passwd/;

const sourceOf = ({ pre = '', body }: Pick<HostileCase, 'pre' | 'body'>) =>
  `${pre}\nexport class Hostile extends Component {\n  outputs = [{ name: 'result', method: 'attack' }];\n  async attack() {\n    ${body}\n  }\n}`;

const componentOf = (js: string): ReadComponent => ({
  className: 'Hostile',
  label: 'Hostile',
  description: '',
  fields: [],
  outputs: [{ name: 'result', label: 'result', types: ['Any'], method: 'attack' }],
  js,
  // The functions that components import must not help either.
  imports: ['textScores', 'toRows', 'fillVariables', 'ComponentError'],
});

const runBody = async (session: SandboxSession) => session.run('{}', OUTPUTS);

afterAll(closeSandbox);

describe('hostile components', () => {
  it('has at least 60 cases in all groups, each once', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(60);
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
    expect([...new Set(CASES.map(({ group }) => group))]).toEqual([
      'escape',
      'prototype',
      'loop',
      'memory',
      'regex',
      'host',
    ]);
  });

  // Without the scan: the sandbox alone has to hold.
  it.each(CASES.map((each) => [`${each.group}: ${each.name}`, each] as const))('%s, and ends', async (_, each) => {
    const limits = each.ends === 'time' || each.ends === 'any' ? LIMITS : PATIENT;
    const session = new SandboxSession(componentOf(sourceOf(each)), { limits });
    try {
      const outcome = await runBody(session);
      const shown = JSON.stringify(outcome);
      if (each.ends === 'host-free') expect(outcome.ok, shown).toBe(true);
      else if (each.ends !== 'any') expect(outcome, shown).toMatchObject({ ok: false, reason: each.ends });
      if (outcome.ok) {
        expect(outcome.outputs).not.toMatch(TRACES);
        expect(outcome.outputs.length).toBeLessThanOrEqual(LIMITS.resultChars);
      } else {
        expect(outcome.message).not.toMatch(TRACES);
        expect(outcome.message.length).toBeLessThanOrEqual(1_200);
      }
      expect(outcome.logs.length).toBeLessThanOrEqual(LIMITS.logLines);
      for (const line of outcome.logs) expect(line.length).toBeLessThanOrEqual(1_000);
      expect('polluted' in {}).toBe(false);
    } finally {
      session.close();
    }
  });

  it.each(CASES.filter(({ scanned }) => scanned === true).map((each) => [each.name, each] as const))(
    'the scan refuses code that %s',
    async (_, each) => {
      const outcome = await readComponent(sourceOf(each));
      const kinds = outcome.ok ? [] : outcome.problems.map(({ kind }) => kind);
      expect(new Set(kinds)).toEqual(new Set(['forbidden']));
    },
  );

  it('a row does not see what a row before it changed', async () => {
    const attack = `const seen = [({}).left, typeof leftOver, [].map.left].join(); Object.prototype.left = 1;
      Object.defineProperty(globalThis.constructor.prototype, 'leftOver', { value: 1 }); Array.prototype.map.left = 1; return seen;`;
    const session = new SandboxSession(componentOf(sourceOf({ body: attack })), { limits: PATIENT });
    const first = await runBody(session);
    expect(first).toMatchObject({ ok: true, outputs: '{"result":",undefined,"}' });
    expect(await runBody(session)).toEqual(first);
    session.close();
  });

  it('typed arrays cannot take more memory than a component may have', async () => {
    const body =
      'const all = []; try { for (;;) all.push(new Uint8Array(1048576).fill(1)); } catch {} return all.length;';
    const session = new SandboxSession(componentOf(sourceOf({ body })), { limits: PATIENT });
    const outcome = await runBody(session);
    session.close();
    const taken = outcome.ok ? (JSON.parse(outcome.outputs) as { result: number }).result : 0;
    expect(taken * 1_048_576).toBeLessThanOrEqual(LIMITS.memoryBytes);
  });

  it('an endless loop does not hold up this thread, and the next row runs', async () => {
    const body = 'for (;;) {}';
    const session = new SandboxSession(componentOf(sourceOf({ body })), { limits: LIMITS });
    const { result: outcome, turns } = await withTurns(() => runBody(session));
    expect(outcome).toMatchObject({ ok: false, reason: 'time' });
    expect(turns).toBeGreaterThan(10);
    const next = new SandboxSession(componentOf(sourceOf({ body: 'return 1;' })), { limits: PATIENT });
    expect(await runBody(next)).toMatchObject({ ok: true });
    session.close();
    next.close();
  });

  it('a run that is cancelled ends a loop at once', async () => {
    const session = new SandboxSession(componentOf(sourceOf({ body: 'for (;;) {}' })), {
      limits: { ...LIMITS, timeMs: 600_000 },
    });
    const abort = new AbortController();
    const running = session.run('{}', OUTPUTS, abort.signal);
    setImmediate(() => abort.abort(new Error('cancelled')));
    await expect(running).rejects.toThrow('cancelled');
    session.close();
  });

  it.each([
    ['parameters of types', `x = ${'<T>('.repeat(40)}1${')'.repeat(40)}`],
    ['assignments', `x = ${'(a='.repeat(40)}1${')=>1'.repeat(40)}`],
    ['parentheses', `x = ${'('.repeat(200_000)}1`],
    ['templates', `x = ${'`${'.repeat(50_000)}1${'}`'.repeat(50_000)}`],
  ])('a source of nested %s is refused, and this thread stays free', async (_, source) => {
    const outcome = await withShortJobs(() => readComponent(source));
    expect(outcome).toMatchObject({ ok: false, problems: [{ kind: 'syntax' }] });
  });
});
