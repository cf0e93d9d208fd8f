import { z } from 'zod';

/** Checks the length before the elements, so that a very long list costs nothing. */
export const listOf = <T extends z.ZodType>(element: T, max: number) =>
  z
    .unknown()
    .refine((value) => Array.isArray(value) && value.length <= max, {
      message: `must be a list of at most ${max} entries`,
    })
    .pipe(z.array(element));
