import { describe, expect, it } from 'vitest';
import type { DoctorReport } from '../doctor/report.ts';
import { palette } from './colours.ts';
import { renderDoctorReport } from './doctor-report.ts';

const REPORT: DoctorReport = {
  ok: true,
  version: '1.2.3',
  node: '22.1.0',
  platform: 'linux x64',
  kernel: '6.1',
  resolver: { kind: 'openat2', guarantee: 'race-free' },
  koffi: '2.9',
  secondWall: { abi: 4, active: true },
  baseDir: {
    path: '/b',
    exists: true,
    writable: true,
    mode: '0700',
    pepper: { path: '/b/p', state: 'present', mode: '0600' },
  },
  server: null,
  namespace: { auto_login: true, mode: 'shared', effective_root: '/b/shared', resolution_error: null },
  configuration: [{ name: 'CROFT_PORT', value: 7860, source: 'default' }],
  configFile: null,
  guard: {
    root: '/p',
    file: '/b/croft.config.yaml',
    projectFile: '/p/croft.config.yaml',
    enabled: true,
    mode: 'enforce',
  },
  hooks: [],
  limits: { readBytes: 1048576 } as never,
  workspaces: [],
  problems: [],
  notes: [],
};
const colours = {
  bold: (text: string) => `*${text}*`,
  dim: (text: string) => `dim(${text})`,
  red: (text: string) => `red(${text})`,
  green: (text: string) => `green(${text})`,
  yellow: (text: string) => `yellow(${text})`,
};
const plain = palette({});
const shown = (changes: Partial<DoctorReport> = {}, paint = plain) =>
  renderDoctorReport({ ...REPORT, ...changes }, paint);
/** The lines of one section. */
const section = (title: string, changes: Partial<DoctorReport>) => {
  const lines = shown(changes, colours).split('\n');
  const from = lines.indexOf(`*${title}*`) + 1;
  return lines.slice(from, lines.indexOf('', from));
};

describe('the report of croft doctor', () => {
  it('has a section for each part, with aligned rows', () => {
    expect(shown()).toBe(`\
Croft 1.2.3
  Node      22.1.0
  Platform  linux x64
  Kernel    6.1

Path resolver
  Resolver  openat2: race-free
  koffi     2.9

Second sandbox
  Landlock   version 4
  Self-test  passed: nothing outside could be read

Base directory
  Path    /b
  State   writable, mode 0700
  Pepper  present, mode 0600

Server
  State  not running

Files
  auto_login        true
  mode              shared
  effective_root    /b/shared
  resolution_error  none

Configuration
  CROFT_PORT  7860  default
  File        none

Guard
  Project        /p
  Your policy    /b/croft.config.yaml
  The project's  /p/croft.config.yaml
  State          enforce

Limits
  readBytes  1,048,576

Workspaces with activity
  none

No problems found.
`);
  });

  it('says what is missing', () => {
    const { baseDir, namespace } = REPORT;
    expect(shown({ koffi: null })).toContain('koffi     not installed\n');
    expect(section('Second sandbox', { secondWall: { abi: 0, active: false, reason: 'no koffi' } })).toEqual([
      '  Landlock   none',
      '  Self-test  off: no koffi',
    ]);
    expect(section('Second sandbox', { secondWall: { abi: 1, active: true } })).toEqual([
      '  Landlock   version 1',
      '  Self-test  green(passed: nothing outside could be read)',
    ]);
    const gone = { ...baseDir, exists: false, pepper: { path: '/b/p', state: 'missing' } as const };
    expect(section('Base directory', { baseDir: gone })).toEqual([
      '  Path    /b',
      '  State   missing, created on first use',
      '  Pepper  missing, created for the first user',
    ]);
    expect(shown({ baseDir: { ...baseDir, writable: false } })).toContain('State   not writable, mode 0700\n');
    const broken = { ...namespace, auto_login: false, effective_root: null, resolution_error: 'gone' };
    expect(section('Files', { namespace: broken })).toEqual([
      '  auto_login        false',
      '  mode              shared',
      '  effective_root    unknown',
      '  resolution_error  gone',
    ]);
  });

  it('says whether the server answers', () => {
    const server = { address: 'http://s', pid: 7, answers: true, version: '1.0' };
    expect(section('Server', { server })).toEqual([
      '  State    green(runs and answers, process 7)',
      '  Address  http://s',
      '  Version  1.0',
    ]);
    expect(section('Server', { server: { ...server, pid: null, answers: false, version: null } })).toEqual([
      '  State    red(does not answer)',
      '  Address  http://s',
    ]);
  });

  it('names the source of each setting', () => {
    const configuration = [{ name: 'port', value: 80, source: '--port' }];
    expect(section('Configuration', { configuration, configFile: '/c.yaml' })).toEqual([
      '  port  80  dim(--port)',
      '  File  /c.yaml',
    ]);
  });

  it('says that the settings cannot be used, beside their file', () => {
    expect(section('Configuration', { configuration: [], configFile: '/c.yaml' })).toEqual([
      '  Values  cannot be used: see below',
      '  File    /c.yaml',
    ]);
  });

  it('shows the policy of the guard and the calls of hooks', () => {
    const guard = { root: null, file: null, projectFile: null, enabled: false, mode: 'enforce' } as const;
    const hooks = [
      { agent: 'Cursor', file: '/h/a', lastCall: null },
      { agent: 'Codex', file: '/h/b', lastCall: '2026-01-02T03:04:05.000Z' },
    ];
    expect(section('Guard', { guard, hooks })).toEqual([
      '  Project        none found here',
      '  Your policy    none',
      "  The project's  none",
      '  State          yellow(off)',
      '  Cursor         /h/a  yellow(never called)',
      '  Codex          /h/b  dim(last call 2026-01-02 03:04)',
    ]);
    const { guard: _, ...withoutPolicy } = REPORT;
    expect(renderDoctorReport({ ...withoutPolicy, hooks }, plain)).toContain(
      'Guard\n  Policy  cannot be used: see below\n\n',
    );
  });

  it('lists the directory and the workspaces with activity', () => {
    expect(section('Directory', { directory: { root: '/d', calls: 3 } })).toEqual(['  Root   /d', '  Calls  3']);
    const workspaces = [
      { root: '/w', exists: true, calls: 1, last: '2026-01-02T03:04:05.678Z' },
      { root: '/gone', exists: false, calls: 2 },
    ];
    expect(section('Workspaces with activity', { workspaces })).toEqual([
      '  2026-01-02 03:04:05  /w  dim(1 call)',
      '  no calls             /goneyellow( (gone))  dim(2 calls)',
    ]);
  });

  it('ends with notes, problems and their number', () => {
    const finding = (what: string) => ({ what, advice: 'Fix it' });
    const end = (changes: Partial<DoctorReport>) => shown(changes, colours).split('*Workspaces with activity*\n')[1];
    expect(end({ notes: [finding('One')] })).toBe(
      '  none\n\nyellow(Notes)\n  One.\n  → Fix it.\n\ngreen(No problems found.)\n',
    );
    expect(end({ ok: false, problems: [finding('A\u001b')] })).toBe(
      '  none\n\nred(Problems)\n  A\\u001b.\n  → Fix it.\n\nred(1 problem.)\n',
    );
    expect(end({ ok: false, problems: [finding('A'), finding('B')] })).toMatch(/\n\nred\(2 problems\.\)\n$/);
    const secondWall = { abi: 0, active: false, reason: 'no koffi' };
    const reduced = 'yellow(Reduced protection: Landlock does not restrict the process (no koffi).)\n';
    expect(end({ secondWall })).toBe(`  none\n\n${reduced}`);
    expect(end({ secondWall, ok: false, problems: [finding('A')] })).toContain(`red(1 problem.)\n${reduced}`);
  });

  it('does not let names control the terminal', () => {
    expect(shown({ directory: { root: '/\u001b[2J', calls: 0 } })).not.toContain('\u001b');
  });
});
