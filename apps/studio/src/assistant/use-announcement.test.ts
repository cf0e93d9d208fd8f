import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { type Chat, type ChatAction, newChat, reduceChat } from './chat.ts';
import { begin, completed } from './testing-events.ts';
import { useAnnouncement } from './use-announcement.ts';

const page = usePage();
const received = (event: object): ChatAction => ({
  kind: 'received',
  key: 'k',
  id: 'log',
  event: event as ReturnType<typeof begin>,
});

async function open(first: Chat = newChat('s')) {
  const shown = { chat: first };
  const hook = await page.hook(() => useAnnouncement(shown.chat));
  return {
    text: () => hook.current,
    dispatch(...actions: ChatAction[]) {
      shown.chat = actions.reduce(reduceChat, shown.chat);
      hook.again();
    },
  };
}
const sent: ChatAction = { kind: 'sent', key: 'k', message: 'hi' };

it('announces a reply once it is complete, and no tokens', async () => {
  const { text, dispatch } = await open();
  dispatch(sent, received(begin()), received({ event: 'token', chunk: 'Hel' }));
  expect(text()).toBe('');
  dispatch(received(completed('Hello.')));
  expect(text()).toBe('Assistant: Hello.');
});

it('announces a question, and what was not done', async () => {
  const { text, dispatch } = await open();
  dispatch(
    sent,
    received(begin()),
    received({ event: 'question', id: 'q', kind: 'question', text: 'Which one?', choices: ['a'] }),
  );
  expect(text()).toBe('The assistant asks: Which one?');
  const partly = completed('Half.') as { data: object };
  dispatch(
    received({ event: 'answered', id: 'q', choice: 'a' }),
    received({ ...partly, data: { ...partly.data, outcome: 'partly_done' } }),
  );
  expect(text()).toBe('Assistant: Done in part. Half.');
});

it('announces a failure in place of the text, and shortens a long one', async () => {
  const { text, dispatch } = await open();
  dispatch(sent);
  dispatch({ kind: 'refused', key: 'k', message: 'x'.repeat(700) });
  expect(text()).toMatch(/^Assistant: .*x{600}…$/);
});

it('announces a note, and no turn that had ended before', async () => {
  const old = [sent, received(begin()), received(completed('Old.'))].reduce(reduceChat, newChat('s'));
  const { text, dispatch } = await open(old);
  expect(text()).toBe('');
  dispatch({ kind: 'noted', key: 'n', text: 'Nothing to revert.' });
  expect(text()).toBe('Nothing to revert.');
});
