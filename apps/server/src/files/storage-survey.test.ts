import { afterEach, expect, it, vi } from 'vitest';
import { createStorageSurvey, type StorageSurvey } from './storage-survey.ts';

let survey: StorageSurvey | undefined;
afterEach(() => survey?.stop());

const open = (measure: (userId: string) => number, options: { freshMs?: number } = {}) => {
  const counted: string[] = [];
  const errors: unknown[] = [];
  survey = createStorageSurvey(
    async (userId) => {
      counted.push(userId);
      return measure(userId);
    },
    { ...options, onError: (error) => void errors.push(error) },
  );
  return { counted, errors, survey };
};

it('counts users in the background, and answers at once with the last counts', async () => {
  const sizes: Record<string, number> = { a: 10, b: 20 };
  const { survey: it, counted } = open((userId) => sizes[userId] ?? 0);
  expect(it.read(['a', 'b'])('a')).toBeUndefined();
  await vi.waitFor(() => expect(it.read(['a', 'b'])('b')).toMatchObject({ bytes: 20, countedAt: expect.any(Date) }));
  expect(counted).toEqual(['a', 'b']);
  sizes.a = 11;
  it.changed('a');
  expect(it.read(['a', 'b'])('a')?.bytes).toBe(10);
  await vi.waitFor(() => expect(it.read(['a', 'b'])('a')?.bytes).toBe(11));
  expect(counted).toEqual(['a', 'b', 'a']);
});

it('counts again after a while, because other programs write too', async () => {
  const { survey: it, counted } = open(() => 1, { freshMs: 0 });
  it.read(['a']);
  await vi.waitFor(() => expect(it.read(['a'])('a')).toBeDefined());
  await vi.waitFor(() => {
    it.read(['a']);
    expect(counted.length).toBeGreaterThan(2);
  });
});

it('says that files could not be read, and goes on with the next user', async () => {
  const {
    survey: it,
    errors,
    counted,
  } = open((userId) => {
    if (userId === 'a') throw new Error('broken');
    return 5;
  });
  it.read(['a', 'b']);
  await vi.waitFor(() => expect(it.read(['a', 'b'])('b')?.bytes).toBe(5));
  expect([it.read(['a'])('a')?.bytes, errors.length, counted]).toEqual([null, 1, ['a', 'b']]);
});

it('counts one user at a time, each once, until it stops', async () => {
  const ends: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const counted: string[] = [];
  const errors: unknown[] = [];
  survey = createStorageSurvey(
    (userId, signal) => {
      counted.push(userId);
      signals.push(signal);
      return new Promise((resolve, reject) => {
        ends.push(() => resolve(1));
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    },
    { onError: (error) => void errors.push(error) },
  );
  survey.read(['a', 'b']);
  survey.read(['b', 'a', 'c']);
  expect(counted).toEqual(['a']);
  ends[0]?.();
  await vi.waitFor(() => expect(counted).toEqual(['a', 'b']));
  expect(survey.read(['a'])('a')?.bytes).toBe(1);
  survey.stop();
  await vi.waitFor(() => expect(survey?.read([])('b')).toMatchObject({ bytes: null }));
  survey.read(['d']);
  await new Promise((resolve) => setImmediate(resolve));
  expect([counted, errors, signals[1]?.aborted]).toEqual([['a', 'b'], [], true]);
});

it('keeps a count for ten minutes', async () => {
  const { survey: it, counted } = open(() => 1);
  it.read(['a']);
  await vi.waitFor(() => expect(it.read([])('a')).toBeDefined());
  const countedAt = it.read([])('a')?.countedAt.getTime() ?? 0;
  const now = vi.spyOn(Date, 'now');
  try {
    now.mockReturnValue(countedAt + 600_000);
    it.read(['a']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(counted).toEqual(['a']);
    now.mockReturnValue(countedAt + 600_001);
    it.read(['a']);
    await vi.waitFor(() => expect(counted).toEqual(['a', 'a']));
  } finally {
    now.mockRestore();
  }
});
