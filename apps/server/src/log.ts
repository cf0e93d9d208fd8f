import { pino } from 'pino';
import type { Settings } from './config/settings.ts';
import { hostFailure } from './host-failure.ts';
import { loggedError } from './logged-error.ts';
import { Problem } from './problem.ts';
import { toProblem } from './to-problem.ts';

/** The server's log. Callers do not pass file contents, keys, passwords or e-mail addresses to it. */
export type Log = ReturnType<typeof createLog>;

// Callers choose names and paths, and a log is read on a terminal, also a JSON line out of a file. JSON escapes only U+0000 to U+001F.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const CONTROL = /[\u0000-\u001f]/g;
const HIDDEN = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Fields that are hidden in every entry. */
const SECRET_PATHS = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-gateway-key',
  'apiKey',
  'password',
  'token',
  'secret',
].flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/**
 * The server's log: one JSON object a line, or a short line on a terminal.
 *
 * @param write where lines go; standard error unless given
 */
export function createLog(
  level: Settings['logLevel'],
  write?: (line: string) => void,
  isTerminal = process.stderr.isTTY,
) {
  const put = write ?? ((line: string) => void process.stderr.write(line));
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: loggedError },
      redact: { paths: SECRET_PATHS, censor: '[hidden]' },
    },
    { write: (line: string) => put(isTerminal ? shortLine(line) : line.replace(HIDDEN, escaped)) },
  );
}

/** Logs an error that only the operator can end: a full disk, a database that does not answer. Ignores all others. */
export function logHostFailure(log: Log, error: unknown, facts: Readonly<Record<string, unknown>>): void {
  const failure = hostFailure(error);
  if (failure === 'disk_full') log.error({ ...facts, err: error }, 'the disk is full');
  if (failure === 'database_down') log.error({ ...facts, err: error }, 'the database does not answer');
}

/** The problem to answer an error with. Logs an error that is not the caller's fault. */
export function problemOf(log: Log, error: unknown, facts: Readonly<Record<string, unknown>>): Problem {
  const problem = toProblem(error);
  if (problem === undefined) log.error({ ...facts, err: error }, 'a request failed');
  else logHostFailure(log, error, facts);
  return problem ?? new Problem(500, 'internal', 'Something went wrong. The log of the server has the reason.');
}

/** An entry for a person: time of day, level where it matters, words, and the facts after them. */
function shortLine(line: string): string {
  const {
    time,
    level,
    msg = '',
    err,
    ...rest
  } = JSON.parse(line) as Record<string, unknown> & {
    msg?: string;
    err?: { message?: string };
  };
  const facts = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const mark = level === 'info' ? '' : `${String(level).toUpperCase()} `;
  const words = [`${mark}${msg}`, ...facts, ...(err?.message === undefined ? [] : [`(${err.message})`])];
  return `${String(time).slice(11, 19)} ${words.join(' ').replace(CONTROL, '?').replace(HIDDEN, '?')}\n`;
}
