import { InvalidArgumentError } from 'commander';

/** Collects the values of an option that may be repeated. An empty one, as of an unset variable, is an error. */
export function collectValues(value: string, before: readonly string[]): readonly string[] {
  if (value === '') throw new InvalidArgumentError('give a value');
  return [...before, value];
}
