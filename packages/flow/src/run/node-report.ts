import type { Progress } from '../component.ts';
import type { RunEvent } from './events.ts';
import type { RedactedStream } from './redact-stream.ts';
import type { AttemptHooks } from './run-node.ts';

/** Of one run of a node. */
const MAX_LOG_LINES = 1_000;

/** Where the reports of a run go. */
export interface RunReport {
  emit(event: RunEvent): void;
  /** The message of an error, without secrets. */
  messageOf(error: unknown): string;
  /** For a text that comes in parts. */
  stream(): RedactedStream;
  /** A text without secrets, cut to the length that events show. */
  shown(text: string): string;
}

/** Turns what one run of a node reports into events, and counts its tokens. */
export class NodeReport implements AttemptHooks {
  inputTokens = 0;
  outputTokens = 0;
  readonly node: string;
  readonly path: string;
  /** In milliseconds of `performance.now`. */
  readonly started: number;
  readonly #run: RunReport;
  #lines = 0;
  #tokens: RedactedStream | undefined;

  constructor(run: RunReport, node: string, path: string, started: number) {
    this.#run = run;
    this.node = node;
    this.path = path;
    this.started = started;
  }

  progress(progress: Progress): void {
    const { node, path } = this;
    if (progress.kind === 'token') this.#say((this.#tokens ??= this.#run.stream()).add(progress.text));
    else if (progress.kind === 'log') this.#log(progress.text);
    else if (progress.kind === 'progress')
      this.#run.emit({ ...progress, ...(progress.text && { text: this.#run.shown(progress.text) }), node, path });
    else {
      this.inputTokens += progress.inputTokens;
      this.outputTokens += progress.outputTokens;
    }
  }

  /** Emits what is left of the tokens. Call it before the event that ends the node. */
  flush(): void {
    if (this.#tokens) this.#say(this.#tokens.end());
  }

  #say(text: string): void {
    const { node, path } = this;
    if (text !== '') this.#run.emit({ kind: 'token', node, path, text });
  }

  #log(text: string): void {
    const { node, path } = this;
    if (++this.#lines > MAX_LOG_LINES + 1) return;
    const shown = this.#lines > MAX_LOG_LINES ? 'Further lines are left out.' : this.#run.shown(text);
    this.#run.emit({ kind: 'log', node, path, text: shown });
  }

  retrying(attempt: number, error: unknown): void {
    const { node, path } = this;
    this.flush();
    this.#run.emit({ kind: 'node_retrying', node, path, attempt, error: this.#run.messageOf(error) });
  }
}
