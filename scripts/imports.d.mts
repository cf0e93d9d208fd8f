export interface ImportingModule {
  readonly source: string;
  readonly dependencies: readonly object[];
}
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>>;
export function readModules(root: string): Promise<readonly ImportingModule[]>;
export function importProblems(modules: readonly ImportingModule[]): readonly string[];
