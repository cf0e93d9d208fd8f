/** A flow to start from, in the text form. */
export interface Template {
  /** Lower case with hyphens: the argument of `croft flow new`. */
  readonly name: string;
  readonly description: string;
  readonly spec: string;
  /** A message with which it can be tried. Absent where the flow takes none. */
  readonly input?: string;
  /** Files of the directory that it reads, for trying it. */
  readonly files?: Readonly<Record<string, string>>;
  /** Needs the network; all others run with croft/offline or plain data. */
  readonly needsNetwork?: boolean;
}
