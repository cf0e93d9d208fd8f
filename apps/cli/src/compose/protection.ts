import type { SecondWallStatus } from '@croft/workspace';
import { UsageError } from '../usage-error.ts';

/**
 * Names the missing parts of the full protection: a race-free resolver, and Landlock with a passed self-test. Returns one
 * sentence without its full stop, or `undefined` if nothing is missing.
 */
export function missingProtection(
  resolver: string,
  wall: { readonly active: boolean; readonly reason?: string },
): string | undefined {
  const missing = [
    ...(resolver === 'portable' ? ['the path resolver is not race-free on this system'] : []),
    ...(wall.active ? [] : [`Landlock does not restrict the process (${wall.reason ?? 'unknown reason'})`]),
  ];
  return missing.length === 0 ? undefined : `Reduced protection: ${missing.join('; ')}`;
}

/** Writes one line to standard error if protection is missing. */
export function warnOfMissingProtection(resolver: string, wall: SecondWallStatus): void {
  const missing = missingProtection(resolver, wall);
  if (missing !== undefined) process.stderr.write(`croft: warning: ${missing}. Run croft doctor for the reason.\n`);
}

/**
 * Implements `--require-sandbox`.
 *
 * @throws UsageError if protection is missing
 */
export function requireProtection(resolver: string, wall: SecondWallStatus): void {
  const missing = missingProtection(resolver, wall);
  if (missing === undefined) return;
  throw new UsageError(
    `${missing}. Refused to start because of --require-sandbox; run croft doctor, or start without that flag`,
  );
}
