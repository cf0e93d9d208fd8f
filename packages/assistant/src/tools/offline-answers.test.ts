import { describe, expect, it } from 'vitest';
import { instantRuns, shownTools } from '../testing.ts';
import { flowOf, toolContext } from '../../../../tests/support/tool-context.ts';
import type { LatestRun } from '../turn.ts';
import { OFFLINE_ANSWERS } from './offline-answers.ts';

const flow = flowOf('nodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n');
async function explain(latest: LatestRun | undefined) {
  const runs = { ...instantRuns(''), latest: async () => latest };
  const { call } = await toolContext(flow, { turn: { runs, secrets: new Set(['hunter2-key']) } });
  const { text, summary } = await call(OFFLINE_ANSWERS, 'explain_last_run');
  expect(summary).toBe(text);
  return text;
}

describe('the last run', () => {
  it('is unknown, completed, failed at a component, or has no failure', async () => {
    expect(await explain(undefined)).toBe('I know of no run of this flow. To run it, write: run it.');
    expect(await explain({ status: 'completed', text: 'x' })).toBe('The last run did not fail: it completed.');
    expect(await explain({ status: 'running', text: '' })).toBe('The last run has no failure: it is running.');
    const failure = { node: 'O-1', message: 'No room for hunter2-key', fix: 'Make some.' };
    expect(await explain({ status: 'failed', text: '', failure })).toBe(
      'The last run failed. “Chat output” (O-1): No room for ***REDACTED***. Make some.',
    );
  });
});

describe('another name of the flow', () => {
  const rename = async (name: string, message: string) => {
    const { call, canvas } = await toolContext(flow, { turn: { message } });
    return { result: await call(OFFLINE_ANSWERS, 'rename_flow', { name }), name: canvas.flow.name };
  };

  it('is set where the message asks for it', async () => {
    const { result, name } = await rename('Words', 'rename the flow to Words');
    expect([result['text'], name]).toEqual(['Renamed the flow to “Words”.', 'Words']);
  });

  it('is not set for another message, or where it is empty', async () => {
    for (const [name, message] of [
      ['Words', 'rename the file'],
      ['', 'rename the flow'],
    ] as const) {
      const made = await rename(name, message);
      expect(made.result['error']).toMatch(
        /^I renamed nothing\. To give the flow another name, write: rename the flow to NAME\./,
      );
      expect(made.name).toBe(flow.name);
    }
  });
});

it('says what it does', () => {
  expect(OFFLINE_ANSWERS.map((tool) => tool.label({}))).toEqual(['Reading the last run', 'Renaming the flow']);
});

it('shows its tools to models and people in these words', () => {
  expect(shownTools(OFFLINE_ANSWERS)).toEqual([
    'explain_last_run | Reading the last run | Says how the newest run ended, and why it failed. | {"type":"object","additionalProperties":false}',
    'rename_flow | Renaming the flow | Gives the flow itself another name. | {"type":"object","additionalProperties":false}',
    '- name: {"type":"string"} The new name of the flow.',
  ]);
});
