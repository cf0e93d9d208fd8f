import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { findGuardConfig } from '../policy/find-config.ts';
import type { PolicyFlags } from '../policy/load-policy.ts';
import { thisTurn } from './end-of-turn.ts';
import type { GuardedRequest } from './guarded-request.ts';
import { createRequestJudges, type RequestJudges } from './request-judges.ts';

let base: string;
let mine: string;
let other: string;
let judges: RequestJudges | undefined;
let notices: string[];

beforeEach(() => {
  base = testDir();
  mine = join(base, 'mine');
  other = join(base, 'roots/other');
  for (const dir of [mine, other, join(base, 'croft')]) mkdirSync(dir, { recursive: true });
  notices = [];
});

afterEach(() => {
  judges?.close();
  judges = undefined;
});

function open(flags: PolicyFlags = {}, own?: string, turn?: () => number): void {
  if (own !== undefined) writeFileSync(join(base, 'croft/croft.config.yaml'), own);
  const config = findGuardConfig({ flags, env: {}, baseDir: join(base, 'croft') }, mine);
  const keyRoots = [{ digest: createHash('sha256').update('key').digest('hex').slice(0, 8), root: other }];
  const sources = { root: mine, keyRoots, rootsBelow: join(base, 'roots') };
  judges = createRequestJudges(config, sources, (notice) => notices.push(notice), turn);
}

function requestWith(headers: Record<string, string>, model?: string): GuardedRequest {
  return { wire: 'openai-chat', method: 'POST', url: '/', header: (key) => headers[key], model: () => model };
}

const rootFor = (headers: Record<string, string>) => (judges as RequestJudges).for(requestWith(headers)).root;

function ask(headers: Record<string, string>, name: string, args: unknown, model?: string): string {
  const { judge, policy } = (judges as RequestJudges).for(requestWith(headers, model));
  const { decision, rule, reason } = judge.judge({ name, arguments: args });
  return `${policy.enabled ? '' : 'off '}${judge.enforce === true ? '' : 'dry '}${decision} ${rule} ${reason}`;
}

const byHeader = () => ({ 'x-croft-root': other });
const byKey = { authorization: 'Bearer key' };
const says = (text: string) => writeFileSync(join(other, 'croft.config.yaml'), `sandboxing:\n${text}`);
const UNDECIDED = ['run_command', { command: 'eval "$X"' }] as const;

describe("a project's own policy file, chosen by a request", () => {
  it.each([
    ['the header', byHeader],
    ['the key', () => byKey],
  ])('tightens what is judged for %s', (_, headers) => {
    says('  strict_mode: true\n  protect: [default, deploy/**]\n');
    open();
    expect(ask(headers(), ...UNDECIDED)).toMatch(/^block undecidable-command/);
    expect(ask(headers(), 'write_file', { path: 'deploy/x', content: '' })).toMatch(/^block protected-path/);
    expect(ask({}, ...UNDECIDED)).toMatch(/^allow/);
  });

  it('applies the overrides of each agent to its own requests', () => {
    open({}, 'sandboxing:\n  agents: {strict: {strict_mode: true}}\n');
    for (const [agent, expected] of [
      ['strict', /^block/],
      ['other', /^allow/],
      ['strict', /^block/],
    ] as const)
      expect(ask({ 'user-agent': `${agent}/1` }, ...UNDECIDED)).toMatch(expected);
  });

  it('cannot loosen the policy, and reports that once', () => {
    says('  enabled: false\n  mode: dry-run\n  excluded_tools: [write]\n  allowed_roots: [..]\n');
    open();
    for (let i = 0; i < 3; i++)
      expect(ask(byHeader(), 'write_file', { path: '../x', content: '' })).toMatch(/^block outside-path/);
    expect(notices.filter((notice) => notice.includes('excluded_tools is not obeyed'))).toHaveLength(1);
  });

  it("keeps the restrictions of the guard's own project", () => {
    writeFileSync(join(mine, 'croft.config.yaml'), 'sandboxing:\n  strict_mode: true\n');
    open();
    expect(ask(byHeader(), ...UNDECIDED)).toMatch(/^block undecidable-command/);
  });

  it('is read again when it changes, appears or disappears', () => {
    open();
    expect(ask(byHeader(), ...UNDECIDED)).toMatch(/^allow/);
    says('  strict_mode: true\n');
    expect(ask(byHeader(), ...UNDECIDED)).toMatch(/^block/);
    says('  strict_mode: fals\n');
    expect(ask(byHeader(), ...UNDECIDED)).toMatch(/^block failure/);
    // A different file with the same size and time counts as changed.
    const file = join(other, 'croft.config.yaml');
    writeFileSync(join(other, 'next'), 'sandboxing:\n  strict_mode: true\n ');
    utimesSync(join(other, 'next'), 1, 1);
    renameSync(join(other, 'next'), file);
    expect(ask(byHeader(), ...UNDECIDED)).toMatch(/^block undecidable-command/);
    rmSync(file);
    expect(ask(byHeader(), ...UNDECIDED)).toMatch(/^allow/);
  });

  it('is read again also after a time without changes', async () => {
    const file = join(other, 'croft.config.yaml');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    // Timestamps of files have a limited resolution.
    const tick = () => new Promise((done) => setTimeout(done, 25));
    const change = async (make: () => void) => {
      await tick();
      make();
      return [ask(byHeader(), ...UNDECIDED), ask(byHeader(), ...UNDECIDED)].map((said) => said.split(' ')[0]);
    };
    try {
      open();
      expect(await change(() => undefined)).toEqual(['allow', 'allow']);
      expect(await change(() => writeFileSync(join(other, 'else'), ''))).toEqual(['allow', 'allow']);
      expect(await change(() => says('  strict_mode: true\n'))).toEqual(['block', 'block']);
      expect(await change(() => says('  enabled: true \n'))).toEqual(['allow', 'allow']);
      expect(await change(() => says('  strict_mode: true\n'))).toEqual(['block', 'block']);
      expect(await change(() => rmSync(file))).toEqual(['allow', 'allow']);
      expect(await change(() => writeFileSync(join(other, 'croft.config.yml'), ''))).toEqual(['block', 'block']);
      expect(await change(() => rmSync(join(other, 'croft.config.yml')))).toEqual(['allow', 'allow']);
      // A dangling link: its directory does not change when the target appears.
      expect(await change(() => symlinkSync(join(mine, 'later'), file))).toEqual(['allow', 'allow']);
      expect(await change(() => writeFileSync(join(mine, 'later'), 'sandboxing:\n  strict_mode: true\n'))).toEqual([
        'block',
        'block',
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is checked once per turn of the event loop', async () => {
    const asked = () => ask(byHeader(), ...UNDECIDED).split(' ')[0];
    says('  enabled: true\n');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    try {
      open({}, undefined, thisTurn);
      for (const _ of [1, 2, 3]) expect([asked(), asked()]).toEqual(['allow', 'allow']);
      says('  strict_mode: true\n');
      expect(asked()).toBe('allow');
      await new Promise(setImmediate);
      expect([asked(), asked()]).toEqual(['block', 'block']);
      rmSync(join(other, 'croft.config.yaml'));
      await new Promise(setImmediate);
      expect([asked(), asked()]).toEqual(['allow', 'allow']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('blocks every call with the reason if it is invalid, also if the guard is off or in a dry run', () => {
    says('  strict_mod: true\n');
    open();
    expect(ask(byHeader(), 'read_file', { path: 'a' })).toMatch(
      /^block failure The project's own policy cannot be used, .*croft\.config\.yaml:2:3: .*strict_mod/,
    );
    judges?.close();
    open({ dryRun: true }, 'sandboxing:\n  enabled: false\n');
    expect(ask(byHeader(), 'read_file', { path: 'a' })).toMatch(/^block failure/);
    expect(ask({}, 'read_file', { path: 'a' })).toMatch(/^off dry allow/);
  });

  it('blocks every call if its name ends in .yml', () => {
    writeFileSync(join(other, 'croft.config.yml'), '');
    open();
    expect(ask(byKey, 'read_file', { path: 'a' })).toMatch(/^block failure .*its name must be croft.config.yaml/);
  });
});

describe('the root of a request', () => {
  it.each([
    [{ authorization: 'Bearer key' }],
    [{ authorization: 'bearer   key' }],
    [{ 'x-api-key': 'key' }],
    [{ 'x-goog-api-key': 'key' }],
    [{ 'api-key': 'key' }],
    [{ authorization: 'Basic other', 'x-api-key': 'key', 'x-goog-api-key': 'other' }],
    [{ 'x-goog-api-key': 'key', 'api-key': 'other' }],
  ])('is the one of its key: %j', (headers) => {
    open();
    expect(rootFor(headers)).toBe(other);
  });

  it.each([
    [{}],
    [{ authorization: 'Bearer other', 'x-api-key': 'key' }],
    [{ authorization: 'Bearer key more' }],
    [{ authorization: 'not Bearer key' }],
    [{ 'x-api-key': 'other', 'x-goog-api-key': 'key' }],
    [{ 'x-goog-api-key': 'other', 'api-key': 'key' }],
  ])('is the own one if its first key has none: %j', (headers) => {
    open();
    expect(rootFor(headers)).toBe(mine);
  });

  it('is the one of the key, also if the header names another', () => {
    open();
    mkdirSync(join(base, 'roots/third'));
    const header = { 'x-croft-root': join(base, 'roots/third') };
    expect(rootFor(header)).toBe(join(base, 'roots/third'));
    expect(rootFor({ ...byKey, ...header })).toBe(other);
  });

  it('does not exist if the header names a path that is not a directory below the configured one', () => {
    open();
    const roots = join(base, 'roots');
    mkdirSync(join(base, 'roots-2/x'), { recursive: true });
    writeFileSync(join(roots, 'file'), '');
    symlinkSync(mine, join(roots, 'out'));
    symlinkSync(other, join(roots, 'in'));
    for (const path of [
      roots,
      base,
      mine,
      join(base, 'roots-2/x'),
      join(roots, 'file'),
      join(roots, 'out'),
      'other',
      '',
    ])
      expect(rootFor({ 'x-croft-root': path }), path).toBeUndefined();
    expect(rootFor({ 'x-croft-root': join(roots, 'missing') })).toBeUndefined();
    expect(rootFor({ 'x-croft-root': join(roots, 'in') })).toBe(other);
    expect(ask({ 'x-croft-root': roots }, 'write_file', { path: 'a', content: '' })).toMatch(/^block /);
  });

  it('is the own one if no directory for others is configured', () => {
    const config = findGuardConfig({ flags: {}, env: {}, baseDir: join(base, 'croft') }, mine);
    judges = createRequestJudges(config, { root: mine, keyRoots: [], rootsBelow: undefined }, () => undefined);
    expect(rootFor(byHeader())).toBe(mine);
  });
});

describe('the judge of a request', () => {
  it('knows the agent by the first word of its User-Agent, and the model', () => {
    open();
    const subject = (agent: string) => (judges as RequestJudges).for(requestWith({ 'user-agent': agent }, 'm-1'));
    expect(subject('claude-cli/2.0 (external)').agent).toBe('claude-cli');
    expect(subject('a'.repeat(65)).agent).toBe('a'.repeat(64));
    expect(subject('(none)').agent).toBeUndefined();
    expect(subject('x').model()).toBe('m-1');
  });

  it('obeys the overrides of the model', () => {
    open({}, 'sandboxing:\n  models: {m-1: {strict_mode: true}}\n');
    for (const [model, expected] of [
      ['m-1', /^block/],
      ['m-2', /^allow/],
      ['m-1', /^block/],
    ] as const)
      expect(ask({}, ...UNDECIDED, model)).toMatch(expected);
  });

  it('does not read the model if no setting depends on it', () => {
    open({}, 'sandboxing:\n  agents: {strict: {strict_mode: true}}\n');
    const model = vi.fn();
    expect((judges as RequestJudges).for({ ...requestWith({}), model }).policy.enabled).toBe(true);
    expect(model).not.toHaveBeenCalled();
  });

  it('is chosen once per request, and judges also after 64 others and after the end', () => {
    open();
    const request = requestWith({ 'user-agent': 'first' });
    const first = (judges as RequestJudges).for(request);
    expect((judges as RequestJudges).for(request)).toBe(first);
    const verdicts = () =>
      ['a', '../a'].map((path) => first.judge.judge({ name: 'write_file', arguments: { path, content: '' } }).decision);
    for (let other = 0; other < 70; other += 1) ask({ 'user-agent': `agent-${other}` }, 'read_file', { path: 'a' });
    expect(verdicts()).toEqual(['allow', 'block']);
    judges?.close();
    expect(verdicts()).toEqual(['allow', 'block']);
  });
});
