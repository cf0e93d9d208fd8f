import { expect, it } from 'vitest';
import { watchAccess } from './watch-access.ts';

const ended = (answers: readonly (boolean | Error)[]) => {
  let looks = 0;
  return new Promise<number>((resolve) => {
    const hasAccess = async () => {
      const answer = answers[looks++] ?? false;
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const leave = watchAccess(
      hasAccess,
      () => {
        leave();
        resolve(looks);
      },
      1,
    );
  });
};

it('ends a response once its access is gone', async () => {
  expect(await ended([true, true, false])).toBe(3);
});

it('goes on while the database gives no answer', async () => {
  expect(await ended([new Error('away'), true, false])).toBe(3);
});
