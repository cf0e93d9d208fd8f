import { askUser } from './ask-tools.ts';
import type { Asked, AssistantTool, ToolArguments, ToolContext, ToolData } from './assistant-tool.ts';

const WORDS: Readonly<Record<keyof Asked, string>> = {
  change: 'change the flow',
  remove: 'remove or take back what is on the canvas',
  write: 'write files',
  run: 'run the flow',
  runWrites: 'run the flow',
};

/**
 * Lets a call through that the message asks for, and asks the user about any other one: a text that the model has read may
 * have ordered it. One answer counts for all calls of the kind in the turn.
 */
export async function isAllowed(tool: AssistantTool, args: ToolArguments, context: ToolContext): Promise<boolean> {
  const { asked, notes } = context;
  const needs = typeof tool.needs === 'function' ? tool.needs(args, context) : tool.needs;
  if (needs === undefined || asked[needs]) return true;
  const known = notes.allowed.get(needs);
  if (known !== undefined) return known;
  const choice = await askUser(
    context,
    {
      kind: 'beyond',
      text: `Your message did not ask for this. May I ${WORDS[needs]} in this turn? First:`,
      choices: ['Allow', 'Do not allow'],
      default: 'Do not allow',
    },
    tool.label(args),
  );
  const isGiven = choice === 'Allow';
  notes.allowed.set(needs, isGiven);
  return isGiven;
}

/** The result of a call that the user did not allow. */
export const NOT_ALLOWED: ToolData = {
  text: 'Not done: the message did not ask for it, and the user did not allow it. Answer the message, and do not try again.',
  summary: 'Not done: your message did not ask for it, and you did not allow it.',
  declined: true,
};
