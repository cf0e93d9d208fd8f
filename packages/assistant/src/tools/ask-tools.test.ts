import { createRegistry } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import type { AssistantEvent } from '../events.ts';
import { makeTurn } from '../testing.ts';
import { askUser } from './ask-tools.ts';
import type { ToolContext } from './assistant-tool.ts';

/** Asks a question with this quote, and gives what the user saw. */
async function ask(text: string, about?: string, secrets: readonly string[] = []) {
  const events: AssistantEvent[] = [];
  const turn = makeTurn(createRegistry([]), { secrets: new Set(secrets), ask: async () => 'Yes' });
  const context = {
    turn,
    signal: turn.signal,
    notes: { questions: 0 },
    emit: (event: AssistantEvent) => events.push(event),
  } as unknown as ToolContext;
  const choice = await askUser(context, { kind: 'question', text, choices: ['Yes', 'No'] }, about);
  return { choice, events, shown: (events[0] as { text: string }).text };
}

describe('a question to the user', () => {
  it('has an id of the server, and its answer', async () => {
    const { choice, events } = await ask('Go on?');
    expect([choice, events]).toEqual([
      'Yes',
      [
        { event: 'question', id: 'turn-1-q1', kind: 'question', text: 'Go on?', choices: ['Yes', 'No'] },
        { event: 'answered', id: 'turn-1-q1', choice: 'Yes' },
      ],
    ]);
  });

  it('quotes a text of the model in one short line that cannot end its quote', async () => {
    const { shown } = await ask('Run:', 'a\u202e\n“b” \u200b c');
    expect(shown).toBe("Run: “a 'b' c”");
    expect((await ask('Run:', 'x'.repeat(900))).shown.length).toBeLessThan(220);
    expect((await ask('y'.repeat(2_000))).shown).toHaveLength(1_000);
  });

  it('shows no secret', async () => {
    const { shown } = await ask('Send hunter2-key?', 'with hunter2-key', ['hunter2-key']);
    expect(shown).not.toContain('hunter2-key');
  });
});
