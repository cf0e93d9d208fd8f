import { createElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import type { SaveState } from '../canvas/edit-state.ts';
import { usePage } from '../testing/page.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { runSaved } from './run-saved.ts';

const page = usePage();
beforeEach(dismissToasts);

async function start(save: SaveState) {
  const runs: unknown[] = [];
  const edits = { get: () => ({ save }), subscribe: () => () => undefined, flush: () => undefined };
  const run = async (request: unknown, isQueued: boolean, prepare: () => Promise<boolean>) => {
    if (await prepare()) runs.push([request, isQueued]);
  };
  await runSaved(edits as never, { run } as never, { message: 'hi' } as never, true);
  return { runs, said: (await page.show(createElement(Toaster))).textContent };
}

it('runs the flow once its changes are saved', async () => {
  expect(await start({ kind: 'saved' })).toEqual({ runs: [[{ message: 'hi' }, true]], said: '' });
});

it('does not run an older flow than the page shows, and says so', async () => {
  expect(await start({ kind: 'refused', message: 'No.' })).toEqual({
    runs: [],
    said: 'The flow was not run, because its latest changes are not saved.',
  });
});
