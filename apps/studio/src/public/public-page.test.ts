import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { memoryStorage } from '../assistant/fake-assistant-server.ts';
import { navigate } from '../routing/location.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { PublicPage } from './public-page.tsx';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'GET /api/v1/public/l1';
const SEND = 'POST /api/v1/public/l1/messages';
const FLOW = { name: 'Helper', description: 'Answers.', sample: 'Hello?' };

async function show(answer: unknown = FLOW) {
  server.answer(ROUTE, answer);
  vi.stubGlobal('sessionStorage', memoryStorage());
  await act(async () => navigate('/p/l1'));
  const box = await page.show(inClient(testClient())(createElement(PublicPage)));
  const send = async (text: string) => {
    await type(box.querySelector('textarea') as Element, text);
    await fire(named(box, 'Send'), 'click');
  };
  return { box, send };
}
const reply = (...events: (readonly [string, string])[]) =>
  server.answer(
    SEND,
    () => new Response(events.map(([kind, text]) => `event: ${kind}\ndata: ${JSON.stringify({ text })}\n\n`).join('')),
  );

it('names the flow, and offers its example', async () => {
  const { box } = await show();
  await vi.waitFor(() => expect(box.querySelector('h1')?.textContent).toBe('Helper'));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'h1 Helper',
      'p Answers.',
      'div[tabindex=0][aria-label=Messages][role=region]',
      'span[aria-hidden=true]',
      'icon message-square 22',
      'p Chat with Helper',
      'p Write a message. This browser tab keeps the chat until you close it.',
      'button[type=button]',
      'span Hello?',
      'p[role=status]',
      'textarea[placeholder=Write a message][maxLength=20000][rows=1][aria-label=Message]',
      'button[aria-disabled=true][type=button]',
      'span Send',
      'icon send-horizontal 15',
      'p Answers can be wrong. The owner of this flow can read what you write.',
    ]);
  expect([document.title, box.querySelector('header')?.textContent]).toEqual(['Helper', 'HelperAnswers.']);
  expect(box.textContent).toContain(
    'Chat with HelperWrite a message. This browser tab keeps the chat until you close it.Hello?',
  );
  await fire(named(box, 'Hello?'), 'click');
  expect((box.querySelector('textarea') as HTMLTextAreaElement).value).toBe('Hello?');
  const plain = await show({ ...FLOW, description: '' });
  await vi.waitFor(() => expect(plain.box.querySelector('header')?.textContent).toBe('Helper'));
});

it('chats, answers again, and clears the chat', async () => {
  const { box, send } = await show();
  await vi.waitFor(() => expect(box.querySelector('textarea')).not.toBeNull());
  reply(['done', 'Hi **you**']);
  await send('hello');
  await vi.waitFor(() => expect(box.querySelector('p[role=status]')?.textContent).toBe('The answer is complete.'));
  expect(box.querySelector('[role=region]')?.textContent).toMatch(/^You wrotehelloThe answerHi youCopy Answer again/);
  reply(['done', 'Second']);
  await fire(named(box, 'Answer again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Second'));
  await send('more');
  await vi.waitFor(() => expect(box.querySelectorAll('strong, .bg-selected').length).toBe(2));
  await vi.waitFor(() => expect(box.textContent).toContain('The answer is complete.'));
  expect(
    [...box.querySelectorAll('button')].filter(({ textContent }) => textContent.includes('Answer again')).length,
  ).toBe(1);
  await fire(named(box, 'New chat'), 'click');
  expect([box.textContent.includes('Chat with Helper'), box.textContent.includes('New chat')]).toEqual([true, false]);
});

it('says that an answer is written, and stops it', async () => {
  const { box, send } = await show();
  await vi.waitFor(() => expect(box.querySelector('textarea')).not.toBeNull());
  let add: (text: string) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      add = (text) => stream.enqueue(new TextEncoder().encode(`event: text\ndata: ${JSON.stringify({ text })}\n\n`));
    },
  });
  server.answer(SEND, () => new Response(body));
  await send('hello');
  const status = () => box.querySelector('p[role=status]')?.textContent.trim();
  await vi.waitFor(() => expect(status()).toBe('Working'));
  await act(async () => add('Partly'));
  await vi.waitFor(() => expect([status(), box.textContent.includes('Partly')]).toEqual(['Writing', true]));
  expect(named(box, 'Stop').textContent.trim()).toBe('Stop');
});

it('says what failed, and tries again', async () => {
  const { box, send } = await show();
  await vi.waitFor(() => expect(box.querySelector('textarea')).not.toBeNull());
  reply(['failed', 'It broke.']);
  await send('hello');
  await vi.waitFor(() => expect(box.querySelector('[role=alert]')?.textContent).toBe('It broke. Try again'));
  expect(box.textContent).not.toContain('The answer is complete.');
  reply(['done', 'Now']);
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Now'));
  expect(box.querySelector('[role=alert]')).toBeNull();
});

it.each([
  [404, 'not_found', 'Nothing is here any more', 'Ask the person who gave you this link for a new one.', false],
  [503, 'unavailable', 'This page is not available at the moment', 'The server says unavailable.', true],
  [500, 'broken', 'This page cannot be shown', 'The server says broken.', true],
])('says for the status %d (%s): %s', async (status, code, title, about, canRetry) => {
  const { box } = await show(refusal(status, code));
  await vi.waitFor(() => expect(box.textContent).toBe(`${title}${about}${canRetry ? 'Try again' : ''}`));
  expect([document.title, box.querySelector('h1')?.textContent]).toEqual(['Croft', title]);
  if (!canRetry) return;
  server.answer(ROUTE, FLOW);
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Chat with Helper'));
});

it('says that it loads', async () => {
  expect((await show(() => new Promise(() => undefined))).box.textContent).toBe('Loading Croft');
});
