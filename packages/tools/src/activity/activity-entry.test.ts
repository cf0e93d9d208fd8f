import { describe, expect, it } from 'vitest';
import {
  type ActivityEntry,
  type Actor,
  actorName,
  MAX_READ_BYTES,
  readEntry,
  recordedActor,
  toChangeLine,
  toReadLine,
  VIA,
} from './activity-entry.ts';

const ENTRY: ActivityEntry = {
  id: '1-s-1',
  time: '2026-01-01T00:00:00.000Z',
  actor: { userId: null, via: 'mcp', client: 'cursor' },
  tool: 'read_file',
  paths: ['a'],
  outcome: 'ok',
  durationMs: 1,
};
const parse = (line: string) => JSON.parse(line) as ActivityEntry;

describe('an entry read from the log', () => {
  it('is the entry that was written', () => {
    expect(readEntry(parse(toReadLine(ENTRY)))).toEqual(ENTRY);
    const change = { ...ENTRY, changes: [{ kind: 'create' as const, path: 'a' }], undoes: ['0-s-1'] };
    expect(readEntry(parse(toChangeLine(change)))).toEqual(change);
  });

  it('is refused where the line is damaged', () => {
    for (const line of [
      null,
      'text',
      [],
      {},
      { ...ENTRY, id: 7 },
      { ...ENTRY, time: undefined },
      { ...ENTRY, outcome: null },
      { ...ENTRY, paths: 'a' },
      { ...ENTRY, paths: [7] },
      { ...ENTRY, changes: [{ kind: 'create' }] },
      { ...ENTRY, changes: [null] },
      { ...ENTRY, undoes: [1] },
    ])
      expect(readEntry(line), JSON.stringify(line)).toBeUndefined();
  });

  it.each([
    ['page of ada', { userId: 'ada', via: 'page', client: null }],
    ['api key of ada of x', { userId: 'ada of x', via: 'api', client: null }],
    ['person', { userId: null, via: 'cli', client: null }],
    ['gateway', { userId: null, via: 'gateway', client: null }],
    ['cursor', { userId: null, via: 'mcp', client: 'cursor' }],
    ['unknown', { userId: null, via: 'mcp', client: null }],
    [undefined, { userId: null, via: 'mcp', client: null }],
  ])('of a version that wrote %j has its actor', (who, actor) => {
    const { actor: _, ...older } = ENTRY;
    expect(readEntry({ ...older, who })).toEqual({ ...older, actor });
  });
});

describe('the line of an entry', () => {
  it('without changes has at most 2,048 bytes, and says what it left out', () => {
    const many = parse(toReadLine({ ...ENTRY, paths: Array.from({ length: 25 }, (_, i) => `file-${i}`) }));
    expect([many.paths.length, many.paths[19], many.morePaths]).toEqual([20, 'file-19', 5]);
    // Fewer paths are kept before any of them is cut.
    const long = parse(toReadLine({ ...ENTRY, paths: Array.from({ length: 25 }, () => 'x'.repeat(290)) }));
    expect([long.paths.every((path) => path.length === 290), long.paths.length + (long.morePaths ?? 0)]).toEqual([
      true,
      25,
    ]);
    for (const char of ['x', 'ü', '😀', '\u0001'])
      for (const count of [1, 3, 25]) {
        const text = char.repeat(3_000);
        const entry = {
          ...ENTRY,
          tool: text,
          pattern: text,
          actor: { userId: text, via: 'mcp' as const, client: text, key: text, flow: { name: text, runId: 'r' } },
        };
        const line = toReadLine({ ...entry, paths: Array.from({ length: count }, () => text) });
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(MAX_READ_BYTES);
        const { paths, morePaths = 0 } = readEntry(parse(line)) as ActivityEntry;
        expect(paths.length + morePaths).toBe(count);
        expect(line.indexOf('\n')).toBe(line.length - 1);
      }
  });

  it('with changes is complete, without control characters in its paths', () => {
    const path = `${'x'.repeat(5_000)}\n`;
    const line = toChangeLine({ ...ENTRY, paths: [path, ...Array.from({ length: 30 }, () => 'b')] });
    expect(parse(line).paths).toHaveLength(31);
    expect(parse(line).paths[0]).toContain('x'.repeat(5_000));
    expect(parse(line).paths[0]).not.toContain('\n');
  });
});

describe('the name of an actor for people', () => {
  const name = (userId: string | null, via: Actor['via'], more: Partial<Actor> = {}) =>
    actorName({ userId, via, client: null, ...more });

  it('says how the change came in and of which user', () => {
    expect([
      name(null, 'cli'),
      name('ada', 'page'),
      name('ada', 'api'),
      name(null, 'gateway'),
      name(null, 'gateway', { client: 'n8n.example:5678' }),
      name(null, 'mcp'),
      name('ada', 'mcp', { client: 'cursor' }),
      name('ada', 'assistant', { client: 'assistant 7' }),
    ]).toEqual([
      'person',
      'page of ada',
      'api key of ada',
      'gateway',
      'gateway of n8n.example:5678',
      'MCP client',
      'cursor of ada',
      'assistant of ada',
    ]);
  });

  it('names the API key, and the flow of a run', () => {
    const flow = { name: 'Daily report', id: 'f', runId: 'r' };
    expect([
      name('ada', 'api', { key: 'CI' }),
      name('ada', 'mcp', { client: 'cursor', key: 'laptop' }),
      name('ada', 'webhook', { flow }),
      name('ada', 'link', { flow }),
      name('ada', 'api', { key: 'CI', flow }),
      name(null, 'cli', { flow: { name: 'a' } }),
    ]).toEqual([
      'api key "CI" of ada',
      'cursor with api key "laptop" of ada',
      'flow "Daily report", started by webhook of ada',
      'flow "Daily report", started by public link of ada',
      'flow "Daily report", started by api key "CI" of ada',
      'flow "a", started by person',
    ]);
  });

  it('cannot be made by a client, key or flow that chooses the name of another', () => {
    expect([
      name('ada', 'mcp', { client: 'page' }),
      name('ada', 'mcp', { client: 'flow "Payroll", started by schedule' }),
      name('ada', 'api', { key: 'x" of bob' }),
      name('ada', 'page', { flow: { name: 'x", started by schedule of bob \\' } }),
    ]).toEqual([
      'MCP client "page" of ada',
      'MCP client "flow \\"Payroll\\", started by schedule" of ada',
      'api key "x\\" of bob" of ada',
      'flow "x\\", started by schedule of bob \\\\", started by page of ada',
    ]);
  });
});

it('records an actor with names that are cut and have no control characters', () => {
  const evil = `\u001b[2J\u202e${'n'.repeat(400)}`;
  const actor = recordedActor({ userId: 'ada', via: 'mcp', client: evil, key: evil, flow: { name: evil, id: 'f' } });
  for (const text of [actor.client, actor.key, actor.flow?.name]) {
    expect(text).toMatch(/^\\u001b\[2J\\u202en+…$/);
    expect(text?.length).toBeLessThan(320);
  }
  expect(recordedActor({ userId: null, via: 'page', client: null })).toEqual({
    userId: null,
    via: 'page',
    client: null,
  });
});

it('has these ways of a call', () => {
  expect(VIA).toEqual(['mcp', 'page', 'api', 'gateway', 'cli', 'assistant', 'webhook', 'schedule', 'link']);
});

it('records keys and flows with 200 characters at most, and all else of the actor', () => {
  const name = (chars: number) => 'n'.repeat(chars);
  const actor = { userId: 'ada', via: 'link' as const, client: null };
  expect(recordedActor({ ...actor, key: name(200), flow: { name: name(200), id: 'f', runId: 'r' } })).toEqual({
    ...actor,
    key: name(200),
    flow: { name: name(200), id: 'f', runId: 'r' },
  });
  expect(recordedActor({ ...actor, client: name(300), key: name(201), flow: { name: name(201) } })).toEqual({
    ...actor,
    client: name(300),
    key: `${name(200)}…`,
    flow: { name: `${name(200)}…` },
  });
});

describe('the line of an entry that is too long', () => {
  const paths = (count: number, chars: number) => Array.from({ length: count }, (_, i) => `${i}`.padEnd(chars, 'x'));
  const kept = (entry: Partial<ActivityEntry>) => parse(toReadLine({ ...ENTRY, ...entry }));

  it('keeps half of the paths until it fits', () => {
    expect(kept({ paths: paths(20, 10) })).toEqual({ ...ENTRY, paths: paths(20, 10) });
    expect(kept({ paths: paths(21, 10) })).toEqual({ ...ENTRY, paths: paths(21, 10).slice(0, 20), morePaths: 1 });
    expect(kept({ paths: paths(20, 150) })).toEqual({ ...ENTRY, paths: paths(20, 150).slice(0, 10), morePaths: 10 });
    expect(kept({ paths: paths(25, 290) })).toEqual({ ...ENTRY, paths: paths(25, 290).slice(0, 5), morePaths: 20 });
  });

  it('has exactly 2,048 bytes at most', () => {
    const rest = toReadLine({ ...ENTRY, tool: '' }).length;
    const whole = 'x'.repeat(2_048 - rest);
    expect([MAX_READ_BYTES, kept({ tool: whole }).tool]).toEqual([2_048, whole]);
    expect(kept({ tool: `${whole}x` }).tool).toBe(`${'x'.repeat(150)}…`);
  });

  it('has all texts cut alike, and nothing else changed', () => {
    const long = 'x'.repeat(3_000);
    const actor = { userId: long, via: 'mcp' as const, client: long, key: long, flow: { name: long, id: 'f' } };
    const cut = `${'x'.repeat(150)}…`;
    expect(kept({ tool: long, paths: [long, 'b'], pattern: long, actor })).toEqual({
      ...ENTRY,
      tool: cut,
      paths: [cut],
      morePaths: 1,
      pattern: cut,
      actor: { userId: cut, via: 'mcp', client: cut, key: cut, flow: { name: cut, id: 'f' } },
    });
    expect(kept({ tool: long, pattern: 'short', actor: { userId: null, via: 'cli', client: null } })).toEqual({
      ...ENTRY,
      tool: cut,
      pattern: 'short',
      actor: { userId: null, via: 'cli', client: null },
    });
    const small = kept({ tool: '\u0001'.repeat(3_000), paths: ['ü'.repeat(200)], pattern: '\u0001'.repeat(3_000) });
    expect(small.tool).toHaveLength(76);
  });
});
