/** Finds uses of `process.env` that the house rule forbids. */
export function checkEnvironment(name: string, text: string): string[];
