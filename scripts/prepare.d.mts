export const root: string;
export function build(): void;
export function linkPackages(): void;
export function buildThreads(): void;
export function isStale(output: string, sources: readonly string[]): boolean;
