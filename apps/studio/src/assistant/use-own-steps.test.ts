import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { type ChatAction, newChat, reduceChat } from './chat.ts';
import { added, begin, completed } from './testing-events.ts';
import { useOwnSteps } from './use-own-steps.ts';

const page = usePage();

async function open() {
  const shown = { chat: newChat('s'), version: 1 };
  const adopted: number[][] = [];
  const edits = { adopt: (versions: ReadonlySet<number>) => void adopted.push([...versions]) };
  const hook = await page.hook(() => useOwnSteps(shown.chat, shown.version, edits));
  const dispatch = (...actions: ChatAction[]) => {
    shown.chat = actions.reduce(reduceChat, shown.chat);
    hook.again();
  };
  const receive = (...events: ReturnType<typeof begin>[]) =>
    dispatch(...events.map((event): ChatAction => ({ kind: 'received', key: 'k', id: 'log', event })));
  const haveVersion = (version: number) => {
    shown.version = version;
    hook.again();
  };
  return { adopted, dispatch, receive, haveVersion };
}
const latest = (adopted: number[][]) => adopted.at(-1) ?? [];

it('makes the changes of a turn one step once the turn has ended and the page has all of them', async () => {
  const { adopted, dispatch, receive, haveVersion } = await open();
  dispatch({ kind: 'sent', key: 'k', message: 'add' });
  receive(begin(), added('T', 'a', 2), added('T', 'b', 3));
  haveVersion(3);
  expect(latest(adopted)).toEqual([]);
  haveVersion(2);
  receive(completed('Added.'));
  expect(latest(adopted)).toEqual([]);
  haveVersion(3);
  expect(latest(adopted)).toEqual([2, 3]);
});
