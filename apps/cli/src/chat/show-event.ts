import type { AssistantEvent, FlowUpdate, TurnEnd } from '@croft/assistant';
import { endedText, repeatsResult } from '@croft/assistant/events';
import { drawFlow } from '@croft/flow';
import { palette } from '../render/colours.ts';
import { printable, printableName } from '../render/printable.ts';

/** Where events are shown: replies and results of runs on `out`, everything else on `err`. */
export interface ChatScreen {
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
}

/**
 * Shows the events of one turn. The reply streams on a terminal; elsewhere it is written whole, at the end. The result of a run
 * that the reply does not have is shown with it.
 */
export function createEventView({ out, err }: ChatScreen): (event: AssistantEvent) => void {
  const { dim, green, red, yellow } = palette(err);
  let streamed = '';
  let isOffline = false;
  /** The result of the last run, until the reply shows whether it repeats it. */
  let result = '';
  const showResult = (reply: string) => {
    endStream();
    if (result !== '' && !repeatsResult(reply, result)) out.write(`${out.isTTY ? printable(result) : result}\n`);
    result = '';
  };
  const line = (text: string) => {
    endStream();
    err.write(`${text}\n`);
  };
  const endStream = () => {
    if (streamed !== '' && !streamed.endsWith('\n')) out.write('\n');
    streamed = '';
  };
  return (event) => {
    switch (event.event) {
      case 'turn':
        isOffline = event.model.startsWith('croft/');
        break;
      case 'token':
        if (out.isTTY) out.write(printable(event.chunk));
        streamed += out.isTTY ? event.chunk : '';
        break;
      case 'tool_start':
        line(dim(`· ${printableName(event.label)}`));
        break;
      case 'tool_end':
        // The reply of croft/offline repeats the error.
        if (!event.ok && !isOffline) line(yellow(`  ${printableName(event.error?.split('\n')[0] ?? 'failed')}`));
        break;
      case 'flow_update':
        for (const text of linesOf(event)) line(`  ${printable(text)}`);
        break;
      case 'file_written':
        line(green(`  wrote ${printableName(event.path)}`));
        break;
      case 'validated':
        for (const problem of event.problems) line(yellow(`  ${printable(problem)}`));
        break;
      case 'run_finished':
        showResult('');
        line(event.status === 'completed' ? green('  the run completed') : red(`  the run ${endedText(event.status)}`));
        result = event.text;
        break;
      case 'notice':
        line(yellow(printable(event.message)));
        break;
      case 'complete': {
        const isShown = streamed.trim() !== '' && event.data.result.trim().endsWith(streamed.trim());
        endStream();
        if (!isShown) out.write(`${out.isTTY ? printable(event.data.result) : event.data.result}\n`);
        showResult(event.data.result);
        line((event.data.outcome === 'done' ? dim : yellow)(costOf(event.data, isOffline)));
        break;
      }
      case 'error':
        showResult('');
        line(red(printable(event.message)));
        if (event.detail !== undefined) line(printable(event.detail));
        line(dim(costOf(event, isOffline)));
        break;
      case 'cancelled':
        showResult('');
        line(yellow('Stopped. Changes that were made are kept.'));
        line(dim(costOf(event, isOffline)));
        break;
      default:
    }
  };
}

/** The line about a reply, with its cost. The rules of croft/offline cost no tokens. */
function costOf({ status_line, usage, duration_seconds }: TurnEnd, isOffline: boolean): string {
  const tokens = usage.total_tokens > 0 && !isOffline ? ` · ${usage.total_tokens} tokens` : '';
  return `${printable(status_line)} (${duration_seconds} s${tokens})`;
}

/** A change in words. */
function linesOf(update: FlowUpdate): string[] {
  switch (update.action) {
    case 'set_flow':
      return [
        `${update.auto_apply ? 'built' : 'proposed'} ${update.name}: ${update.node_count} components, ${update.edge_count} connections`,
        ...(update.auto_apply ? [] : drawFlow(update.flow).split('\n')),
      ];
    case 'add_component':
      return [`+ ${update.node.id}`];
    case 'remove_component':
      return [`- ${update.component_id}`];
    case 'connect':
    case 'disconnect': {
      const { from, to } = update.edge;
      return [`${update.action === 'connect' ? '+' : '-'} ${from.node}.${from.port} -> ${to.node}.${to.port}`];
    }
    case 'configure':
      return Object.entries(update.params).map(([name, value]) => `${update.component_id}.${name} = ${brief(value)}`);
    case 'edit_field':
      return [`${update.component_id}.${update.field}`, `- ${brief(update.old_value)}`, `+ ${brief(update.new_value)}`];
    case 'propose_plan':
      return update.markdown.split('\n');
    default:
      return [];
  }
}

const MAX_VALUE = 200;

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
