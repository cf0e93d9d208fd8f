import { type ClassValue, clsx } from 'clsx';

/** Joins class names and drops what is false. Later ones do not override earlier ones: say each property once. */
export function cn(...values: ClassValue[]): string {
  return clsx(values);
}
