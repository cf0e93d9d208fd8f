import type { AssistantEvent } from '@croft/assistant';
import { expect, it } from 'vitest';
import { createAgUiEvents, usageOf } from './ag-ui-events.ts';

const token = (chunk: string) => ({ event: 'token', chunk }) as AssistantEvent;
const progress = (step: string) => ({ event: 'progress', step }) as unknown as AssistantEvent;
const complete = (result: string) => ({ event: 'complete', data: { result } }) as unknown as AssistantEvent;

/** The events of a turn, each in short: its type, and what it is about. */
function translate(...events: AssistantEvent[]) {
  const of = createAgUiEvents({ runId: 'run' });
  return events.flatMap(of).map(({ type, ...fields }) => {
    const rest = fields as Readonly<Record<string, string | undefined>>;
    const about = rest['delta'] ?? rest['stepName'] ?? rest['toolCallName'] ?? rest['name'] ?? rest['content'] ?? '';
    return `${type} ${rest['messageId'] ?? rest['toolCallId'] ?? ''} ${about}`.replace(/ +/g, ' ').trim();
  });
}

it('puts the text of the reply into one message, and ends it before the run ends', () => {
  expect(translate(token('Hel'), token(''), token('lo'), complete('Hello'))).toEqual([
    'TEXT_MESSAGE_START run-message-1',
    'TEXT_MESSAGE_CONTENT run-message-1 Hel',
    'TEXT_MESSAGE_CONTENT run-message-1 lo',
    'TEXT_MESSAGE_END run-message-1',
    'CUSTOM complete',
  ]);
});

it('says the result where no text came, or only that of an attempt that was repeated', () => {
  const said = [
    'TEXT_MESSAGE_START run-message-1',
    'TEXT_MESSAGE_CONTENT run-message-1 Done',
    'TEXT_MESSAGE_END run-message-1',
    'CUSTOM complete',
  ];
  expect(translate(complete('Done'))).toEqual(said);
  expect(translate(token(' '), complete('Done')).filter((line) => line.includes('Done'))).toHaveLength(1);
  const repeated = translate(token('No'), progress('retrying'), complete('Done'));
  expect(repeated).toContain('TEXT_MESSAGE_CONTENT run-message-2 Done');
  expect(
    translate(token('Done'), progress('validated'), complete('Done')).filter((line) => line.includes('Done')),
  ).toHaveLength(1);
});

it('has one step at a time', () => {
  expect(
    translate(progress('generating'), progress('validating'), complete('x')).filter((line) => line.startsWith('STEP')),
  ).toEqual([
    'STEP_STARTED generating',
    'STEP_FINISHED generating',
    'STEP_STARTED validating',
    'STEP_FINISHED validating',
  ]);
});

it('ends the call that it began, with its outcome', () => {
  const start = (tool: string) => ({ event: 'tool_start', tool, label: '' }) as AssistantEvent;
  const end = (tool: string, more: object) => ({ event: 'tool_end', tool, ...more }) as AssistantEvent;
  expect(
    translate(
      token('a'),
      start('read'),
      start('write'),
      end('write', { ok: false, error: 'no' }),
      end('read', { ok: true }),
      end('read', { ok: true }),
    ),
  ).toEqual([
    'TEXT_MESSAGE_START run-message-1',
    'TEXT_MESSAGE_CONTENT run-message-1 a',
    'TEXT_MESSAGE_END run-message-1',
    'TOOL_CALL_START run-call-2 read',
    'TOOL_CALL_START run-call-3 write',
    'TOOL_CALL_END run-call-3',
    'TOOL_CALL_RESULT run-result-4 {"ok":false,"error":"no"}',
    'TOOL_CALL_END run-call-2',
    'TOOL_CALL_RESULT run-result-5 {"ok":true}',
  ]);
});

it.each(['error', 'cancelled', 'question'])('leaves nothing open after %s', (event) => {
  const last = { event } as unknown as AssistantEvent;
  expect(
    translate(progress('generating'), { event: 'tool_start', tool: 'read', label: '' }, token('a'), last).slice(-4),
  ).toEqual([
    'TEXT_MESSAGE_END run-message-2',
    'TOOL_CALL_END run-call-1',
    'STEP_FINISHED generating',
    `CUSTOM ${event}`,
  ]);
});

it('passes other events on under their own names', () => {
  expect(createAgUiEvents({ runId: 'run' })({ event: 'notice', type: 'x' } as never)).toEqual([
    { type: 'CUSTOM', name: 'notice', value: { event: 'notice', type: 'x' } },
  ]);
});

it('counts tokens, and names provider and model only where they have names', () => {
  const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
  const counted = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
  expect(usageOf({ provider: 'Acme', model: 'm' }, usage)).toEqual([{ provider: 'Acme', model: 'm', ...counted }]);
  expect(usageOf({ provider: '', model: '' }, usage)).toEqual([counted]);
});
