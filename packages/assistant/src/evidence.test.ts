import { expect, it } from 'vitest';
import type { AssistantEvent } from './events.ts';
import { evidenceOf, statusLine } from './evidence.ts';

it('says that a message was not carried out, or which part was not', () => {
  const nothing = evidenceOf([]);
  expect(statusLine({ ...nothing, outcome: 'not_done' })).toBe('Not done. Nothing was changed · not run.');
  const part = { outcome: 'partly_done', leftOut: ['makes it upper case'], built: 'on canvas' } as const;
  expect(statusLine({ ...nothing, ...part })).toBe(
    'Done in part, without “makes it upper case”. Built on the canvas · not run.',
  );
});

it('takes a turn that an earlier version stored for done', () => {
  const stored = { event: 'complete', data: { result: 'Done.' } } as unknown as AssistantEvent;
  expect(evidenceOf([stored])).toMatchObject({ outcome: 'done', leftOut: [] });
});

it('says of a message that only ran the flow that the flow was not changed', () => {
  const nothing = evidenceOf([]);
  expect(statusLine(nothing)).toBe('Nothing was changed · not run.');
  // A run can write files.
  expect(statusLine({ ...nothing, run: 'completed' })).toBe('The flow was not changed · run completed.');
});
