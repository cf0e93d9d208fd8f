import type { DaemonEvent } from '@croft/gateway/daemon';
import { type Palette, palette } from '../render/colours.ts';
import { printable, printableJson, printableName } from '../render/printable.ts';

/** A stream that lines are written to. */
export interface LineOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows the events of a daemon. */
export interface EventLines {
  show(event: DaemonEvent): void;
  /** Erases the animated line, so that other text can be written. The next event may draw it again. */
  clear(): void;
}

/** Writes one JSON object per line, each with its time. */
export function jsonLines(output: LineOutput, now: () => Date = () => new Date()): EventLines {
  return {
    show: (event) => void output.write(`${printableJson({ time: now().toISOString(), ...event })}\n`),
    clear: () => {},
  };
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** Moves the cursor to the beginning of the line and erases the line. */
const CLEAR_LINE = '\r\u001b[2K';

/**
 * Writes lines for people. On a terminal: a line for each event, and an animated line while waiting. Elsewhere: only changes
 * of the connection's state. Names of servers, pages and files are escaped.
 */
export function personLines(output: LineOutput): EventLines {
  const colours = palette(output);
  const isTerminal = output.isTTY === true;
  let timer: NodeJS.Timeout | undefined;
  let isLost = false;

  const clear = (): void => {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    output.write(CLEAR_LINE);
  };
  const spin = (text: string): void => {
    let frame = 0;
    const draw = (): void => {
      output.write(`${CLEAR_LINE}${colours.dim(FRAMES[frame++ % FRAMES.length] as string)} ${text}`);
    };
    draw();
    timer = setInterval(draw, FRAME_MS);
    timer.unref();
  };

  return {
    show(event) {
      clear();
      const isNews = event.type !== 'retrying' || !isLost;
      if (event.type === 'retrying') isLost = true;
      if (event.type === 'connected' || event.type === 'ended') isLost = false;
      const moving = isTerminal ? movingText(event) : undefined;
      if (moving !== undefined) return spin(moving);
      const line = lineOf(event, colours, isTerminal);
      if (line !== undefined && isNews) output.write(`${line}\n`);
    },
    clear,
  };
}

/** The text of the animated line; undefined if the event does not start a wait. */
function movingText(event: DaemonEvent): string | undefined {
  switch (event.type) {
    case 'connecting':
      return `Connecting to ${printableName(event.server)}`;
    case 'retrying':
      return `No connection to ${printableName(event.server)}: ${printableName(event.why)}. Trying again in ${seconds(event.inMs)}`;
    default:
      return undefined;
  }
}

function lineOf(
  event: DaemonEvent,
  { dim, green, red, yellow, bold }: Palette,
  isTerminal: boolean,
): string | undefined {
  const quiet = (line: string) => (isTerminal ? line : undefined);
  switch (event.type) {
    case 'listening':
      return dim(`Pages of this machine can connect at http://127.0.0.1:${event.port}`);
    case 'waiting':
      return 'Waiting. Open Connect a folder in your Croft server';
    case 'scanned':
      return quiet(
        dim(
          `${event.entries} entries in ${event.tookMs} ms${event.truncated ? ' (more exist; the server looks there by itself)' : ''}`,
        ),
      );
    case 'connecting':
      return `Connecting to ${printableName(event.server)}`;
    case 'connected':
      return green(`Connected ${event.again ? 'again ' : ''}to ${bold(printableName(event.server))}`);
    case 'retrying':
      return yellow(`No connection to ${printableName(event.server)}: ${printableName(event.why)}. Trying again`);
    case 'called':
      return undefined;
    case 'answered': {
      const took = dim(`${Math.round(event.tookMs)} ms`);
      return quiet(
        `${event.ok ? green('ok') : red('no')}  ${printableName(event.tool)}  ${printableName(event.about)}  ${took}`,
      );
    }
    case 'unanswered':
      return quiet(
        yellow(
          `--  ${printableName(event.tool)}  ${printableName(event.about)}  not answered: ${printableName(event.why)}`,
        ),
      );
    case 'tree_sent':
      return quiet(dim(`The server has the new tree (${event.entries} entries)`));
    case 'asked':
      return undefined;
    case 'decided':
      return `${event.allowed ? green('Allowed') : red('Denied')} ${printableName(event.origin)}${event.remembered ? ', for this directory and from now on' : ''}`;
    case 'turned_away':
      return yellow(`Denied ${printableName(event.origin)}: ${event.why}`);
    case 'warning':
      return yellow(`Warning: ${printable(event.message)}`);
    case 'ended':
      return event.reason === 'left' || event.reason === 'disconnected'
        ? printable(event.message)
        : red(printable(event.message));
  }
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 1_000)} s`;
}
