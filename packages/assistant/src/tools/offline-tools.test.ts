import { TEMPLATES } from '@croft/components';
import { parseSpec } from '@croft/flow';
import { makeToolset } from '@croft/tools';
import { openWorkspace } from '@croft/workspace';
import { makeScratch } from '@croft/workspace/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { flowOf, toolContext } from '../../../../tests/support/tool-context.ts';
import { EMPTY_CANVAS } from './offline-help.ts';
import { OFFLINE_TOOLS } from './offline-tools.ts';

const scratch = makeScratch([]);
const workspace = openWorkspace(scratch.workspace);
const files = { tools: makeToolset('files', { acquire: () => workspace }) };
afterAll(() => {
  workspace.close();
  scratch.remove();
});

const FLOW = flowOf(
  'nodes:\n  I: ChatInput\n  P: PromptTemplate\n  O: ChatOutput\nedges:\n  P.prompt -> O.input_value\nconfig:\n  P.template: Hello\n',
);
const typesIn = (result: Record<string, any>) => parseSpec(result['next'].arguments.spec).nodes.map(({ type }) => type);

async function draft(request: string, flow?: typeof FLOW) {
  const made = await toolContext(flow, { turn: { templates: TEMPLATES, files, message: request } });
  const result = (await made.call(OFFLINE_TOOLS, 'draft_flow', { request })) as Record<string, any>;
  return { result, notes: made.context.notes };
}

describe('a draft', () => {
  it('is the call that builds the flow', async () => {
    const { result, notes } = await draft('build a flow that reads notes.md and makes it upper case');
    expect(result['next'].tool).toBe('build_flow');
    expect(typesIn(result)).toEqual(['File', 'TextOperations', 'ChatOutput']);
    expect([result['text'], result['note'], result['ends_request']]).toEqual([
      'Drafted: Read file, Upper case, Chat output.',
      undefined,
      undefined,
    ]);
    expect([notes.runsBuilt, notes.leftOut]).toEqual([false, []]);
  });

  it('runs the flow where the request asks for it and nothing is missing', async () => {
    const whole = await draft('build a flow that reads notes.md and makes it upper case, then run it');
    expect([whole.notes.runsBuilt, whole.notes.leftOut]).toEqual([true, []]);
    const part = await draft('build a flow that reads notes.md, makes it upper case and dances a waltz, then run it');
    expect([part.notes.runsBuilt, part.notes.leftOut]).toEqual([false, ['dances a waltz']]);
    expect(part.result['note']).toMatch(/^Not built: “dances a waltz”\./);
    expect(part.result['ends_request']).toBe(true);
  });

  it('asks for the name of a file', async () => {
    const { result } = await draft('build a flow that reads notes.md, makes it upper case and saves it');
    expect(result['note']).toContain('A file needs a name.');
  });

  it('does not run where a sample of the template is missing', async () => {
    const { result, notes } = await draft('build a report of sales by region, then run it');
    expect([notes.runsBuilt, notes.leftOut, notes.template]).toEqual([false, ['run it'], 'sales-report']);
    expect(result['note']).toContain('the flow reads orders.csv');
  });

  it('leaves a schedule out, and does not write the file that it reads', async () => {
    const timed = await draft('build a flow that reads notes.md and makes it upper case every day at 8');
    expect([timed.notes.leftOut, timed.result['note']]).toEqual([
      ['every day at 8'],
      expect.stringContaining('Not set: “every day at 8”'),
    ]);
    const same = await draft('build a flow that reads notes.md, makes it upper case and saves it to notes.md');
    expect(same.result['note']).toContain('The flow reads notes.md, so it does not write it: name another file.');
  });

  it('does not exist where no rule fits, or the request is about the flow that is there', async () => {
    expect((await draft('dance a waltz')).result['error']).toContain('I have no rule for “dance a waltz”');
    const about = await draft('make the flow also count words', FLOW);
    expect(about.result['error']).toMatch(/^I changed nothing: I know no way to do this in this flow\./);
  });
});

describe('a page about the flow', () => {
  const document = async (path: string, message: string, flow?: typeof FLOW) => {
    const { call } = await toolContext(flow, { turn: { message } });
    return (await call(OFFLINE_TOOLS, 'document_flow', { path })) as Record<string, any>;
  };

  it('is the call that writes the file', async () => {
    const { next } = await document('FLOW.md', 'document this flow in FLOW.md', FLOW);
    expect(next).toMatchObject({
      tool: 'write_file',
      arguments: { path: 'FLOW.md', content: expect.stringContaining('## Steps') },
    });
    for (const path of ['a.markdown', 'a.MD']) expect(await document(path, 'describe it', FLOW)).toHaveProperty('next');
  });

  it('is written on demand, into Markdown, of a flow', async () => {
    for (const [path, message] of [
      ['FLOW.txt', 'document this flow'],
      ['FLOW.md', 'read FLOW.md'],
      ['FLOW.md', 'document FLOW.md'],
    ] as const)
      expect((await document(path, message, FLOW))['error']).toMatch(/^I changed nothing: I did not understand/);
    expect((await document('FLOW.md', 'document this flow'))['error']).toBe(EMPTY_CANVAS);
  });
});

describe('another text', () => {
  const change = async (flow: typeof FLOW) => {
    const { call } = await toolContext(flow);
    return (await call(OFFLINE_TOOLS, 'change_text', { new_text: 'N words' })) as Record<string, any>;
  };

  it('is proposed for the only text, with gaps', async () => {
    expect((await change(FLOW))['next']).toEqual({
      tool: 'propose_field_edit',
      arguments: { component_id: 'P-1', field_name: 'template', new_value: '{words} words' },
    });
  });

  it('needs one text', async () => {
    expect((await change(flowOf('nodes:\n  P: PromptTemplate\n')))['error']).toBe(
      'No component of the flow has a text to change.',
    );
    const two = flowOf('nodes:\n  P: PromptTemplate\n  Q: PromptTemplate\nconfig:\n  P.template: a\n  Q.template: b\n');
    expect((await change(two))['error']).toBe(
      'Several components have a text: P-1, Q-1. Name one: set pattern of COMPONENT to "…".',
    );
  });
});

it('says what it does', () => {
  expect(OFFLINE_TOOLS.slice(0, 3).map((tool) => tool.label({}))).toEqual([
    'Drafting the flow',
    'Describing the flow',
    'Looking for the text',
  ]);
});
