import type { FlowDocument, Registry } from '@croft/flow';
import { asksForNewFlow } from '../intent.ts';
import type { FlowTemplate } from '../turn.ts';
import { callAboutFlow } from './about-flow.ts';
import { draftSpec } from './draft-spec.ts';
import { stepFor } from './from-components.ts';
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
  /(?:[\s,;.!?]+(?:and|then|please|afterwards))*[\s,;.!?]+(?:run|execute|start|try)\s+(?:it|that|this|the flow)(?:\s+(?:once|now))?[.!]*\s*$/i;
const BUILD_TAIL =
  /(?:[\s,;.!?]+(?:and|then|please))*[\s,;.!?]+(?:build|make|create)\s+(?:it|that|this)(?:\s+(?:as\s+)?a flow)?[.!]*\s*$/i;
/** Requests about the flow on the canvas. The rules that choose tools follow these. */
const ABOUT_FLOW =
  /\b(?:add|remove|connect|disconnect|change|replace|rename|configure|undo|explain|document|describe|templates)\b|^\s*(?:how (?:do|can|to|does)|what|why|when|where|who|can|could|is|are)\b/i;

/** A value that each run brings, which only a flow takes. */
const TAKES_MESSAGE = /\b(?:text|message|words?|what(?:ever)?)\s+(?:that\s+)?I\s+(?:type|write|enter|send)\b/i;

/** Words about the flow that is on the canvas already. */
const CHANGES_FLOW = /\b(?:also|as well|instead|too)\b|\b(?:make|let)\s+(?:the|this|my) flow\b/i;

/** A message that names a tool calls that tool. */
const NAMES_TOOL = /\b[a-z]+_[a-z_]+\b(?!\.)/;
const TEMPLATE = /\btemplate\s+[`"']?([a-z][a-z-]*)[`"']?/i;
const MAX_MESSAGE = 1_000;

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
  message: string,
  flow: FlowDocument,
  registry: Registry,
  templates: readonly FlowTemplate[],
): string | undefined {
  if (message.length > MAX_MESSAGE || NAMES_TOOL.test(message)) return undefined;
  const name = TEMPLATE.exec(message)?.[1]?.toLowerCase();
  if (templates.some((template) => template.name === name))
    return `use_template ${JSON.stringify({ template_name: name })}`;
  if (asksForFlow(message, flow, registry, templates)) return `draft_flow ${JSON.stringify({ request: message })}`;
  const about = callAboutFlow(message, { runs: readFlowRequest(message).run, flow, registry });
  if (about !== undefined) return about;
  return asksForStep(message, flow, registry) ? `add_step ${JSON.stringify({ request: message })}` : undefined;
}

/** Whether a message gives a component its values, such as a condition for rows, and names no file or page. */
function asksForStep(message: string, flow: FlowDocument, registry: Registry): boolean {
  if (flow.nodes.length === 0 || ABOUT_FLOW.test(message)) return false;
  const parts = readRequest(message);
  if (parts.paths.length + parts.targets.length + parts.urls.length > 0) return false;
  return Object.keys(stepFor(parts, registry)?.config ?? {}).length > 0;
}

/**
 * Whether a message asks for a new flow: it says so, or asks to run what it describes, or the draft of it does more with
 * a file or a page than read it.
 */
function asksForFlow(
  message: string,
  flow: FlowDocument,
  registry: Registry,
  templates: readonly FlowTemplate[],
): boolean {
  const { request, isNamed } = readFlowRequest(message);
  if (request === '' || ABOUT_FLOW.test(request)) return false;
  if (changesFlow(request, flow)) return false;
  if (asksForNewFlow(request)) return true;
  const { paths, urls, words } = readRequest(request);
  if (words.size === 0) return false;
  const isEmpty = flow.nodes.length === 0;
  if (isEmpty && (isNamed || TAKES_MESSAGE.test(request))) return true;
  if (paths.length + urls.length === 0) return false;
  const draft = draftSpec(request, registry, templates);
  // Beside a flow only where the draft covers the whole request: other words may be about that flow.
  return draft !== undefined && draft.hasStep && (isEmpty || draft.missing.length === 0);
}
