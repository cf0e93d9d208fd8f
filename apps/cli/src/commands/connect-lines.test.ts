import type { DaemonEvent } from '@croft/gateway/daemon';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { jsonLines, personLines } from './connect-lines.ts';
import { describeQuestion, parseVerdict } from './connect-question.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const ACTING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;
const EVIL = 'a\u001b]0;owned\u0007\u001b[2J\rb\u202e\u009b31m\nc';

const EVERY: DaemonEvent[] = [
  { type: 'listening', port: 7655 },
  { type: 'waiting' },
  { type: 'scanned', entries: 3, truncated: true, tookMs: 2 },
  { type: 'connecting', server: EVIL },
  { type: 'connected', server: EVIL, again: true },
  { type: 'retrying', server: EVIL, inMs: 1_500, why: EVIL },
  { type: 'called', requestId: EVIL, tool: EVIL, about: EVIL },
  { type: 'answered', requestId: EVIL, tool: EVIL, about: EVIL, ok: true, tookMs: 3 },
  { type: 'unanswered', requestId: EVIL, tool: EVIL, about: EVIL, why: EVIL },
  { type: 'tree_sent', entries: 3 },
  { type: 'asked', origin: EVIL },
  { type: 'decided', origin: EVIL, allowed: true, remembered: true },
  { type: 'turned_away', origin: EVIL, why: 'there is no terminal' },
  { type: 'warning', message: EVIL },
  { type: 'ended', server: EVIL, reason: 'unpaired', message: EVIL },
];

/** A stream that collects the written text. */
function screen(isTTY: boolean) {
  let text = '';
  return { isTTY, write: (more: string) => void (text += more), text: () => text };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubEnv('FORCE_COLOR', undefined);
  vi.stubEnv('NO_COLOR', undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe('output of croft connect', () => {
  it('escapes control characters in names of servers and files', () => {
    vi.stubEnv('NO_COLOR', '1');
    const terminal = screen(true);
    const lines = personLines(terminal);
    for (const event of EVERY) {
      lines.show(event);
      vi.advanceTimersByTime(250);
    }
    lines.clear();
    // Except its own two: move to the beginning of the line, and erase the line.
    const shown = terminal.text().replaceAll('\r\u001b[2K', '');
    expect(shown).not.toMatch(ACTING);
    expect(shown).toContain('\\u001b]0;owned\\u0007');
    const pipe = screen(false);
    const plain = personLines(pipe);
    for (const event of EVERY) plain.show(event);
    expect(pipe.text()).not.toMatch(ACTING);
  });

  it('has one line for each event on a terminal, and an animated line while waiting', () => {
    vi.stubEnv('NO_COLOR', '1');
    const terminal = screen(true);
    const lines = personLines(terminal);
    lines.show({ type: 'connecting', server: 'https://a.example' });
    vi.advanceTimersByTime(350);
    expect(terminal.text().match(/Connecting to https:\/\/a\.example/g)?.length).toBe(4);
    expect(terminal.text()).not.toContain('\n');
    lines.show({ type: 'connected', server: 'https://a.example', again: false });
    vi.advanceTimersByTime(1_000);
    lines.show({ type: 'answered', requestId: 'r', tool: 'read-file', about: 'src/a.ts', ok: true, tookMs: 3.2 });
    const ended = terminal.text().split('\r\u001b[2K').at(-1);
    expect(ended).toBe('Connected to https://a.example\nok  read-file  src/a.ts  3 ms\n');
  });

  it.each<[DaemonEvent, string]>([
    [{ type: 'listening', port: 7655 }, 'Pages of this machine can connect at http://127.0.0.1:7655\n'],
    [{ type: 'waiting' }, 'Waiting. Open Connect a folder in your Croft server\n'],
    [{ type: 'scanned', entries: 3, truncated: false, tookMs: 2 }, '3 entries in 2 ms\n'],
    [
      { type: 'scanned', entries: 3, truncated: true, tookMs: 2 },
      '3 entries in 2 ms (more exist; the server looks there by itself)\n',
    ],
    [{ type: 'connecting', server: 's' }, '\r\u001b[2K⠋ Connecting to s'],
    [{ type: 'connected', server: 's', again: false }, 'Connected to s\n'],
    [{ type: 'connected', server: 's', again: true }, 'Connected again to s\n'],
    [
      { type: 'retrying', server: 's', inMs: 999, why: 'it is cut' },
      '\r\u001b[2K⠋ No connection to s: it is cut. Trying again in 999 ms',
    ],
    [
      { type: 'retrying', server: 's', inMs: 1_000, why: 'it is cut' },
      '\r\u001b[2K⠋ No connection to s: it is cut. Trying again in 1 s',
    ],
    [{ type: 'called', requestId: 'r', tool: 't', about: 'a' }, ''],
    [{ type: 'answered', requestId: 'r', tool: 't', about: 'a', ok: true, tookMs: 3.6 }, 'ok  t  a  4 ms\n'],
    [{ type: 'answered', requestId: 'r', tool: 't', about: 'a', ok: false, tookMs: 3 }, 'no  t  a  3 ms\n'],
    [{ type: 'unanswered', requestId: 'r', tool: 't', about: 'a', why: 'w' }, '--  t  a  not answered: w\n'],
    [{ type: 'tree_sent', entries: 3 }, 'The server has the new tree (3 entries)\n'],
    [{ type: 'asked', origin: 'o' }, ''],
    [{ type: 'decided', origin: 'o', allowed: true, remembered: false }, 'Allowed o\n'],
    [
      { type: 'decided', origin: 'o', allowed: false, remembered: true },
      'Denied o, for this directory and from now on\n',
    ],
    [{ type: 'turned_away', origin: 'o', why: 'there is no terminal' }, 'Denied o: there is no terminal\n'],
    [{ type: 'warning', message: 'm' }, 'Warning: m\n'],
    [{ type: 'ended', server: 's', reason: 'left', message: 'm' }, 'm\n'],
  ])('shows %j on a terminal', (event, text) => {
    vi.stubEnv('NO_COLOR', '1');
    const terminal = screen(true);
    const lines = personLines(terminal);
    lines.show(event);
    expect(terminal.text()).toBe(text);
    lines.clear();
    lines.clear();
    expect(terminal.text()).toBe(text.startsWith('\r') ? `${text}\r\u001b[2K` : text);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('shows a new frame of the animated line every tenth of a second', () => {
    vi.stubEnv('NO_COLOR', '1');
    const terminal = screen(true);
    const lines = personLines(terminal);
    lines.show({ type: 'connecting', server: 's' });
    vi.advanceTimersByTime(1_000);
    lines.clear();
    const frames = [...terminal.text().matchAll(/(\S) Connecting/g)].map(([, frame]) => frame);
    expect(frames.join('')).toBe('⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏⠋');
  });

  it('has a colour for each kind of news', () => {
    vi.stubEnv('FORCE_COLOR', '1');
    const colourOf = (event: DaemonEvent) => {
      const terminal = screen(true);
      const lines = personLines(terminal);
      lines.show(event);
      lines.clear();
      return terminal.text();
    };
    const call = { requestId: 'r', tool: 't', about: 'a' } as const;
    const ended = (reason: string) => colourOf({ type: 'ended', server: 's', reason, message: 'm' } as DaemonEvent);
    const [green, red, yellow, dim] = [32, 31, 33, 2].map((code) => `\u001b[${code}m`);
    expect(colourOf({ type: 'connected', server: 's', again: false })).toContain(`${green}Connected`);
    expect(colourOf({ type: 'answered', ...call, ok: true, tookMs: 1 })).toContain(`${green}ok`);
    expect(colourOf({ type: 'answered', ...call, ok: false, tookMs: 1 })).toContain(`${red}no`);
    expect(colourOf({ type: 'unanswered', ...call, why: 'w' })).toContain(`${yellow}--`);
    expect(colourOf({ type: 'tree_sent', entries: 1 })).toContain(`${dim}The server`);
    expect([ended('left'), ended('disconnected')]).toEqual(['m\n', 'm\n']);
    expect(ended('unpaired')).toContain(`${red}m`);
  });

  it('shows the lines of calls on a terminal only', () => {
    const pipe = screen(false);
    const lines = personLines(pipe);
    for (const event of EVERY.filter(({ type }) => /scanned|called|answered|tree_sent|asked/.test(type)))
      lines.show(event);
    expect(pipe.text()).toBe('');
    lines.show({ type: 'ended', server: 's', reason: 'left', message: 'm' });
    expect(pipe.text()).toBe('m\n');
  });

  it('has only changes of state without a terminal: no colours, calls or animation', () => {
    const pipe = screen(false);
    const lines = personLines(pipe);
    for (const event of [
      { type: 'connecting', server: 's' },
      { type: 'scanned', entries: 1, truncated: false, tookMs: 1 },
      { type: 'connected', server: 's', again: false },
      { type: 'answered', requestId: 'r', tool: 't', about: 'a', ok: true, tookMs: 1 },
      { type: 'retrying', server: 's', inMs: 1_000, why: 'it does not answer' },
      { type: 'retrying', server: 's', inMs: 2_000, why: 'it does not answer' },
      { type: 'connected', server: 's', again: true },
      { type: 'retrying', server: 's', inMs: 1_000, why: 'the connection was cut' },
    ] as DaemonEvent[])
      lines.show(event);
    vi.advanceTimersByTime(1_000);
    expect(pipe.text().split('\n')).toEqual([
      'Connecting to s',
      'Connected to s',
      'No connection to s: it does not answer. Trying again',
      'Connected again to s',
      'No connection to s: the connection was cut. Trying again',
      '',
    ]);
  });

  it('has one JSON object per event with --json, which parses back to the event', () => {
    const pipe = screen(true);
    const lines = jsonLines(pipe, () => new Date(0));
    for (const event of EVERY) lines.show(event);
    const printed = pipe.text().trimEnd().split('\n');
    expect(printed.join('')).not.toMatch(ACTING);
    expect(printed.map((line) => JSON.parse(line))).toEqual(
      EVERY.map((event) => ({ time: '1970-01-01T00:00:00.000Z', ...event })),
    );
  });
});

describe('the question about a page', () => {
  it('shows page, directory and access on separate lines, with control characters escaped', () => {
    const text = describeQuestion({ origin: EVIL, directory: EVIL, mayWrite: false }, {});
    expect(text).not.toMatch(ACTING);
    expect(text.split('\n').filter((line) => line.includes('owned'))).toHaveLength(2);
    expect(text).toContain('change nothing');
    expect(describeQuestion({ origin: 'o', directory: 'd', mayWrite: true }, {})).toContain('CHANGE');
  });

  it('treats an unknown answer as a no', () => {
    expect(['o', ' A ', 'v', 'once', 'always', 'never'].map(parseVerdict)).toEqual([
      'allow_once',
      'allow_always',
      'deny_always',
      'allow_once',
      'allow_always',
      'deny_always',
    ]);
    for (const other of ['', 'n', 'y', 'yes', 'allow', 'oo', '\u0003']) expect(parseVerdict(other)).toBe('deny_once');
  });
});
