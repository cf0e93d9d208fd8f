import { expect, it, vi } from 'vitest';
import { usePage } from '../testing/page.ts';
import { type ChatAction, newChat, reduceChat } from './chat.ts';
import { added, begin, built } from './testing-events.ts';
import { useShowBuilt } from './use-show-built.ts';

const page = usePage();

async function open(...first: ReturnType<typeof begin>[]) {
  let frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
  vi.stubGlobal('cancelAnimationFrame', () => (frames = []));
  const received = (event: ReturnType<typeof begin>): ChatAction => ({ kind: 'received', key: 'k', id: 'log', event });
  const start = reduceChat(newChat('s'), { kind: 'sent', key: 'k', message: 'build' });
  const shown = { chat: first.map(received).reduce(reduceChat, start), version: 2 };
  const onBuilt = vi.fn();
  const hook = await page.hook(() => useShowBuilt(shown.chat, shown.version, onBuilt));
  return {
    onBuilt,
    receive(event: ReturnType<typeof begin>) {
      shown.chat = reduceChat(shown.chat, received(event));
      hook.again();
    },
    haveVersion(version: number) {
      shown.version = version;
      hook.again();
    },
    frame() {
      const due = frames;
      frames = [];
      for (const run of due) run();
    },
  };
}

it('shows a whole flow once the page has it, in the frame after it is drawn', async () => {
  const { onBuilt, receive, haveVersion, frame } = await open(begin());
  receive(built({ auto_apply: true, version: 3 }));
  frame();
  frame();
  expect(onBuilt).not.toHaveBeenCalled();
  haveVersion(3);
  frame();
  expect(onBuilt).not.toHaveBeenCalled();
  frame();
  frame();
  expect(onBuilt).toHaveBeenCalledOnce();
});

it.each(['add', 'replace'])('shows a proposed flow after the choice %s', async (choice) => {
  const { onBuilt, receive, frame } = await open(begin(), built());
  receive({ event: 'proposal_decided', id: 't1-1', choice, version: 2 });
  frame();
  frame();
  expect(onBuilt).toHaveBeenCalledOnce();
});

it('shows nothing for a dismissed flow, single changes, or a flow of before the page was opened', async () => {
  const one = await open(begin(), built());
  one.receive({ event: 'proposal_decided', id: 't1-1', choice: 'dismiss', version: 2 });
  const two = await open(begin());
  two.receive(added('T', 'a', 2));
  const three = await open(begin(), built({ auto_apply: true, version: 2 }));
  for (const each of [one, two, three]) {
    each.frame();
    each.frame();
    expect(each.onBuilt).not.toHaveBeenCalled();
  }
});
