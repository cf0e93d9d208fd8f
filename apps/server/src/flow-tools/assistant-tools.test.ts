import { beforeEach, describe, expect, it } from 'vitest';
import { openTestDesk } from '../../../../tests/store/open-test-desk.ts';
import { ASSISTANT_TOOLS } from './assistant-tools.ts';
import { shownTools } from './testing.ts';

let turn: Record<string, unknown>;
let found: unknown[][];
beforeEach(() => {
  found = [];
  turn = {
    id: 't1',
    flowId: 'f1',
    sessionId: 's1',
    isOver: () => true,
    ended: Promise.resolve({
      event: 'complete',
      data: { result: 'Done.', flow_changed: true, status_line: 'all', outcome: 'done', left_out: [] },
    }),
  };
});
const ask = () =>
  openTestDesk({} as never, 'as-ann', {
    liveTurns: { find: (...of: unknown[]) => (found.push(of), of[1] === 't1' ? turn : undefined) },
  } as never).call(ASSISTANT_TOOLS, 'get_assistant_result', { job_id: 't1' });

describe('the result of the assistant', () => {
  it('names the job, the flow and the conversation, and gives the end', async () => {
    const result = await ask();
    expect(result).toMatchObject({ job_id: 't1', flow_id: 'f1', session_id: 's1', result: 'Done.' });
    expect(result['link']).toContain('https://croft.test');
    expect(result['link']).toContain('f1');
    expect(found).toEqual([['as-ann', 't1']]);
  });

  it('is missing while the turn goes on', async () => {
    turn['isOver'] = () => false;
    turn['ended'] = new Promise(() => {});
    const result = await ask();
    expect(result).toMatchObject({ job_id: 't1', status: 'running' });
    expect(result).not.toHaveProperty('result');
  });

  it('is refused for a job that there is not', async () => {
    turn = undefined as never;
    await expect(ask()).rejects.toThrow('You have no such job, or it ended more than five minutes ago.');
  });
});

it('describes the tools and bounds their arguments', () => {
  const [run, result] = ASSISTANT_TOOLS;
  expect(run).toMatchObject({ name: 'run_assistant', undoable: false, annotations: { openWorldHint: true } });
  expect(result).toMatchObject({ name: 'get_assistant_result', annotations: { readOnlyHint: true } });
  const takes = (input: object) => run?.input.safeParse(input).success;
  expect([takes({ instruction: 'x' }), takes({ instruction: '' }), takes({})]).toEqual([true, false, false]);
  expect([takes({ instruction: 'x'.repeat(20_000) }), takes({ instruction: 'x'.repeat(20_001) })]).toEqual([
    true,
    false,
  ]);
});

const RESULT = [
  '=> job_id: {"type":"string"}',
  '=> flow_id: {"type":"string"}',
  '=> link: {"type":"string"}',
  '=> session_id: {"type":"string"}',
  '=> status: {"type":"string"}',
  '=> result?: {"type":"string"}',
  '=> flow_changed?: {"type":"boolean"}',
  '=> status_line?: {"type":"string"}',
  '=> outcome?: {"type":"string","enum":["done","partly_done","not_done"]}',
  '=> left_out?: {"type":"array","items":{"type":"string"}} Parts of the instruction that were not carried out.',
];

it('shows its tools to models and people in these words', () => {
  expect(shownTools(ASSISTANT_TOOLS)).toEqual([
    'run_assistant | Ask the assistant | Asks Croft\'s assistant to build, change or run a flow by an instruction in plain words, and waits. Without flow_id it works on a new flow. Longer work goes on: status is running, and get_assistant_result gives its result by job_id. | {"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true} | final',
    '- instruction: {"type":"string","minLength":1,"maxLength":20000}',
    '- flow_id?: {"type":"string","minLength":1,"maxLength":100}',
    '- provider?: {"type":"string","maxLength":100}',
    '- model_name?: {"type":"string","maxLength":200}',
    '- session_id?: {"type":"string","minLength":1,"maxLength":128} Continues a conversation.',
    ...RESULT,
    'get_assistant_result | Result of the assistant | Gives the state of work that run_assistant started, and its result. | {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false} | undoable',
    '- job_id: {"type":"string","minLength":1,"maxLength":100}',
    ...RESULT,
  ]);
});
