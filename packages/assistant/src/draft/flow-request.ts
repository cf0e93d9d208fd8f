import type { FlowDocument, Registry } from '@croft/flow';
import { asksForNewFlow, POLITE } from '../intent.ts';
import type { FlowTemplate } from '../turn.ts';
import { callAboutFlow, callForFiles } from './about-flow.ts';
import { writeAfterApproval } from './approval-before.ts';
import { columnsIn } from './column-names.ts';
import { draftSpec } from './draft-spec.ts';
import { stepFor } from './from-components.ts';
import { componentNamedIn } from './named-component.ts';
import { removalIn } from './removal.ts';
import { readRequest } from './request-parts.ts';

/** A message to croft/offline that asks for a flow. */
export interface FlowRequest {
  /** The purpose of the flow, in the words of the user. */
  readonly request: string;
  /** Whether the flow is to run when it is built. */
  readonly run: boolean;
  /** Whether the message says that it wants a flow. */
  readonly isNamed: boolean;
}

const RUN_TAIL =
  /(?:[\s,;.!?]+(?:and|then|please|afterwards))*[\s,;.!?]+(?:runs?|executes?|starts?|try|tries)\s+(?:it|that|this|the flow)(?:\s+(?:once|now))?[.!]*\s*$|\s+and\s+(?:then\s+)?(?:runs|executes)[.!]*\s*$/i;
const BUILD_TAIL =
  /(?:[\s,;.!?]+(?:and|then|please))*[\s,;.!?]+(?:build|make|create)\s+(?:it|that|this)(?:\s+(?:as\s+)?a flow)?[.!]*\s*$/i;
/** Questions but not `when X, do Y`, and requests about the flow on the canvas. The rules that choose tools follow these. */
const QUESTION =
  /\btemplates\b|^\s*(?:please\s+)?(?:search|find|list|show|look|which)\b.*\bcomponents?\b|^\s*(?:how (?:do|can|to|does)|what|why|when(?![^?]*,[^?]*$)|where|who|can|could|is|are)\b/i;
const VERBS = '(?:add|remove|connect|disconnect|change|replace|rename|configure|undo|explain|document|describe)\\b';
const ABOUT_FLOW = new RegExp(`\\b${VERBS}`, 'i');
/** On an empty canvas such a verb inside of a request describes the new flow, as in `add up a column`. */
const BEGINS_ABOUT_FLOW = new RegExp(`^\\s*(?:please\\s+)?${VERBS}`, 'i');
/** `build a flow that …, run it and explain it` has steps after the flow. */
const GOES_ON = new RegExp(`\\b(?:run|execute)\\s+(?:it|that|this|the flow)\\b.*\\b${VERBS}`, 'i');

/** A value that each run brings, which only a flow takes. */
const TAKES_MESSAGE = /\b(?:text|message|words?|what(?:ever)?)\s+(?:that\s+)?I\s+(?:type|write|enter|send)\b/i;

/** Words about the flow that is on the canvas already. */
const CHANGES_FLOW = /\b(?:also|as well|instead|too)\b|\b(?:make|let)\s+(?:the|this|my) flow\b/i;

const TEMPLATE = /\btemplate\s+[`"']?([a-z][a-z-]*)[`"']?/i;
const MAX_MESSAGE = 1_000;
/** The least number of words of a description that does not say that it is one. */
const MIN_WORDS = 3;

/** Whether a request is about the flow on the canvas, and not about a new one. */
export const changesFlow = (request: string, flow: FlowDocument): boolean =>
  flow.nodes.length > 0 && CHANGES_FLOW.test(request);

/** Reads a message that may ask for a flow, and removes its last words about building and running. */
export function readFlowRequest(message: string): FlowRequest {
  const withoutRun = message.replace(RUN_TAIL, '');
  const request = withoutRun.replace(BUILD_TAIL, '');
  const isNamed = request !== message || asksForNewFlow(request);
  return { request: request.trim(), run: withoutRun !== message, isNamed };
}

/**
 * The call that croft/offline makes for a message about a new flow or the one on the canvas, in the form that it reads.
 * Undefined for other messages: the rules that choose tools follow them.
 */
export function callForFlow(
  written: string,
  flow: FlowDocument,
  { registry, templates }: { readonly registry: Registry; readonly templates: readonly FlowTemplate[] },
  toolNames: ReadonlySet<string>,
): string | undefined {
  const message = written.replace(POLITE, '');
  // A message that names a tool calls that tool. A column may have such a name too.
  const namesTool = (message.match(/\b[a-z]+_[a-z_]+\b(?!\.)/g) ?? []).some((name) => toolNames.has(name));
  if (written.length > MAX_MESSAGE || namesTool) return undefined;
  const name = TEMPLATE.exec(message)?.[1]?.toLowerCase();
  if (templates.some((template) => template.name === name))
    return `use_template ${JSON.stringify({ template_name: name })}`;
  if (removalIn(readFlowRequest(message).request, flow, registry) !== undefined)
    return `remove_step ${JSON.stringify({ request: message })}`;
  if (componentNamedIn(readFlowRequest(message).request, registry) !== undefined)
    return `add_step ${JSON.stringify({ request: message })}`;
  const files = callForFiles(message);
  if (files !== undefined) return files;
  if (asksForFlow(message, flow, registry, templates)) return `draft_flow ${JSON.stringify({ request: message })}`;
  const about = callAboutFlow(message, { runs: readFlowRequest(message).run, flow, registry });
  if (about !== undefined) return about;
  return asksForStep(message, flow, registry) ? `add_step ${JSON.stringify({ request: message })}` : undefined;
}

/** Whether a message gives a component its values, such as a condition for rows, and names no file or page. */
function asksForStep(message: string, flow: FlowDocument, registry: Registry): boolean {
  if (flow.nodes.length === 0 || QUESTION.test(message)) return false;
  const parts = readRequest(message);
  if (writeAfterApproval(parts) !== undefined) return true;
  if (parts.paths.length + parts.targets.length + parts.urls.length > 0) return false;
  const step = stepFor(parts, registry, columnsIn(flow));
  if (step === undefined || Object.keys(step.config).length === 0) return false;
  // `change it to upper case` is a step; `replace "a" with "b"` may be about a text of the flow.
  return !ABOUT_FLOW.test(message) || (step.read.length > 0 && !/\breplace\b/i.test(message));
}

/**
 * Whether a message asks for a new flow: it says so, or asks to run what it describes, or the draft of it does more with
 * a file, a page or a message than read it, such as to save it as another file.
 */
function asksForFlow(
  message: string,
  flow: FlowDocument,
  registry: Registry,
  templates: readonly FlowTemplate[],
): boolean {
  const { request, isNamed } = readFlowRequest(message);
  const isEmpty = flow.nodes.length === 0;
  if (request === '' || QUESTION.test(request) || GOES_ON.test(request)) return false;
  const { paths, urls, targets, words, schedule } = readRequest(request);
  // `replace "a" with "b" in x.txt and save it to y.txt` is a flow, and no change of x.txt.
  const readsFile = isEmpty && paths.length > 0 && (isNamed || targets.length > 0);
  if (!readsFile && (isEmpty ? BEGINS_ABOUT_FLOW : ABOUT_FLOW).test(request)) return false;
  if (changesFlow(request, flow)) return false;
  if (asksForNewFlow(request)) return true;
  if (words.size === 0) return false;
  if (isEmpty && (isNamed || TAKES_MESSAGE.test(request))) return true;
  const hasSource = paths.length + urls.length > 0;
  if (!isEmpty && !hasSource) return false;
  const draft = draftSpec(request, registry, templates);
  if (draft === undefined || !(draft.hasStep || targets.length > 0)) return false;
  // A few words that a template or component has too do not describe a flow.
  const size = words.size + (schedule === undefined ? 0 : 1);
  if (!hasSource && !draft.isRead && !(draft.isFromTemplate && size >= MIN_WORDS)) return false;
  // Beside a flow only where the draft covers the whole request: other words may be about that flow.
  return isEmpty || draft.missing.length === 0;
}
