import type { AssistantEvent } from '@croft/assistant';
import { expect, it } from 'vitest';
import { createAssistantMetrics } from './metrics.ts';

const usage = { input_tokens: 5, output_tokens: 7, total_tokens: 12 };

/** The lines of the counters after these events of one turn, and the names in the log. */
function observe(events: readonly object[], turn: object = {}) {
  const log: string[] = [];
  let now = 0;
  const note = (fields: object, message: string) => void log.push(`${message} ${JSON.stringify(fields)}`);
  const metrics = createAssistantMetrics({ info: note, warn: note } as never, () => (now += 500));
  for (const event of events) metrics.observe({ id: 't', sessionId: 's', ...turn } as never, event as AssistantEvent);
  const lines = metrics.text().split('\n');
  const has = (line: string) => lines.includes(`croft_assistant_${line}`);
  return { metrics, log, has, lines };
}

it('counts turns by what they were about and how they ended, with their tokens', () => {
  const { has, log } = observe([
    { event: 'progress', step: 'generating', intent: 'build' },
    { event: 'flow_update', action: 'configure' },
    { event: 'complete', data: { usage, duration_seconds: 3 } },
  ]);
  expect(has('turns_total{intent="build",end="complete"} 1')).toBe(true);
  expect(has('tokens_total{kind="input"} 5') && has('tokens_total{kind="output"} 7')).toBe(true);
  expect(has('turn_duration_seconds_sum 3') && has('flow_updates_per_turn_sum 1')).toBe(true);
  expect(has('flow_updates_total{action="configure"} 1')).toBe(true);
  expect(log.map((line) => line.split(' ')[0])).toEqual(['assistant.intent.classified', 'assistant.turn.ended']);
  const failed = observe([{ event: 'error', usage, duration_seconds: 1 }], { skipAll: true });
  expect(failed.has('turns_total{intent="none",end="error"} 1')).toBe(true);
  expect(failed.has('skip_all_turns_total 1')).toBe(true);
  expect(observe([{ event: 'cancelled', usage, duration_seconds: 1 }]).lines.join()).not.toContain('skip_all');
});

it('forgets a turn that has ended', () => {
  const end = { event: 'complete', data: { usage, duration_seconds: 1 } };
  const { has } = observe([{ event: 'progress', step: 'generating', intent: 'build' }, end, end]);
  expect(has('turns_total{intent="none",end="complete"} 1')).toBe(true);
});

it('measures tools, and warns of one that failed', () => {
  const { has, log } = observe([
    { event: 'tool_start', tool: 'read' },
    { event: 'tool_end', tool: 'read', ok: true, cached: true },
    { event: 'tool_start', tool: 'build' },
    { event: 'tool_end', tool: 'build', ok: false, error: 'Nothing was built: these components have no connection: A' },
  ]);
  expect(has('tool_calls_total{tool="read",ok="true"} 1')).toBe(true);
  expect(has('tool_duration_seconds_sum{tool="read"} 0.5')).toBe(true);
  expect(
    has('tool_cache_total{tool="read",result="hit"} 1') && has('tool_cache_total{tool="build",result="miss"} 1'),
  ).toBe(true);
  expect(has('orphan_rejections_total 1')).toBe(true);
  expect(log.map((line) => line.split(' ')[0])).toEqual(['assistant.tool.failed', 'assistant.spec.orphan']);
});

it('logs proposals without their texts', () => {
  const { log, has } = observe([
    { event: 'flow_update', action: 'propose_plan', markdown: 'canary' },
    { event: 'flow_update', action: 'set_flow', auto_apply: false, node_count: 2, edge_count: 1 },
    { event: 'flow_update', action: 'set_flow', auto_apply: true, node_count: 2, edge_count: 1 },
    { event: 'progress', step: 'validation_failed' },
    { event: 'component' },
    { event: 'notice', type: 'model_fallback' },
    { event: 'notice', type: 'other' },
  ]);
  expect(log).toEqual([
    'assistant.plan.proposed {"turn":"t","session":"s","length":6}',
    'assistant.proposal.ready {"turn":"t","session":"s","nodes":2,"edges":1}',
  ]);
  expect(has('components_total{result="refused"} 1') && has('components_total{result="registered"} 1')).toBe(true);
  expect(has('model_fallbacks_total 1')).toBe(true);
});

it('counts decisions and new conversations', () => {
  const { metrics } = observe([]);
  metrics.decided('set_flow', 'add');
  metrics.decided('other', 'x');
  metrics.reset(3);
  expect(metrics.text()).toContain('croft_assistant_proposal_decisions_total{kind="flow",choice="add"} 1');
  expect(metrics.text()).toContain('croft_assistant_proposal_decisions_total{kind="other",choice="x"} 1');
  expect(metrics.text()).toContain('croft_assistant_components_cleared_total 3');
});

it('writes the lines of a whole turn to the log, without texts of users', () => {
  const { log, lines } = observe(
    [
      { event: 'progress', step: 'generating' },
      { event: 'progress', step: 'generating', intent: 'build' },
      { event: 'tool_start', tool: 'build' },
      {
        event: 'tool_end',
        tool: 'build',
        ok: false,
        error: 'Nothing was built: these components have no connection: A',
      },
      { event: 'tool_start', tool: 'read' },
      { event: 'tool_end', tool: 'read', ok: true },
      { event: 'tool_start', tool: 'read' },
      { event: 'tool_end', tool: 'read', ok: true, error: 'another error' },
      { event: 'token', text: 'canary' },
      { event: 'flow_update', action: 'set_flow', auto_apply: false, node_count: 2, edge_count: 1 },
      { event: 'complete', data: { usage, duration_seconds: 3 } },
    ],
    { skipAll: false },
  );
  const about = '"turn":"t","session":"s"';
  expect(log).toEqual([
    `assistant.intent.classified {${about},"intent":"build"}`,
    `assistant.tool.failed {${about},"tool":"build"}`,
    `assistant.spec.orphan {${about}}`,
    `assistant.proposal.ready {${about},"nodes":2,"edges":1}`,
    `assistant.turn.ended {${about},"intent":"build","end":"complete","input_tokens":5,"output_tokens":7,"total_tokens":12,"seconds":3}`,
  ]);
  expect(
    lines
      .filter((line) => line !== '' && !line.includes('_bucket'))
      .map((line) => line.replace('croft_assistant_', '')),
  ).toEqual([
    '# TYPE tool_calls_total counter',
    'tool_calls_total{tool="build",ok="false"} 1',
    'tool_calls_total{tool="read",ok="true"} 2',
    '# TYPE tool_cache_total counter',
    'tool_cache_total{tool="build",result="miss"} 1',
    'tool_cache_total{tool="read",result="miss"} 2',
    '# TYPE orphan_rejections_total counter',
    'orphan_rejections_total 1',
    '# TYPE flow_updates_total counter',
    'flow_updates_total{action="set_flow"} 1',
    '# TYPE turns_total counter',
    'turns_total{intent="build",end="complete"} 1',
    '# TYPE tokens_total counter',
    'tokens_total{kind="input"} 5',
    'tokens_total{kind="output"} 7',
    '# TYPE tool_duration_seconds histogram',
    'tool_duration_seconds_sum{tool="build"} 0.5',
    'tool_duration_seconds_count{tool="build"} 1',
    'tool_duration_seconds_sum{tool="read"} 1',
    'tool_duration_seconds_count{tool="read"} 2',
    '# TYPE turn_duration_seconds histogram',
    'turn_duration_seconds_sum 3',
    'turn_duration_seconds_count 1',
    '# TYPE flow_updates_per_turn histogram',
    'flow_updates_per_turn_sum 1',
    'flow_updates_per_turn_count 1',
  ]);
});

it('names decisions by what they are about, and counts conversations', () => {
  const { metrics } = observe([]);
  for (const action of ['set_flow', 'edit_field', 'propose_plan']) metrics.decided(action, 'yes');
  metrics.reset(0);
  metrics.reset(2);
  expect(metrics.text()).toBe(
    [
      '# TYPE croft_assistant_proposal_decisions_total counter',
      'croft_assistant_proposal_decisions_total{kind="flow",choice="yes"} 1',
      'croft_assistant_proposal_decisions_total{kind="field",choice="yes"} 1',
      'croft_assistant_proposal_decisions_total{kind="plan",choice="yes"} 1',
      '# TYPE croft_assistant_session_resets_total counter',
      'croft_assistant_session_resets_total 2',
      '# TYPE croft_assistant_components_cleared_total counter',
      'croft_assistant_components_cleared_total 2',
      '',
    ].join('\n'),
  );
});
