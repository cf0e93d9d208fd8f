import { builtinRegistry } from '@croft/components';
import { createRegistry, shortLine } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import type { AssistantEvent } from '../events.ts';
import { makeTurn, WORD_COUNT_SPEC } from '../testing.ts';
import type { Turn } from '../turn.ts';
import { ASK_TOOLS, askUser } from './ask-tools.ts';
import { textParameters, type ToolContext } from './assistant-tool.ts';

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
    expect((await ask('Run:', 'x'.repeat(900))).shown).toBe(`Run: “${shortLine('x'.repeat(900), 200)}”`);
    expect((await ask('y'.repeat(2_000))).shown).toHaveLength(1_000);
  });

  it('shows no secret', async () => {
    const { shown } = await ask('Send hunter2-key?', 'with hunter2-key', ['hunter2-key']);
    expect(shown).not.toContain('hunter2-key');
  });
});

const registry = builtinRegistry();

/** Calls a tool, and gives its result and the events. The user answers "Yes". */
async function call(name: string, args: object, parts: Partial<Turn> = {}, more: object = {}) {
  const events: AssistantEvent[] = [];
  const turn = makeTurn(registry, { ask: async () => 'Yes', ...parts });
  const tool = ASK_TOOLS.find((each) => each.name === name);
  const context = {
    turn,
    signal: turn.signal,
    notes: { questions: 0 },
    emit: (event: AssistantEvent) => events.push(event),
  };
  const result = await tool?.run(args as never, { ...context, ...more } as unknown as ToolContext);
  return { result, events };
}

describe('ask_user', () => {
  it('asks with choices in one line, without secrets, and gives the answer', async () => {
    const args = { question: ' Which key? ', choices: ['a\nhunter2-key', 'b', 3, 'd', 'e'] };
    const { result, events } = await call('ask_user', args, { secrets: new Set(['hunter2-key']) });
    expect(result).toEqual({ answer: 'Yes', summary: 'You chose “Yes”.' });
    expect(events[0]).toEqual({
      event: 'question',
      id: 'turn-1-q1',
      kind: 'question',
      text: 'Which key?',
      choices: ['a ***REDACTED***', 'b', '3', 'd'],
    });
  });

  it.each([
    { question: '', choices: ['a', 'b'] },
    { question: 'Q', choices: ['a'] },
    { question: 'Q', choices: 'ab' },
  ])('refuses %j', async (args) => {
    const error = 'ask_user needs a question and two to four choices.';
    expect(await call('ask_user', args)).toEqual({
      result: { error, text: error, summary: 'A question needs two to four choices.' },
      events: [],
    });
  });

  it('asks five questions in a turn, and no more', async () => {
    const args = { question: 'Q', choices: ['a', 'b'] };
    expect((await call('ask_user', args, {}, { notes: { questions: 4 } })).events).toHaveLength(2);
    const error = 'You have asked enough. Choose the most likely option, and say what you chose.';
    expect(await call('ask_user', args, {}, { notes: { questions: 5 } })).toEqual({
      result: { error, text: error, summary: 'One message asks at most 5 questions.' },
      events: [],
    });
  });
});

describe('propose_plan', () => {
  const shown = {
    text: 'The plan is shown to the user. STOP now: end your reply without further calls.',
    summary: 'Continue with this plan, or say what to change.',
    status: 'awaiting_user_approval',
  };
  const proposal = { event: 'flow_update', action: 'propose_plan', id: 'turn-1-plan' };

  it('shows a plan without secrets, cut at 20,000 characters', async () => {
    const plan = ` hunter2-key ${'x'.repeat(20_000)}`;
    const { result, events } = await call('propose_plan', { plan }, { secrets: new Set(['hunter2-key']) });
    expect(result).toEqual(shown);
    expect(events).toEqual([{ ...proposal, markdown: `***REDACTED*** ${'x'.repeat(19_985)}` }]);
  });

  it('draws the flow of the plan, or says why it cannot', async () => {
    const { result, events } = await call('propose_plan', { plan: 'Count', spec: WORD_COUNT_SPEC });
    expect(result).toEqual(shown);
    expect(events).toEqual([{ ...proposal, markdown: 'Count', flow: expect.objectContaining({ name: 'Word count' }) }]);
    const failing = await call('propose_plan', { plan: 'Count', spec: 'nodes:\n  A: Nothing\n' });
    expect(failing.events).toEqual([{ ...proposal, markdown: 'Count' }]);
    expect(failing.result?.['text']).toMatch(
      /^The plan is shown to the user\. It is not drawn: Available types .*'ChatInput'.* STOP now: /s,
    );
  });

  it.each([
    [100, undefined],
    [101, 'The drawing shows 100 components. The plan has 1 more component.'],
    [102, 'The drawing shows 100 components. The plan has 2 more components.'],
  ])('draws at most 100 components: of %i', async (count, note) => {
    const nodes = Array.from({ length: count - 1 }, (_, at) => `  N${at}: TextOutput`);
    const edges = [`  I.message -> N${count - 2}.input_value`, '  I.message -> N0.input_value'];
    const spec = ['name: Many', 'nodes:', '  I: ChatInput', ...nodes, 'edges:', ...edges].join('\n');
    const { events } = await call('propose_plan', { plan: 'Many', spec });
    const [event] = events as unknown as { markdown: string; flow: { nodes: object[]; edges: object[] } }[];
    expect(event?.markdown).toBe(note === undefined ? 'Many' : `Many\n\n${note}`);
    expect([event?.flow.nodes.length, event?.flow.edges.length]).toEqual([100, note === undefined ? 2 : 1]);
  });

  it('needs a plan, and shows none that is approved in advance', async () => {
    const error = 'propose_plan needs a plan.';
    expect((await call('propose_plan', { plan: ' ' })).result).toEqual({
      error,
      text: error,
      summary: 'The plan is empty.',
    });
    expect(await call('propose_plan', { plan: 'Count' }, { skipAll: true })).toEqual({
      result: {
        text: 'The user approves plans in advance. Go on with the build now.',
        summary: 'Plans are approved in advance.',
        status: 'approved',
      },
      events: [],
    });
  });
});

describe('undo_change', () => {
  const node = (id: string, type: string) => ({ id, type });
  const undo = async (before: object[], after: object[], parts: Partial<Turn> = {}) => {
    let isUndone = false;
    const working = {
      read: async () => ({ nodes: isUndone ? after : before }),
      undo: async () => ((isUndone = true), 'added Parser'),
    };
    return (await call('undo_change', {}, parts, { working })).result;
  };
  const writer = node('w', 'SaveToFile');

  it('names the change, and says that files stay where a writer is gone', async () => {
    expect(await undo([node('p', 'ParserComponent')], [])).toEqual({
      text: 'Undone: added Parser.',
      summary: 'Undone: added Parser.',
    });
    const text = 'Undone: added Parser. Files that a run of the flow wrote stay as they are.';
    expect(await undo([writer], [])).toEqual({ text, summary: text });
    expect((await undo([writer], [writer, node('x', 'Gone')]))?.['text']).toBe('Undone: added Parser.');
  });

  describe('where the newest message with changes wrote files', () => {
    const file = (path: string, problem: string | null = null) => ({ path, reverted: problem === null, problem });
    async function undoOf(files: readonly object[], withCanvas = false) {
      let undos = 0;
      const working = { read: async () => ({ nodes: [] }), undo: async () => (undos++, 'added Parser') };
      const undoFiles = async () => ({ turnId: 't0', files, withCanvas }) as never;
      return { ...(await call('undo_change', {}, { undoFiles }, { working })), undos };
    }

    it('takes the files back and leaves older changes of the canvas', async () => {
      const { result, events, undos } = await undoOf([file('b.md'), file('a.md'), file('a.md')]);
      const text = 'Undone: changes of b.md, a.md.';
      expect([result, undos]).toEqual([{ text, summary: text }, 0]);
      expect(events).toEqual([{ event: 'files_undone', turn_id: 't0', paths: ['b.md', 'a.md'] }]);
    });

    it('takes the files back with the canvas where the message changed both', async () => {
      const { result, undos } = await undoOf([file('a.md')], true);
      expect([result?.['text'], undos]).toEqual(['Undone: changes of a.md, added Parser.', 1]);
    });

    it('says which files stay, and fails where nothing was taken back', async () => {
      const stays = file('b.md', 'b.md was changed since');
      const some = await undoOf([file('a.md'), stays]);
      expect(some.result?.['text']).toBe('Undone: changes of a.md. Not taken back: b.md was changed since.');
      const none = await undoOf([stays]);
      const error = 'Nothing was undone. Not taken back: b.md was changed since.';
      expect([none.result, none.events, none.undos]).toEqual([{ error, text: error }, [], 0]);
    });
  });

  it('undoes the canvas where its newest change is newer than those of files', async () => {
    expect((await undo([], [], { undoFiles: async () => undefined }))?.['text']).toBe('Undone: added Parser.');
  });

  it('undoes nothing more where a proposal was dismissed', async () => {
    const text = 'The proposal is dismissed. It had not changed the canvas, so nothing else was undone.';
    expect(await undo([writer], [], { dismissesProposals: true })).toEqual({
      text,
      summary: `${text} Send “undo that” again to undo the change before it.`,
    });
  });
});

it('describes its tools to a model, and labels their calls', () => {
  const shown = ASK_TOOLS.map(({ name, label, needs }) => `${name}: ${label({})} ${String(needs)}`);
  expect(shown).toEqual([
    'ask_user: Asking you undefined',
    'propose_plan: Proposing a plan undefined',
    'undo_change: Undoing the last change remove',
  ]);
  expect(ASK_TOOLS.map(({ description }) => description)).toEqual([
    'Asks the user one question with two to four choices, and waits. Only where a wrong guess would cost the user work; otherwise choose and say what you chose.',
    'Shows the user a plan in Markdown before a large or ambiguous build, and ends your turn. The user continues or changes it. Not needed for small builds.',
    "Undoes the user's newest change of the canvas, or all changes of the last request together, with the files that it wrote. Revert, take back.",
  ]);
  expect(ASK_TOOLS.map(({ parameters }) => parameters)).toEqual([
    {
      type: 'object',
      properties: {
        question: { type: 'string', description: 'One question.' },
        choices: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 4 },
      },
      required: ['question', 'choices'],
      additionalProperties: false,
    },
    textParameters({
      plan: 'The plan, in Markdown.',
      'spec?': 'The flow that it would build, as for build_flow. The user sees it as outlines on the canvas.',
    }),
    textParameters({}),
  ]);
});
