/** Flags of `croft connect`, as commander gives them. */
export interface ConnectFlags {
  readonly dir?: string;
  readonly port?: number;
  readonly listen: boolean;
  readonly allowWrite?: boolean;
  readonly allowOrigin: readonly string[];
  readonly autoConfirm?: boolean;
  readonly json?: boolean;
}
