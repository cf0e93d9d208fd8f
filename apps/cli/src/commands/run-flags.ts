/** The flags of `croft run`. */
export interface RunFlags {
  readonly input: readonly string[];
  readonly dir?: string;
  /** In seconds. */
  readonly timeout: number;
  readonly json?: boolean;
  readonly until?: string;
  /** `provider/name` for components that name no model. */
  readonly model?: string;
}
