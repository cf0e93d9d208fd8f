export interface CorpusRoot {
  readonly base: string;
  readonly root: string;
  readonly home: string;
  readonly out: string;
  readonly proj2: string;
  readonly alias: string;
  fill(value: unknown): unknown;
  remove(): void;
}

export interface CorpusEntry {
  readonly file: string;
  readonly class: string;
  readonly mode: 'both' | 'strict';
  readonly call: { readonly name: string; readonly arguments: unknown; readonly isText?: boolean };
  readonly expect: 'allow' | 'block';
  readonly rule?: string;
}

export function makeRoot(): CorpusRoot;
export function readCorpus(): CorpusEntry[];
export function readCorpusFile(name: string): CorpusEntry[];
export function expand(value: unknown): unknown;
