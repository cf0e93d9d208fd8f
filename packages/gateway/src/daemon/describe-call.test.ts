import { type AnyTool, READS } from '@croft/tools';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeCall } from './describe-call.ts';

const tool = {
  name: 'find',
  title: 'Find',
  description: '',
  tags: ['find'],
  input: z.object({ path: z.string(), pattern: z.string().optional() }),
  annotations: READS,
  paths: ({ path }: { path: string }) => {
    if (path === 'bad') throw new Error('no path');
    return [path, 'b'];
  },
  pattern: ({ pattern }: { pattern?: string }) => pattern,
  run: () => ({ ok: true, data: {} }),
} as unknown as AnyTool;

it('names the paths and the pattern of a call, and nothing of one that cannot be read', () => {
  const about = (input: unknown, name = 'find') =>
    describeCall(
      { tools: [tool] },
      { requestId: 'r', call: { name, input: input as object }, style: 'croft', deadlineMs: undefined },
    );
  expect([
    about({ path: 'a' }),
    about({ path: 'a', pattern: 'p' }),
    about({ path: 'bad' }),
    about({ path: 7 }),
    about(undefined),
    about({ path: 'a' }, 'other'),
  ]).toEqual(['a → b', '"p" in a → b', '', '', '', '']);
});
