/** A question of a run to a person. */
export interface PersonQuestion {
  /** The same for each attempt of the run. */
  readonly key: string;
  readonly node: string;
  readonly text: string;
  readonly options: readonly string[];
  /** The value in question. */
  readonly context: unknown;
}

export interface PersonAnswer {
  readonly choice: string;
  readonly comment: string;
  /** The person's name or id. */
  readonly by: string;
}
