import { type FlowDocument, parseSpec, type Registry } from '@croft/flow';
import { draftSpec } from '../draft/draft-spec.ts';
import { otherForm } from '../draft/file-form.ts';
import { withGaps } from '../draft/request-parts.ts';
import { changesFlow, readFlowRequest } from '../draft/flow-request.ts';
import { flowPage } from '../flow-page.ts';
import { hideSecrets, REDACTED } from '../hide-secrets.ts';
import { ADD_STEP } from './add-step.ts';
import {
  cannotDo,
  EMPTY_CANVAS,
  notBuilt,
  OFFLINE_HELP,
  scheduled,
  startedBy,
  templatesFor,
  WITHOUT_RULES,
} from './offline-help.ts';
import { OFFLINE_ANSWERS } from './offline-answers.ts';
import { REMOVE_STEP } from './remove-step.ts';
import { missingSamples, withoutSamples } from './sample-files.ts';
import { type AssistantTool, failed, next, textOf, textParameters } from './assistant-tool.ts';

/**
 * Tools for `croft/offline`, which cannot write texts: rules write them. Each result names the next call, which the model
 * makes, so that every change goes through the tools of all models.
 */
export const OFFLINE_TOOLS: readonly AssistantTool[] = [
  {
    name: 'draft_flow',
    description:
      'Drafts a new flow that does something: build, create, make or set up a flow, chatbot or pipeline from a description.',
    parameters: textParameters({ request: "The purpose of the flow, in the user's own words." }),
    label: () => 'Drafting the flow',
    async run(args, context) {
      const { turn, notes, working } = context;
      const { request, run } = readFlowRequest(textOf(args, 'request'));
      if (changesFlow(request, await working.read())) return failed(CHANGE_BY_STEP);
      const drafted = draftSpec(request, turn.registry, turn.templates);
      if (drafted === undefined) return failed(cannotDo(request, turn));
      const { spec, from, isFromTemplate, template, missing, replaced, misfits, schedule } = drafted;
      notes.template = template;
      notes.input = drafted.input;
      const runs = run && missing.length === 0;
      const samples = runs ? await missingSamples(template, context) : [];
      notes.runsBuilt = runs && samples.length === 0;
      if (samples.length > 0) notes.leftOut.push('run it');
      notes.leftOut.push(...missing, ...(schedule === undefined ? [] : [schedule]));
      // Later steps, such as a run, wait until the person knows.
      const note = [
        notBuilt(missing, isFromTemplate ? '' : templatesFor(request, turn)),
        missing.some((each) => NO_FILE.test(each)) ? NAME_FILE : '',
        schedule === undefined ? '' : scheduled(schedule),
        startedBy(
          parseSpec(spec).nodes.map(({ type }) => type),
          schedule,
        ),
        replaced.length === 0
          ? ''
          : `The flow reads ${replaced.join(', ')}, so it does not write it: name another file.`,
        otherForm(misfits),
        samples.length === 0 ? '' : withoutSamples(samples),
      ]
        .filter((each) => each !== '')
        .join('\n\n');
      const ends = missing.length > 0 && { ends_request: true };
      return { text: `Drafted: ${from}.`, ...(note !== '' && { note }), ...ends, ...next('build_flow', { spec }) };
    },
  },
  {
    name: 'document_flow',
    description: 'Documents the flow: describes it in a Markdown file.',
    parameters: textParameters({ path: 'Path of the Markdown file, relative.' }),
    label: () => 'Describing the flow',
    async run(args, { turn, working }) {
      // The rules choose a tool by words that it shares with the message. A file of the user is overwritten only on demand.
      if (!asksForPage(turn.message, textOf(args, 'path'))) return failed(NO_PAGE);
      const flow = await working.read();
      if (flow.nodes.length === 0) return failed(EMPTY_CANVAS);
      const content = hideSecrets(flowPage(flow, turn.registry), turn.secrets).replaceAll(REDACTED, '(secret)');
      return { text: 'Described the flow.', ...next('write_file', { path: textOf(args, 'path'), content }) };
    },
  },
  {
    name: 'change_text',
    description: 'Changes the text that the flow shows to another text.',
    parameters: textParameters({ new_text: 'The new text.' }),
    label: () => 'Looking for the text',
    async run(args, { turn, working }) {
      const found = textFields(await working.read(), turn.registry);
      const [only] = found;
      if (found.length !== 1 || only === undefined)
        return failed(
          found.length === 0
            ? 'No component of the flow has a text to change.'
            : `Several components have a text: ${found.map(({ node }) => node).join(', ')}. Name one: set pattern of COMPONENT to "…".`,
        );
      const edit = { component_id: only.node, field_name: only.field, new_value: withGaps(textOf(args, 'new_text')) };
      return { text: `Found ${only.node}.`, ...next('propose_field_edit', edit) };
    },
  },
  ADD_STEP,
  REMOVE_STEP,
  ...OFFLINE_ANSWERS,
  ...OFFLINE_HELP,
];

/** A clause that asks for a file without its name. */
const NO_FILE = /^(?:sav|writ|stor|export)\w*\s+(?:it|them|that|this|the\s+(?:rows?|results?))[.!]*$/i;
const NAME_FILE = 'A file needs a name. Write, for example: … and saves it to out.csv.';

/** `describe the flow in flow.md`, and not `document notes.md`, which may be about that file. */
function asksForPage(message: string, path: string): boolean {
  if (!/\b(?:describ|document|explain|readme)/i.test(message) || !/\.(?:md|markdown)$/i.test(path)) return false;
  if (!message.includes(path)) return true;
  const before = message.slice(0, message.indexOf(path));
  return /\b(?:in|into|to|as|at|creat\w*|writ\w*|mak\w*|updat\w*)\s+(?:(?:an?|the|my|new|file|called|named)\s+)*["'`“]?$/i.test(
    before,
  );
}
const NO_PAGE = `I changed nothing: I did not understand what to do with this file. To describe the flow in a file, write: document this flow in flow.md. ${WITHOUT_RULES}`;
const CHANGE_BY_STEP = `I changed nothing: I know no way to do this in this flow. Write, for example: add a step that writes the result to out.txt. For a flow of its own, write: build a new flow that … ${WITHOUT_RULES}`;

/** Fields with a text of the user that the flow's result is made of. */
function textFields({ nodes }: FlowDocument, registry: Registry) {
  return nodes.flatMap(({ id, type, values }) =>
    (registry.get(type)?.descriptor.fields ?? [])
      .filter(({ name, kind }) => kind === 'multiline' && typeof values[name] === 'string' && values[name] !== '')
      .map(({ name }) => ({ node: id, field: name })),
  );
}
