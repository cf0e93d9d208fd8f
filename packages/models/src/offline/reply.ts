import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { chooseTool, type OfferedTool } from './choose-tool.ts';
import { readClause } from './clause.ts';
import {
  type DoneCall,
  endsRequest,
  nextCall,
  noteOf,
  readConversation,
  resultText,
  summaryOf,
  wholeText,
} from './conversation.ts';
import { OWN_WORDS, parametersOf } from './fill-arguments.ts';
import { objectFor } from './object-for.ts';
import { splitRequest } from './split-request.ts';
import { meaningOf } from './words.ts';

/** One call of a tool. */
export interface OfflineCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A reply: text, or calls of tools. */
export interface OfflineReply {
  readonly text: string;
  readonly calls: readonly OfflineCall[];
}

const ABOUT =
  'I am croft/offline: rules, not a language model. I follow simple requests that a tool can carry out, and repeat what the tool answers. For real answers, set up a provider: under Settings on a server, or with a key such as OPENAI_API_KEY for `croft run` and `croft chat`.';
const IDENTITY =
  /^(?:hi|hello|hey|good (?:morning|evening|day))\b|^help(?:\s+me)?\W*$|\b(?:who|what) are you\b|\bwhat (?:can|do) you do\b|\bare you (?:a|an|real|human)\b|\bwhat model\b/i;
/**
 * The longest request that the rules read. Their patterns take up to quadratic time, in the process of the server, and a
 * request of a person is short. A longer one is refused: its rest may say what not to do.
 */
const MAX_REQUEST = 2_000;
const HELP_TOOL = 'show_help';
const ECHO =
  /^(?:please\s+)?(?:say|repeat|echo|reply with|answer with|respond with)(?:\s+exactly)?(?:\s+this)?\s*:?\s+(?:"([^"]*)"|([\s\S]+))$/i;

/** Answers one request. Pure: the same messages and tools give the same reply. */
export function replyTo({ prompt, tools = [], responseFormat }: LanguageModelV3CallOptions): OfflineReply {
  const { request, done } = readConversation(prompt);
  if (responseFormat?.type === 'json')
    return say(JSON.stringify(objectFor(responseFormat.schema, request.slice(0, MAX_REQUEST))));
  const offered = tools.flatMap((tool): OfferedTool[] => (tool.type === 'function' ? [tool] : []));
  const failedAt = done.findIndex(({ isError }) => isError);
  if (failedAt !== -1) return afterFailure(done, failedAt, request, offered);
  if (done.length === 0) {
    const echo = ECHO.exec(request);
    if (echo) return say((echo[1] ?? echo[2] ?? '').trim());
    const tooLong = tooLongForRules(request);
    if (tooLong !== undefined) return helpWith({ not_understood: request }, done, offered) ?? say(tooLong);
    if (IDENTITY.test(request)) return helpWith({}, done, offered) ?? say(`${ABOUT}${offeredText(offered)}`);
  }
  const asked = nextCall(done.at(-1)?.output);
  if (asked !== undefined && offered.some(({ name }) => name === asked.tool))
    return { text: '', calls: [{ id: `call-${done.length + 1}`, name: asked.tool, input: asked.input }] };
  if (done.some(({ output }) => endsRequest(output))) return say(answerFrom(done));
  const [step, ...later] = stepsAfter(done, request, offered);
  if (step === undefined && done.length > 0) return say(answerFrom(done));
  return takeStep(step ?? '', later, done, offered);
}

/** The steps of a request that come after these calls. */
function stepsAfter(done: readonly DoneCall[], request: string, offered: readonly OfferedTool[]): readonly string[] {
  // A call that a result asked for belongs to the step of that result.
  const followed = done.filter(({ name }, at) => nextCall(done[at - 1]?.output)?.tool === name).length;
  return stepsOf(request, offered).slice(done.length - followed);
}

/** The reply after a failure: the results before it, the failure, and the steps that do not follow. */
function afterFailure(
  done: readonly DoneCall[],
  at: number,
  request: string,
  offered: readonly OfferedTool[],
): OfflineReply {
  const until = done.slice(0, at + 1);
  const rest = stepsAfter(until, request, offered);
  const help = rest.length === 0 || done.length > until.length ? undefined : helpWith(notReached(rest), done, offered);
  if (help !== undefined) return help;
  const { name, output } = done[at] as DoneCall;
  const failure = summaryOf(output) ?? `${name} failed: ${resultText(output)}`;
  const before = summariesOf(done.slice(0, at));
  return say([...before, failure, ...summariesOf(done.slice(at + 1))].join('\n\n'));
}

const notReached = (steps: readonly string[]) => (steps.length === 0 ? {} : { not_reached: steps.join('; ') });

/** The reply to a request that is too long for the rules; undefined for a shorter one. */
export const tooLongForRules = ({ length }: string): string | undefined =>
  length <= MAX_REQUEST
    ? undefined
    : `I did nothing: this request has ${length} characters, and croft/offline reads at most ${MAX_REQUEST}. Write a shorter one, and put long texts into a file. For long requests, set up a provider: under Settings on a server, or with a key such as OPENAI_API_KEY for \`croft run\` and \`croft chat\`.`;

/** The steps of a request. A question before the request itself, which no tool fits, is one step with it. */
function stepsOf(request: string, offered: readonly OfferedTool[]): readonly string[] {
  const steps = splitRequest(request);
  const isUnderstood = (step: string) => chooseTool(offered, readClause(step), undefined) !== undefined;
  if (steps.length > 1 && !isUnderstood(steps[0] ?? '') && isUnderstood(request)) return [request];
  return steps.reduce<readonly string[]>((before, step) => {
    const last = before.at(-1);
    const joined = last === undefined ? undefined : joinedIn(request, last, step);
    const tool = joined === undefined ? undefined : chooseTool(offered, readClause(last ?? ''), undefined)?.tool;
    if (joined === undefined || tool === undefined || !belongsTo(tool, step)) return [...before, step];
    return [...before.slice(0, -1), joined];
  }, []);
}

/** Two steps with "and" between them, as the request has them. */
const joinedIn = (request: string, one: string, other: string): string | undefined =>
  [`${one} and ${other}`, `${one}, and ${other}`].find((each) => request.includes(each));

/** Whether a step goes on with what the user's own words describe. It does not where it runs or names the result. */
function belongsTo({ name, inputSchema }: OfferedTool, step: string): boolean {
  if (!parametersOf(inputSchema).some(({ description }) => OWN_WORDS.test(description))) return false;
  const { acts, things } = meaningOf(step);
  return !acts.has('run') && ![...meaningOf(name).things].some((thing) => things.has(thing));
}

function takeStep(
  step: string,
  later: readonly string[],
  done: readonly DoneCall[],
  offered: readonly OfferedTool[],
): OfflineReply {
  const before = done.length > 0 ? `${answerFrom(done)}\n\n` : '';
  const last = done.at(-1);
  const choice = chooseTool(offered, readClause(step), last && wholeText(last.output));
  const isReady = choice !== undefined && choice.filled.missing.length === 0;
  const help = isReady ? undefined : helpWith({ not_understood: step, ...notReached(later) }, done, offered);
  if (help !== undefined) return help;
  if (choice === undefined)
    return say(`${before}I did not understand: ${quote(step)}. ${ABOUT}${offeredText(offered)}`);
  const { tool, filled } = choice;
  if (filled.missing.length === 0)
    return { text: '', calls: [{ id: `call-${done.length + 1}`, name: tool.name, input: filled.values }] };
  const names = filled.missing.map((name) => `\`${name}\``).join(', ');
  return say(
    `${before}To call ${tool.name} I need ${names}. Write, for example: use ${tool.name} with ${filled.missing[0]} "…".`,
  );
}

/** A call of the tool that explains what can be asked, where an application offers one. */
function helpWith(
  input: OfflineCall['input'],
  done: readonly DoneCall[],
  offered: readonly OfferedTool[],
): OfflineReply | undefined {
  if (!offered.some(({ name }) => name === HELP_TOOL)) return undefined;
  return { text: '', calls: [{ id: `call-${done.length + 1}`, name: HELP_TOOL, input }] };
}

const say = (text: string): OfflineReply => ({ text, calls: [] });

/** The sentences for people of these calls. */
const summariesOf = (done: readonly DoneCall[]): readonly string[] =>
  done.flatMap(({ output }) => [summaryOf(output) ?? [], noteOf(output) ?? []].flat());

/**
 * The results of one call as they are; of several calls their summaries, or the results with the tools' names. A call that
 * asked for the next one, and has no summary, is left out.
 */
function answerFrom(done: readonly DoneCall[]): string {
  const shown = done.filter(({ output }, at) => {
    const asked = nextCall(output)?.tool;
    return asked === undefined || asked !== done[at + 1]?.name || summaryOf(output) !== undefined;
  });
  const [only] = shown;
  const results =
    shown.length === 1 && only !== undefined
      ? [resultText(only.output)]
      : shown.map(({ name, output }) => summaryOf(output) ?? `${name}: ${resultText(output)}`);
  return [...results, ...done.flatMap(({ output }) => noteOf(output) ?? [])].join('\n\n');
}

const offeredText = (offered: readonly OfferedTool[]): string =>
  offered.length === 0
    ? ' No tool is offered here.'
    : ` Tools offered here: ${offered.map(({ name }) => name).join(', ')}.`;

const quote = (text: string): string => `"${text.length > 200 ? `${text.slice(0, 200)}…` : text}"`;
