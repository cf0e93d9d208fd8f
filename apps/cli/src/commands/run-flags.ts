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
  /** Private hosts that the flow may send requests to. */
  readonly allowHost: readonly string[];
  /** Commands that the flow may start as MCP servers. */
  readonly allowCommand: readonly string[];
  /** `NAME=HOST`: a variable of the environment that is sent to this host only. */
  readonly credential: readonly string[];
  /** False switches Landlock off. */
  readonly secondWall: boolean;
  readonly requireSandbox?: boolean;
}
