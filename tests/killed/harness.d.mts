/** A tool and its arguments. */
export type ChangeCall = readonly [name: string, args: object];
export const CHANGES: readonly ChangeCall[];

export interface Judged {
  /** Whether the workspace was changed when the process was gone. */
  readonly isChanged: boolean;
  /** How many changes `croft undo` took back. */
  readonly undone: number;
  readonly problems: readonly string[];
}

export function killDuring(
  call: ChangeCall,
  point: number | 'before-record' | 'after-record',
): Promise<Judged & { readonly isDone: boolean }>;
export function killAtRandom(maxMs: number): Promise<Judged>;
