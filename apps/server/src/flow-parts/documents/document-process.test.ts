import { ComponentError } from '@croft/components';
import { describe, expect, it } from 'vitest';
import { DOCUMENT_LIMITS, type DocumentLimits, runDocumentJob } from './document-process.ts';
import { readOffice } from './read-office.ts';

const WRITE = { kind: 'write', format: 'docx', title: 'T' } as const;
const { signal } = new AbortController();
const write = (text: string, limits: Partial<DocumentLimits> = {}, stop = signal) =>
  runDocumentJob(WRITE, async () => Buffer.from(text), { signal: stop, limits: { ...DOCUMENT_LIMITS, ...limits } });
const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error as ComponentError);

describe('a document in a process of its own', () => {
  it('is written or read there', async () => {
    const { answer, bytes } = await write('# One\n\ntext');
    expect(answer).toEqual({ kind: 'written' });
    expect((await readOffice(bytes, 'docx', 1_000)).text).toMatch(/One[^]*text/);
    const job = { kind: 'read', format: 'docx', maxPages: 1, maxCharacters: 1_000 } as never;
    expect((await runDocumentJob(job, async () => bytes, { signal })).answer).toMatchObject({ kind: 'read' });
  });

  it('may be at fault', async () => {
    const job = { kind: 'read', format: 'pdf', maxPages: 1, maxCharacters: 1_000 } as never;
    const failed = await failureOf(runDocumentJob(job, async () => Buffer.from('no PDF'), { signal }));
    expect(failed).toBeInstanceOf(ComponentError);
    expect(failed).toMatchObject({ message: 'It is not a PDF file, or is damaged.' });
  });

  it('has limits of time, of memory and of its answer', async () => {
    const fix = 'Use a smaller document, or split it.';
    expect(await failureOf(write('x', { timeoutMs: 1 }))).toMatchObject({
      message: 'It takes longer than 0.001 s.',
      fix,
    });
    expect(await failureOf(write('x', { maxAnswerBytes: 10 }))).toMatchObject({
      message: 'Its text is too long.',
      fix,
    });
    expect(await failureOf(write('x', { heapMiB: 1 }))).toMatchObject({
      message: 'It needs more memory or time than a document may use.',
      fix,
    });
  });

  it('ends with the signal', async () => {
    const stop = new AbortController();
    const writing = failureOf(write('x', {}, stop.signal));
    stop.abort(new Error('stopped'));
    expect(await writing).toEqual(new Error('stopped'));
    const late = new AbortController();
    const load = async () => {
      late.abort(new Error('late'));
      return Buffer.from('x');
    };
    await expect(runDocumentJob(WRITE, load, { signal: late.signal })).rejects.toThrow('late');
  });

  it('gives its place to the next where it cannot be loaded', async () => {
    for (let at = 0; at < 3; at++)
      await expect(
        runDocumentJob(WRITE, () => Promise.reject(new Error('gone')), { signal, user: 'dp-ann' }),
      ).rejects.toThrow('gone');
  });

  it('waits until the documents of the same user are done', async () => {
    let loaded = 0;
    let finish: () => void = () => {};
    const first = runDocumentJob(
      WRITE,
      async () => {
        loaded++;
        await new Promise<void>((resolve) => (finish = resolve));
        return Buffer.from('x');
      },
      { signal, user: 'dp-bob' },
    );
    await expect.poll(() => loaded).toBe(1);
    const second = runDocumentJob(WRITE, async () => (loaded++, Buffer.from('y')), { signal, user: 'dp-bob' });
    await new Promise(setImmediate);
    expect(loaded).toBe(1);
    finish();
    await Promise.all([first, second]);
    expect(loaded).toBe(2);
  });
});

it('has limits', () => {
  expect(DOCUMENT_LIMITS).toEqual({ timeoutMs: 60_000, heapMiB: 256, maxAnswerBytes: 67_108_864 });
});
