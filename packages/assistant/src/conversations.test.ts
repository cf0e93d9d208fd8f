import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinRegistry, TEMPLATES } from '@croft/components';
import { emptyFlow } from '@croft/flow';
import { ModelError, type Models } from '@croft/models';
import { makeToolset } from '@croft/tools';
import { openWorkspace } from '@croft/workspace';
import { makeScratch } from '@croft/workspace/testing';
import { afterAll, describe, expect, it } from 'vitest';
import type { AssistantEvent } from './events.ts';
import { eventsOf, instantRuns, makeTurn, memoryCanvas, type ScriptedStep, scriptedModels } from './testing.ts';

const registry = builtinRegistry();
const templates = TEMPLATES.map(({ name, description, spec }) => ({ name, description, spec }));
const call = (tool: string, args: Readonly<Record<string, unknown>> = {}): ScriptedStep => ({ tool, args });

const ECHO = 'name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';
const PROMPT =
  'name: Greeting\nnodes:\n  I: ChatInput\n  P: PromptTemplate\n  O: ChatOutput\nedges:\n  I.message -> P.text\n  P.prompt -> O.input_value\nconfig:\n  P.template: "Hello {text}"\n';
const PARTS: Readonly<Record<string, string>> = { ECHO, PROMPT };

/** One message of a conversation, what the model does, and what the user then sees. */
interface Round {
  readonly intent: string;
  readonly steps: readonly ScriptedStep[];
  /** Types on the canvas afterwards. */
  readonly canvas: readonly string[];
  /** Actions of flow updates, files and runs, in their order. */
  readonly shown?: readonly string[];
  readonly continues?: 'plan' | 'edits';
  readonly plan?: string;
  readonly skipAll?: boolean;
  readonly message?: string;
}
type Conversation = readonly [name: string, rounds: readonly Round[]];

const build = (spec: string, more: Partial<Round> = {}): Round => ({
  intent: 'build_flow new',
  steps: [call('build_flow', { spec }), 'Here it is.'],
  canvas: [],
  shown: ['set_flow waits'],
  ...more,
});
const landed = (spec: string): Round =>
  build(spec, {
    steps: [call('build_flow', { spec }), call('run_flow', { message: 'hi' }), 'Ran.'],
    canvas: typesOf(spec),
    shown: ['set_flow waits', 'set_flow', 'run completed'],
  });
const edit = (steps: readonly ScriptedStep[], canvas: readonly string[], shown: readonly string[]): Round => ({
  intent: 'build_flow edit',
  steps: [...steps, 'Done.'],
  canvas,
  shown,
});
const files = (steps: readonly ScriptedStep[], shown: readonly string[] = []): Round => ({
  intent: 'manage_files read',
  steps: [...steps, 'Done.'],
  canvas: [],
  shown,
});
const typesOf = (spec: string): string[] => [...spec.matchAll(/^ {2}\w+: (\w+)$/gm)].map(([, type = '']) => type);
const E = typesOf(ECHO);
const P = typesOf(PROMPT);
/** A tool call on the component of this type; its id is known only when the call is made. */
const on = (type: string, tool: string, args: Readonly<Record<string, unknown>> = {}): ScriptedStep =>
  call(tool, { ...args, component_id: `@${type}` });

const CONVERSATIONS: readonly Conversation[] = [
  ...Object.entries(PARTS).flatMap(([name, spec]): Conversation[] => [
    [`builds ${name}`, [build(spec)]],
    [`builds and runs ${name}`, [landed(spec)]],
    [
      `builds ${name} with skip-all`,
      [build(spec, { skipAll: true, canvas: typesOf(spec), shown: ['set_flow', 'run completed'] })],
    ],
    [
      `builds ${name} after a search`,
      [build(spec, { steps: [call('search_components', { query: 'chat' }), call('build_flow', { spec }), 'Built.'] })],
    ],
    [`builds ${name} twice`, [build(spec), build(spec)]],
    [
      `runs ${name} again`,
      [
        landed(spec),
        {
          intent: 'run_flow read',
          steps: [call('run_flow', { message: 'again' }), 'Ran.'],
          canvas: typesOf(spec),
          shown: ['run completed'],
        },
      ],
    ],
    [
      `explains ${name}`,
      [landed(spec), { intent: 'question read', steps: [call('find_nodes'), 'It echoes.'], canvas: typesOf(spec) }],
    ],
    [
      `documents ${name}`,
      [
        landed(spec),
        {
          ...files(
            [call('find_nodes'), call('write_file', { path: 'FLOW.md', content: '# Flow' })],
            ['write_file FLOW.md'],
          ),
          canvas: typesOf(spec),
          message: 'Document it in FLOW.md',
        },
      ],
    ],
    [
      `adds a date to ${name}`,
      [
        landed(spec),
        edit(
          [call('add_component', { component_type: 'CurrentDate' })],
          [...typesOf(spec), 'CurrentDate'],
          ['add_component'],
        ),
      ],
    ],
    [
      `removes the output of ${name}`,
      [
        landed(spec),
        {
          ...edit([on('ChatOutput', 'remove_component')], typesOf(spec).slice(0, -1), ['remove_component']),
          message: 'Remove the output',
        },
      ],
    ],
    [
      `takes back an edit of ${name}`,
      [
        landed(spec),
        edit(
          [call('add_component', { component_type: 'CurrentDate' })],
          [...typesOf(spec), 'CurrentDate'],
          ['add_component'],
        ),
        { ...edit([call('undo_change')], typesOf(spec), ['edit']), message: 'Undo that' },
      ],
    ],
  ]),
  [
    'changes a number at once',
    [
      landed(PROMPT),
      edit(
        [
          call('add_component', { component_type: 'Agent' }),
          on('Agent', 'configure_component', { params: { n_messages: 5 } }),
        ],
        [...P, 'Agent'],
        ['add_component', 'configure'],
      ),
    ],
  ],
  [
    'proposes a text',
    [
      landed(PROMPT),
      edit([on('PromptTemplate', 'configure_component', { params: { template: 'Hi {text}' } })], P, ['edit_field']),
    ],
  ],
  [
    'proposes a text by its own tool',
    [
      landed(PROMPT),
      edit([on('PromptTemplate', 'propose_field_edit', { field_name: 'template', new_value: 'Hi {text}' })], P, [
        'edit_field',
      ]),
    ],
  ],
  [
    'defers a run after a proposed text',
    [
      landed(PROMPT),
      edit([on('PromptTemplate', 'configure_component', { params: { template: 'Hi' } }), call('run_flow')], P, [
        'edit_field',
      ]),
    ],
  ],
  [
    'continues with the run after accepted edits',
    [
      landed(PROMPT),
      {
        intent: '',
        continues: 'edits',
        steps: [call('run_flow', { message: 'x' }), 'Ran.'],
        canvas: P,
        shown: ['run completed'],
      },
    ],
  ],
  [
    'corrects a wrong type',
    [
      landed(ECHO),
      edit(
        [call('add_component', { component_type: 'Date' }), call('add_component', { component_type: 'CurrentDate' })],
        [...E, 'CurrentDate'],
        ['add_component'],
      ),
    ],
  ],
  [
    'corrects a wrong id',
    [
      landed(ECHO),
      {
        ...edit(
          [call('remove_component', { component_id: 'nothing' }), on('ChatOutput', 'remove_component')],
          ['ChatInput'],
          ['remove_component'],
        ),
        message: 'Delete the output',
      },
    ],
  ],
  [
    'refuses a whole flow in an edit',
    [
      landed(ECHO),
      edit(
        [call('build_flow', { spec: PROMPT }), call('add_component', { component_type: 'CurrentDate' })],
        [...E, 'CurrentDate'],
        ['add_component'],
      ),
    ],
  ],
  ['writes a file', [files([call('write_file', { path: 'a.md', content: 'one' })], ['write_file a.md'])]],
  [
    'writes and changes a file',
    [
      {
        ...files(
          [
            call('write_file', { path: 'a.md', content: 'one' }),
            call('edit_file', { path: 'a.md', old_string: 'one', new_string: 'two' }),
          ],
          ['write_file a.md', 'edit_file a.md'],
        ),
        message: 'Write “two” to a.md',
      },
    ],
  ],
  ['reads a file', [files([call('read_file', { path: 'note.md' })])]],
  ['searches files', [files([call('grep_search', { pattern: 'canary' }), call('glob_search', { pattern: '*.md' })])]],
  [
    'says that a file is missing',
    [files([call('read_file', { path: 'none.md' }), call('glob_search', { pattern: '*' })])],
  ],
  [
    'shows no file after a failed write',
    [files([call('write_file', { path: '../x.md', content: 'x' }), call('glob_search', { pattern: '*' })])],
  ],
  [
    'proposes a plan',
    [{ ...build(ECHO, { steps: [call('propose_plan', { plan: '# Plan' }), 'A plan.'], shown: ['propose_plan'] }) }],
  ],
  [
    'builds after an approved plan',
    [
      build(ECHO, { steps: [call('propose_plan', { plan: '# Plan' }), 'A plan.'], shown: ['propose_plan'] }),
      build(ECHO, { intent: '', continues: 'plan', plan: '# Plan' }),
    ],
  ],
  [
    'plans again after a dismissed plan',
    [
      build(ECHO, { steps: [call('propose_plan', { plan: '# Plan' }), 'A plan.'], shown: ['propose_plan'] }),
      build(ECHO, {
        plan: '# Plan',
        steps: [call('propose_plan', { plan: '# Other' }), 'A plan.'],
        shown: ['propose_plan'],
      }),
    ],
  ],
  [
    'needs no plan with skip-all',
    [
      build(ECHO, {
        skipAll: true,
        steps: [call('propose_plan', { plan: '# Plan' }), call('build_flow', { spec: ECHO }), 'Done.'],
        canvas: E,
        shown: ['set_flow', 'run completed'],
      }),
    ],
  ],
  ['refines a flow that waits', [build(ECHO), build(PROMPT)]],
  [
    'uses a template',
    [build(ECHO, { steps: [call('list_templates'), call('use_template', { template_name: 'word-count' }), 'Here.'] })],
  ],
  [
    'corrects an unknown template',
    [
      build(ECHO, {
        steps: [call('use_template', { template_name: 'none' }), call('build_flow', { spec: ECHO }), 'Here.'],
      }),
    ],
  ],
];

const scratch = makeScratch(['note.md = canary text']);
const workspace = openWorkspace(scratch.workspace);
const table = { tools: makeToolset('files', { acquire: () => workspace }) };
afterAll(() => scratch.remove());

/** The flow updates, files and runs of a turn, as the user sees them. */
const shownBy = (events: readonly AssistantEvent[]): string[] =>
  events.flatMap((each) => {
    if (each.event === 'file_written') return [`${each.action} ${each.path}`];
    if (each.event === 'run_finished') return [`run ${each.status}`];
    if (each.event !== 'flow_update') return [];
    return [each.action === 'set_flow' && !each.auto_apply ? 'set_flow waits' : each.action];
  });

async function play(rounds: readonly Round[], wrap: (models: Models) => Models = (models) => models) {
  const canvas = memoryCanvas(emptyFlow());
  const all: AssistantEvent[] = [];
  for (const { intent, steps, canvas: types, shown = [], message = 'a message', ...more } of rounds) {
    const [name, scope] = intent.split(' ');
    const found = steps.map((step) => {
      if (typeof step === 'string' || !String(step.args['component_id']).startsWith('@')) return step;
      const type = String(step.args['component_id']).slice(1);
      return {
        tool: step.tool,
        get args() {
          return { ...step.args, component_id: canvas.flow.nodes.find((node) => node.type === type)?.id };
        },
      };
    });
    const models = scriptedModels([...(intent === '' ? [] : [[JSON.stringify({ intent: name, scope })]]), found]);
    const runs = instantRuns('ok', canvas);
    const events = await eventsOf(
      makeTurn(registry, {
        canvas,
        runs,
        templates,
        files: table,
        models: wrap(models),
        message,
        ...more,
      }),
    );
    all.push(...events);
    expect(events.at(-1)).toMatchObject({ event: 'complete' });
    expect(canvas.flow.nodes.map(({ type }) => type)).toEqual(types);
    expect(shownBy(events)).toEqual(shown);
    for (const event of events) {
      if (event.event !== 'file_written' || event.content === undefined) continue;
      if (events.findLast((each) => each.event === 'file_written') === event)
        expect(readFileSync(join(scratch.workspace, event.path), 'utf8')).toBe(event.content);
    }
    expect(runs.started).toHaveLength(shown.filter((each) => each.startsWith('run ')).length);
  }
  return all;
}

it('has at least 40 conversations', () => expect(CONVERSATIONS.length).toBeGreaterThanOrEqual(40));

describe('a conversation that', () => {
  it.each(CONVERSATIONS)('%s ends with the right canvas, files and events', async (_, rounds) => {
    await play(rounds);
  });

  it('falls back to another model says which one answers, and ends with the right canvas', async () => {
    const events = await play([landed(ECHO)], (models) => ({
      ...models,
      async *stream(request) {
        yield { kind: 'fallback', from: 'big', to: 'small', provider: 'Scripted' };
        return yield* models.stream(request);
      },
    }));
    const message = 'big is not available on Scripted. small answers.';
    expect(events).toContainEqual({ event: 'notice', type: 'model_fallback', message });
  });

  it('has no model ends with an error that names a fix', async () => {
    const fails: Models = {
      ...scriptedModels([]),
      stream() {
        throw new ModelError('unknown_model', 'No accessible model on Scripted.', 'Choose another one.');
      },
    };
    const events = await eventsOf(makeTurn(registry, { models: fails, message: 'build a flow' }));
    expect(events.at(-1)).toMatchObject({
      event: 'error',
      message: 'No accessible model on Scripted.',
      detail: 'Choose another one.',
    });
  });
});
