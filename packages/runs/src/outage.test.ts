import { describe, expect, it } from 'vitest';
import { isOutage, throughOutage } from './outage.ts';

const failure = (code: string | undefined, more: object = {}) =>
  Object.assign(new Error('no connection'), code !== undefined && { code }, more);

describe('a failure because the database is away', () => {
  it('is a connection that cannot be made or broke, or a server that starts, stops or is full', () => {
    const codes =
      'ECONNREFUSED ECONNRESET EPIPE ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH ENETUNREACH 57P01 57P02 57P03 53300';
    for (const code of codes.split(' ')) expect(isOutage(failure(code)), code).toBe(true);
    expect(isOutage(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isOutage(new Error('timeout exceeded when trying to connect'))).toBe(true);
    expect(isOutage(new Error('Client was closed and is not queryable'))).toBe(true);
    expect(isOutage(new Error('Client has encountered a connection error'))).toBe(true);
  });

  it('is not a statement that fails for another reason', () => {
    for (const code of ['23505', '40001', '42P01', 'EACCES']) expect(isOutage(failure(code)), code).toBe(false);
    expect(isOutage(new Error('no: Connection terminated'))).toBe(false);
    // With a code, the text of the message says nothing.
    expect(isOutage(Object.assign(new Error('Connection terminated'), { code: '23505' }))).toBe(false);
    for (const other of [undefined, 'ECONNREFUSED', { code: 'ECONNREFUSED' }]) expect(isOutage(other)).toBe(false);
  });

  it('is a missing socket, and not a missing file', () => {
    expect(isOutage(failure('ENOENT', { syscall: 'connect' }))).toBe(true);
    expect(isOutage(failure('ENOENT', { syscall: 'open' }))).toBe(false);
  });

  it('is found in the causes, eight deep at most', () => {
    const nested = (depth: number): Error =>
      depth === 0 ? failure('ECONNREFUSED') : new Error('outer', { cause: nested(depth - 1) });
    expect(isOutage(nested(7))).toBe(true);
    expect(isOutage(nested(8))).toBe(false);
  });
});

describe('work on the database', () => {
  it('runs again until the database is back', async () => {
    let tries = 0;
    const work = async () => {
      if (++tries < 2) throw failure('ECONNREFUSED');
      return 'done';
    };
    expect(await throughOutage(work, new AbortController().signal)).toBe('done');
    expect(tries).toBe(2);
  });

  it('fails at once for every other reason', async () => {
    let tries = 0;
    const work = async () => {
      tries++;
      throw failure('23505');
    };
    await expect(throughOutage(work, new AbortController().signal)).rejects.toMatchObject({ code: '23505' });
    expect(tries).toBe(1);
  });

  it('gives up when its caller does', async () => {
    const abort = new AbortController();
    let tries = 0;
    const work = async () => {
      tries++;
      abort.abort();
      throw failure('ECONNREFUSED');
    };
    await expect(throughOutage(work, abort.signal)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(tries).toBe(1);
  });
});
