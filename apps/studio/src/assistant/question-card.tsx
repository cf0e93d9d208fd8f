import type { TurnQuestion } from '@croft/assistant/events';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import type { ChatParts } from './assistant-flow.ts';

/** A question with its choices. The composer takes another answer where one is possible. */
export function QuestionCard({
  question: { id, text, choices, default: usual },
  turnKey,
  store,
}: Pick<ChatParts, 'store'> & { question: TurnQuestion; turnKey: string }) {
  const [chosen, setChosen] = useState<string>();
  async function choose(choice: string) {
    setChosen(choice);
    await store.answer(turnKey, id, choice);
    setChosen(undefined);
  }
  return (
    <section
      aria-label="Question"
      className="grid grid-cols-1 gap-2.5 rounded-lg border border-accent/40 bg-accent-soft p-3"
    >
      <p className="font-medium [overflow-wrap:anywhere] whitespace-pre-wrap">{text}</p>
      <div className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <Button
            key={choice}
            small
            busy={chosen === choice}
            disabled={chosen !== undefined && chosen !== choice}
            className="h-auto! max-w-full text-left whitespace-normal!"
            onClick={() => void choose(choice)}
          >
            {choice}
            {choice === usual && <span className="text-xs text-soft">default</span>}
          </Button>
        ))}
      </div>
    </section>
  );
}
