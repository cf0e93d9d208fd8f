import type { RunFlags } from './run-flags.ts';

/** The flags of `croft chat`. */
export interface ChatFlags
  extends Pick<RunFlags, 'allowHost' | 'allowCommand' | 'credential' | 'dir' | 'json' | 'model'> {
  readonly message: readonly string[];
  readonly yes?: boolean;
  readonly server?: string;
  readonly flow?: string;
}
