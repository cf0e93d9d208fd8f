export function withNumbers(readme: string): string;
