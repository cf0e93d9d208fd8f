import type { AssistantEvent } from '@croft/assistant';
import { describe, expect, it, vi } from 'vitest';
import { flowOf } from '../../../../packages/flow/src/testing.ts';
import { createEventView } from './show-event.ts';

/** Both streams of a terminal (or of a file) after these events. */
function shown(events: readonly object[], isTTY = true): { out: string; err: string } {
  const text = { out: '', err: '' };
  const stream = (name: 'out' | 'err') => ({
    isTTY: name === 'out' && isTTY,
    write: (part: string) => (text[name] += part),
  });
  const show = createEventView({ out: stream('out'), err: stream('err') } as never);
  for (const event of events) show(event as AssistantEvent);
  return text;
}
const end = { status_line: 'Done', usage: { total_tokens: 12 }, duration_seconds: 3 };
const complete = (result: string, outcome = 'done') => ({ event: 'complete', data: { ...end, result, outcome } });

describe('the reply of a turn', () => {
  it('streams on a terminal, and is not repeated', () => {
    const events = [{ event: 'token', chunk: 'Hel' }, { event: 'token', chunk: 'lo' }, complete('Hello')];
    expect(shown(events)).toEqual({ out: 'Hello\n', err: 'Done (3 s · 12 tokens)\n' });
    expect(shown(events, false).out).toBe('Hello\n');
    expect(shown([complete('Whole')]).out).toBe('Whole\n');
  });

  it('is on a line of its own beside what happens meanwhile', () => {
    const events = [{ event: 'token', chunk: 'I look' }, { event: 'tool_start', label: 'Search' }, complete('Found')];
    expect(shown(events).out).toBe('I look\nFound\n');
    expect(shown(events).err).toContain('· Search\n');
  });

  it('does not control the terminal, but is unchanged in a file', () => {
    const events = [complete('a\u001b[2Jb')];
    expect(shown(events).out).not.toContain('\u001b');
    expect(shown(events, false).out).toBe('a\u001b[2Jb\n');
    expect(shown([{ event: 'token', chunk: '\u001b[2J' }]).out).not.toContain('\u001b');
  });
});

describe('the result of a run', () => {
  const ran = (text: string) => ({ event: 'run_finished', status: 'completed', text });
  it('is shown once: in the reply, or beside a reply without it', () => {
    expect(shown([ran('Words: 3'), complete('Ran it: Words: 3')])).toEqual({
      out: 'Ran it: Words: 3\n',
      err: '  the run completed\nDone (3 s · 12 tokens)\n',
    });
    expect(shown([ran('Words: 3'), complete('I ran it.')])).toEqual({
      out: 'I ran it.\nWords: 3\n',
      err: '  the run completed\nDone (3 s · 12 tokens)\n',
    });
    expect(shown([ran('3'), complete('Built it: 4 components, 3 connections.')]).out).toMatch(/\n3\n$/);
  });

  it('is shown where another run, an error or a stop follows', () => {
    expect(shown([ran('first'), ran('second'), { event: 'cancelled', ...end }]).out).toBe('first\nsecond\n');
    expect(shown([ran('first'), { event: 'error', message: 'Broken', ...end }]).out).toBe('first\n');
  });

  it('does not control the terminal, but is unchanged in a file', () => {
    const events = [ran('a\u001b[2Jb'), complete('I ran it.')];
    expect(shown(events).out).not.toContain('\u001b');
    expect(shown(events, false).out).toBe('I ran it.\na\u001b[2Jb\n');
  });
});

describe('what a turn does', () => {
  const said = (...events: object[]) => shown(events).err;
  it('is said in words', () => {
    const edge = { from: { node: 'a', port: 'x' }, to: { node: 'b', port: 'y' } };
    const update = (action: string, more: object) => ({ event: 'flow_update', action, ...more });
    expect(
      said(
        update('add_component', { node: { id: 'a' } }),
        update('remove_component', { component_id: 'b' }),
        update('connect', { edge }),
        update('disconnect', { edge }),
        update('configure', { component_id: 'a', params: { p: 1, q: 'x'.repeat(201) } }),
        update('edit_field', { component_id: 'a', field: 'f', old_value: 'o', new_value: null }),
        { event: 'file_written', path: 'n.md' },
        { event: 'run_finished', status: 'failed', text: '' },
      ).split('\n'),
    ).toEqual([
      '  + a',
      '  - b',
      '  + a.x -> b.y',
      '  - a.x -> b.y',
      '  a.p = 1',
      `  a.q = ${'x'.repeat(200)}…`,
      '  a.f',
      '  - o',
      '  + null',
      '  wrote n.md',
      '  the run failed',
      '',
    ]);
  });

  it('names the first line of an error, unless the reply of croft/offline repeats it', () => {
    const failed = { event: 'tool_end', ok: false, error: 'no\nmore' };
    expect(said({ event: 'turn', model: 'OpenAI/x' }, failed)).toBe('  no\n');
    expect(said({ event: 'turn', model: 'croft/offline' }, failed)).toBe('');
    expect(said({ event: 'turn', model: 'croft/offline' }, complete('x'))).toBe('Done (3 s)\n');
    expect(said({ event: 'error', message: 'Broken', detail: 'why', ...end })).toBe(
      'Broken\nwhy\nDone (3 s · 12 tokens)\n',
    );
    expect(said({ event: 'cancelled', ...end })).toContain('Stopped. Changes that were made are kept.\n');
  });
});

describe('the lines of a turn', () => {
  const said = (...events: object[]) => shown(events).err;
  const flow = flowOf({ A: 'ChatInput', B: 'ChatOutput' }, ['A.message -> B.input_value']);
  const update = (more: object) => ({ event: 'flow_update', ...more });

  it('say what was built or proposed, and draw what was proposed', () => {
    const set = { action: 'set_flow', name: 'Mail', node_count: 2, edge_count: 1, flow };
    expect(said(update({ ...set, auto_apply: true }))).toBe('  built Mail: 2 components, 1 connections\n');
    expect(said(update({ ...set, auto_apply: false }))).toBe(
      '  proposed Mail: 2 components, 1 connections\n  [ChatInput]\n    message -> ChatOutput.input_value\n      [ChatOutput]\n',
    );
  });

  it('have every line of a plan, and none of an unknown change or event', () => {
    expect(said(update({ action: 'propose_plan', markdown: '# Plan\n- one' }))).toBe('  # Plan\n  - one\n');
    expect(said(update({ action: 'other' }), { event: 'other' })).toBe('');
  });

  it('shorten a value after 200 characters', () => {
    const params = { a: 'x'.repeat(200), b: 'y'.repeat(201), c: [1], d: undefined };
    expect(said(update({ action: 'configure', component_id: 'n', params }))).toBe(
      `  n.a = ${'x'.repeat(200)}\n  n.b = ${'y'.repeat(200)}…\n  n.c = [1]\n  n.d = \n`,
    );
  });

  it('name calls, problems, files and notices without what controls a terminal', () => {
    expect(
      said(
        { event: 'tool_start', label: 'Read\u001b a.txt' },
        { event: 'tool_end', ok: true },
        { event: 'tool_end', ok: false },
        { event: 'validated', problems: ['one', 'two\u001b'] },
        { event: 'file_written', path: 'a\u202eb' },
        { event: 'notice', message: 'Slow\u001b' },
      ),
    ).toBe('· Read\\u001b a.txt\n  failed\n  one\n  two\\u001b\n  wrote a\\u202eb\n'.concat('Slow\\u001b\n'));
  });

  it('end with the cost after an error or a stop', () => {
    expect(said({ event: 'error', message: 'Broken', ...end })).toBe('Broken\nDone (3 s · 12 tokens)\n');
    expect(said({ event: 'cancelled', ...end })).toBe(
      'Stopped. Changes that were made are kept.\nDone (3 s · 12 tokens)\n',
    );
    expect(said(complete('x', 'failed'))).toBe('Done (3 s · 12 tokens)\n');
    expect(said({ event: 'cancelled', ...end, usage: { total_tokens: 1 } })).toContain('(3 s · 1 tokens)');
    expect(said({ event: 'cancelled', ...end, usage: { total_tokens: 0 } })).toContain('\nDone (3 s)\n');
  });

  it('begin on a new line after a part of a reply', () => {
    const token = (chunk: string) => ({ event: 'token', chunk });
    expect(shown([token('one'), { event: 'notice', message: 'n' }, token('two\n'), complete('two')]).out).toBe(
      'one\ntwo\n',
    );
    expect(shown([token('one\n'), { event: 'notice', message: 'n' }]).out).toBe('one\n');
    expect(shown([token(' '), complete('reply')]).out).toBe(' \nreply\n');
    expect(shown([token('other'), complete('reply')]).out).toBe('other\nreply\n');
    expect(shown([token('x')], false).out).toBe('');
  });

  it('have colours on a terminal: green for success, red for failure, yellow for what needs attention', () => {
    const text: string[] = [];
    const write = (part: string) => text.push(part) > 0;
    vi.stubEnv('NO_COLOR', undefined);
    vi.stubEnv('FORCE_COLOR', undefined);
    const show = createEventView({ out: { isTTY: true, write }, err: { isTTY: true, write } } as never);
    for (const event of [
      { event: 'run_finished', status: 'completed', text: '' },
      { event: 'run_finished', status: 'failed', text: '' },
      { event: 'notice', message: 'n' },
      { event: 'error', message: 'e', ...end },
      complete('r'),
      complete('r', 'failed'),
    ])
      show(event as never);
    vi.unstubAllEnvs();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escapes of a terminal
    const codes = text.map((line) => /^\u001b\[(\d+)m/.exec(line)?.[1]);
    expect(codes).toEqual(['32', '31', '33', '31', '2', undefined, '2', undefined, '33']);
  });
});
