import { SendHorizontal, Square } from 'lucide-react';
import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import type { AssistantFlow } from './assistant-flow.ts';
import type { AssistantStore } from './assistant-store.ts';
import { ComposerMenu, type MenuEntry } from './composer-menu.tsx';
import { commandsFor } from './commands.ts';
import { leavesText, NO_RECALL, recall } from './input-history.ts';
import type { Kept } from './kept.ts';
import { mentionAt, mentionItems, withMention } from './mentions.ts';
import { ModelPicker } from './model-picker.tsx';
import type { TurnView } from './turn-view.ts';

/** A message is a request and not a document: longer texts belong into a file. */
export const MAX_CHARS = 500;

/** Where messages are written. */
export function Composer({
  ref,
  text,
  onText,
  flow: { document: flow, registry },
  kept,
  store,
  model,
  working,
  isRefining,
  onSetUp,
}: {
  ref: Ref<HTMLTextAreaElement>;
  text: string;
  onText: (text: string) => void;
  flow: Pick<AssistantFlow, 'document' | 'registry'>;
  kept: Pick<Kept, 'readHistory'>;
  store: AssistantStore;
  model: string;
  working: TurnView | undefined;
  isRefining: boolean;
  /** Sets up a model provider. */
  onSetUp: () => void;
}) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => field.current as HTMLTextAreaElement);
  const [cursor, setCursor] = useState(0);
  const [recalled, setRecalled] = useState(NO_RECALL);
  /** The text for which the user closed the menu. */
  const [closedFor, setClosedFor] = useState<string>();
  const [active, setActive] = useState(0);
  const question = working?.question?.kind === 'question' ? working.question : undefined;
  const isTooLong = text.length > MAX_CHARS;
  const canSend = text.trim() !== '' && !isTooLong && (working === undefined || question !== undefined);

  const write = (next: string, at = next.length) => {
    // At once: a key that is pressed before the next frame must find the caret in its place.
    flushSync(() => onText(next));
    field.current?.setSelectionRange(at, at);
    setCursor(at);
    setActive(0);
  };
  const mention = mentionAt(text, cursor);
  const entries: readonly MenuEntry[] = [
    ...commandsFor(text).map((each) => ({
      id: each.text,
      title: each.text,
      about: each.about,
      take: () => write(each.text),
    })),
    ...(mention === undefined ? [] : mentionItems(mention.query, flow, registry)).map((item) => ({
      ...item,
      take() {
        const next = withMention(text, mention as NonNullable<typeof mention>, item);
        write(next.text, next.cursor);
      },
    })),
  ];
  const isMenuOpen = entries.length > 0 && closedFor !== text;
  const chosen = entries[Math.min(active, entries.length - 1)];

  function send() {
    if (!canSend) return;
    setRecalled(NO_RECALL);
    onText('');
    if (working && question) void store.answer(working.key, question.id, text.trim());
    else void store.send(text);
  }
  function recallBy(event: KeyboardEvent<HTMLTextAreaElement>, direction: 'older' | 'newer') {
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (selectionStart !== selectionEnd || !leavesText(text, selectionStart, direction)) return;
    const next = recall(kept.readHistory(), recalled, direction, text);
    if (next === undefined) return;
    event.preventDefault();
    setRecalled(next.recall);
    write(next.text);
  }
  function pressInMenu(event: KeyboardEvent): boolean {
    if (!isMenuOpen || !chosen) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((entries.indexOf(chosen) + step + entries.length) % entries.length);
    else if (event.key === 'Enter' || event.key === 'Tab') chosen.take();
    else if (event.key === 'Escape') setClosedFor(text);
    else return false;
    event.preventDefault();
    return true;
  }
  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.nativeEvent.isComposing || pressInMenu(event)) return;
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      send();
    } else if (event.key === 'ArrowUp') recallBy(event, 'older');
    else if (event.key === 'ArrowDown') recallBy(event, 'newer');
  }
  const placeholder = question
    ? 'Choose above, or write another answer'
    : isRefining
      ? 'Tell me what to change…'
      : 'Build, change or run this flow';
  return (
    <form
      className="relative grid gap-2 border-t border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {isMenuOpen && <ComposerMenu id={id} entries={entries} active={chosen} />}
      <textarea
        ref={field}
        rows={2}
        aria-label="Message to the assistant"
        aria-describedby={`${id}-count`}
        aria-invalid={isTooLong || undefined}
        aria-autocomplete="list"
        aria-controls={isMenuOpen ? id : undefined}
        aria-activedescendant={isMenuOpen && chosen ? `${id}-${entries.indexOf(chosen)}` : undefined}
        placeholder={placeholder}
        value={text}
        onChange={({ target }) => {
          onText(target.value);
          setCursor(target.selectionStart);
          setActive(0);
        }}
        onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
        onKeyDown={press}
        className="field-sizing-content max-h-40 min-h-14 w-full resize-none rounded-md border border-edge bg-surface px-3 py-2 text-ink aria-invalid:border-bad max-sm:text-[1rem]"
      />
      <div className="flex items-center gap-2">
        <ModelPicker model={model} onModel={store.setModel} onSetUp={onSetUp} />
        <p
          id={`${id}-count`}
          className={cn('ml-auto text-xs whitespace-nowrap', isTooLong ? 'font-medium text-bad' : 'text-soft')}
        >
          <span className="sr-only">Characters: </span>
          {text.length}/{MAX_CHARS}
        </p>
        {working !== undefined && (
          <Button small onClick={() => void store.stop()}>
            <Square size={13} aria-hidden="true" className="fill-current" /> Stop
          </Button>
        )}
        {(working === undefined || question !== undefined) && (
          <Button small type="submit" look="primary" disabled={!canSend}>
            <SendHorizontal size={14} aria-hidden="true" /> Send
          </Button>
        )}
      </div>
    </form>
  );
}
