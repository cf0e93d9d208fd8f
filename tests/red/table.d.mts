/** A rule, the edits that remove it, and the test that must then fail. */
export interface RedRule {
  readonly rule: string;
  readonly edits: readonly { readonly file: string; readonly find: string; readonly replace: string }[];
  readonly test: { readonly file: string; readonly name: string };
}

export const TABLE: readonly RedRule[];
