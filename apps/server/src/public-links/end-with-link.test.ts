import { expect, it } from 'vitest';
import { endWithLink } from './end-with-link.ts';

const cancelled = (answers: readonly (boolean | Error)[]) => {
  let looks = 0;
  return new Promise<number>((resolve) => {
    const isOpen = async () => {
      const answer = answers[looks++] ?? false;
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const leave = endWithLink(
      () => {
        leave();
        resolve(looks);
      },
      isOpen,
      1,
    );
  });
};

it('cancels a run once its link has stopped working', async () => {
  expect(await cancelled([true, true, false])).toBe(3);
});

it('goes on while the database gives no answer', async () => {
  expect(await cancelled([new Error('away'), true, false])).toBe(3);
});
