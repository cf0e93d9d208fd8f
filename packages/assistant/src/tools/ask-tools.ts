import { buildFromSpecInParts, contentOf, type FlowContent, inTurns, shortLine } from '@croft/flow';
import type { TurnQuestion } from '../events.ts';
import { hideSecrets } from '../hide-secrets.ts';
import { pathsUndone, undoneText } from '../turn-files.ts';
import { type AssistantTool, failed, textOf, textParameters, type ToolContext } from './assistant-tool.ts';

const MAX_QUESTIONS = 5;
const MAX_TEXT = 1_000;
const MAX_QUOTE = 200;
const MAX_PLAN = 20_000;
/** Components of a plan that the canvas draws. */
const MAX_DRAWN = 100;

/**
 * Asks the user one question and waits. The question has an id of the server, and only that id can be answered.
 *
 * @param about a text of the model. It follows the question as a quote, so that it can neither hide nor continue it
 */
export async function askUser(
  { turn, emit, signal, notes }: ToolContext,
  question: Omit<TurnQuestion, 'id'>,
  about?: string,
): Promise<string> {
  const id = `${turn.id}-q${++notes.questions}`;
  const hidden = (text: string) => hideSecrets(text, turn.secrets);
  const quote = about === undefined ? '' : ` “${inOneLine(hidden(about).replace(/[“”]/g, "'"))}”`;
  const asked = { ...question, id, text: hidden(question.text).slice(0, MAX_TEXT) + quote };
  const answer = turn.ask(asked, signal);
  emit({ event: 'question', ...asked });
  const choice = await answer;
  emit({ event: 'answered', id, choice });
  return choice;
}

/** A short text without what leaves gaps, turns the direction of writing or is not visible. */
function inOneLine(text: string): string {
  return shortLine(text.replace(/[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]+/gu, ' ').trim(), MAX_QUOTE);
}

/** Tools that involve the user. */
export const ASK_TOOLS: readonly AssistantTool[] = [
  {
    name: 'ask_user',
    description:
      'Asks the user one question with two to four choices, and waits. Only where a wrong guess would cost the user work; otherwise choose and say what you chose.',
    parameters: {
      type: 'object',
      properties: {
        question: { type: 'string', description: 'One question.' },
        choices: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 4 },
      },
      required: ['question', 'choices'],
      additionalProperties: false,
    },
    label: () => 'Asking you',
    async run(args, context) {
      const text = textOf(args, 'question');
      const given: unknown = args['choices'];
      const choices = (Array.isArray(given) ? given : [])
        .slice(0, 4)
        .map((each) => inOneLine(hideSecrets(String(each), context.turn.secrets)));
      if (text === '' || choices.length < 2)
        return failed('ask_user needs a question and two to four choices.', {
          summary: 'A question needs two to four choices.',
        });
      if (context.notes.questions >= MAX_QUESTIONS)
        return failed('You have asked enough. Choose the most likely option, and say what you chose.', {
          summary: `One message asks at most ${MAX_QUESTIONS} questions.`,
        });
      const answer = await askUser(context, { kind: 'question', text, choices });
      return { answer, summary: `You chose “${answer}”.` };
    },
  },
  {
    name: 'propose_plan',
    description:
      'Shows the user a plan in Markdown before a large or ambiguous build, and ends your turn. The user continues or changes it. Not needed for small builds.',
    parameters: textParameters({
      plan: 'The plan, in Markdown.',
      'spec?': 'The flow that it would build, as for build_flow. The user sees it as outlines on the canvas.',
    }),
    label: () => 'Proposing a plan',
    async run(args, { turn, emit, signal }) {
      const markdown = hideSecrets(textOf(args, 'plan'), turn.secrets).slice(0, MAX_PLAN);
      if (markdown === '') return failed('propose_plan needs a plan.', { summary: 'The plan is empty.' });
      if (turn.skipAll === true)
        return {
          text: 'The user approves plans in advance. Go on with the build now.',
          summary: 'Plans are approved in advance.',
          status: 'approved',
        };
      const spec = textOf(args, 'spec');
      const built = spec === '' ? undefined : await inTurns(buildFromSpecInParts(spec, turn.registry), { signal });
      signal.throwIfAborted();
      const id = `${turn.id}-plan`;
      const drawn = built !== undefined && 'flow' in built ? drawnPlan(markdown, contentOf(built.flow)) : { markdown };
      emit({ event: 'flow_update', action: 'propose_plan', id, ...drawn });
      const why = built !== undefined && 'error' in built ? ` It is not drawn: ${built.details}` : '';
      const text = `The plan is shown to the user.${why} STOP now: end your reply without further calls.`;
      return { text, summary: 'Continue with this plan, or say what to change.', status: 'awaiting_user_approval' };
    },
  },
  {
    name: 'undo_change',
    needs: 'remove',
    description:
      "Undoes the user's newest change of the canvas, or all changes of the last request together, with the files that it wrote. Revert, take back.",
    parameters: textParameters({}),
    label: () => 'Undoing the last change',
    run: (_, context) => undoChange(context),
  },
];

async function undoChange({ turn, working, emit }: ToolContext) {
  if (turn.dismissesProposals === true) {
    const text = 'The proposal is dismissed. It had not changed the canvas, so nothing else was undone.';
    return { text, summary: `${text} Send “undo that” again to undo the change before it.` };
  }
  const undone = await turn.undoFiles?.();
  const files = undone?.files ?? [];
  const paths = pathsUndone(files);
  if (undone !== undefined && paths.length > 0) emit({ event: 'files_undone', turn_id: undone.turnId, paths });
  const canvas = undone === undefined || undone.withCanvas ? await undoCanvas(turn, working) : undefined;
  const summary = undoneText(files, canvas && [canvas.what], canvas?.stays);
  if (paths.length === 0 && canvas === undefined) return failed(summary);
  return { text: summary, summary };
}

async function undoCanvas(turn: ToolContext['turn'], working: ToolContext['working']) {
  const writers = async () =>
    (await working.read()).nodes.filter(({ type }) =>
      turn.registry.get(type)?.descriptor.effects.includes('workspace-write'),
    ).length;
  const before = await writers();
  const what = await working.undo();
  return { what, stays: (await writers()) < before ? ' Files that a run of the flow wrote stay as they are.' : '' };
}

/** A plan with its flow as far as the canvas draws it. */
function drawnPlan(markdown: string, flow: FlowContent): { readonly markdown: string; readonly flow: FlowContent } {
  const nodes = flow.nodes.slice(0, MAX_DRAWN);
  const left = flow.nodes.length - nodes.length;
  if (left === 0) return { markdown, flow };
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = flow.edges.filter(({ from, to }) => ids.has(from.node) && ids.has(to.node));
  const note = `The drawing shows ${MAX_DRAWN} components. The plan has ${left} more component${left === 1 ? '' : 's'}.`;
  return { markdown: `${markdown}\n\n${note}`, flow: { ...flow, nodes, edges } };
}
