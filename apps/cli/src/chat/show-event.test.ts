import type { AssistantEvent } from '@croft/assistant';
import { describe, expect, it } from 'vitest';
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
      out: 'I ran it.\n',
      err: '  the run completed\nWords: 3\nDone (3 s · 12 tokens)\n',
    });
  });

  it('is shown where another run, an error or a stop follows', () => {
    const { err } = shown([ran('first'), ran('second'), { event: 'cancelled', ...end }]);
    expect(err).toMatch(/first\n[^]*second\nStopped/);
    expect(shown([ran('first'), { event: 'error', message: 'Broken', ...end }]).err).toMatch(/first\nBroken/);
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
