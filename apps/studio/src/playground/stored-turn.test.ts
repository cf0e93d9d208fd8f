import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import type { ChatMessage } from '../api/chats.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { StoredTurn } from './stored-turn.tsx';

const server = useFakeApi();
const page = usePage();
const message = (id: string, sender: string, text: string, more: object = {}) =>
  ({ id, runId: 'r1', sender, senderName: 'AI', text, isCut: false, tokens: null, ...more }) as unknown as ChatMessage;
const ASKED = message('1', 'User', 'Hello?');
const ANSWER = message('2', 'AI', 'Hi.');

async function show(messages: readonly ChatMessage[], hasRetry = true) {
  const onRetry = vi.fn();
  const turn = { runId: 'r1', messages };
  const props = { turn, titleOf: (node: string) => `Title ${node}`, onRetry: hasRetry ? onRetry : undefined };
  return { box: await page.show(inClient(testClient())(createElement(StoredTurn, props))), turn, onRetry };
}

it('has the question and the answer, and asks again', async () => {
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal('navigator', { userAgent: '', clipboard: { writeText } });
  const { box, turn, onRetry } = await show([ASKED, ANSWER, message('3', 'AI', 'Last.')]);
  await expect
    .poll(() => outline(box).slice(0, 6))
    .toEqual(['span You wrote', 'p Hello?', 'span The flow answered', 'p Hi.', 'span The flow answered', 'p Last.']);
  expect(box.textContent).toMatch(
    /^You wroteHello\?The flow answeredHi\.The flow answeredLast\. Answer againCopy.*Show the run$/,
  );
  expect([named(box, 'Show the run').getAttribute('href'), server.requests]).toEqual(['/base/runs/r1', []]);
  await fire(named(box, 'Copy'), 'click');
  await fire(named(box, 'Answer again'), 'click');
  expect([writeText.mock.calls, onRetry.mock.calls]).toEqual([[['Last.']], [['Hello?', turn]]]);
});

it('offers no other answer for an earlier turn, or one without a question', async () => {
  expect((await show([ASKED, ANSWER], false)).box.textContent).not.toContain('again');
  expect((await show([ANSWER])).box.textContent).not.toContain('again');
});

it.each([
  [{ status: 'cancelled' }, 'Stopped before the flow answered.'],
  [{ status: 'timed_out' }, 'The run took too long and was ended.'],
  [{ status: 'interrupted' }, 'The run was interrupted.'],
  [{ status: 'completed', text: '' }, 'The flow gave no text.'],
  [{ status: 'completed', text: 'A text' }, 'A text'],
  [{ status: 'running' }, 'The run is under way.'],
  [{ status: 'failed', failure: { node: 'A', message: 'It broke.', fix: '' } }, 'Title AIt broke.'],
])('says how a run %j without an answer ended: %s', async (run, text) => {
  server.answer('GET /api/v1/runs/r1', { run: { failure: null, text: '', ...run } });
  const { box } = await show([ASKED]);
  await vi.waitFor(() => expect(box.textContent).toContain(`Hello?${text}`));
  expect([named(box, 'Try again').textContent.trim(), box.textContent.includes('Copy')]).toEqual(['Try again', false]);
});

it('says that the run is not kept', async () => {
  server.answer('GET /api/v1/runs/r1', refusal(404, 'not_found'));
  const { box } = await show([ASKED]);
  await vi.waitFor(() =>
    expect(box.textContent).toContain('This message has no answer. Its run is not in the history any more.'),
  );
});
