import { didYouMean } from '../render/did-you-mean.ts';

/**
 * Every variable that Croft reads, without its prefix. A list of its own, because most commands do not load the settings; a
 * test compares the two.
 */
const KNOWN = `ALLOWED_ORIGINS API_KEY AUTO_LOGIN BASE_DIR CHECK_KEY FILESYSTEM_PATH FLOW_COMMANDS FLOW_HOSTS FLOW_PROXY
  GATEWAY_API_KEY GATEWAY_API_KEY_USER GUARD_KEY_ROOT GUARD_PASS GUARD_ROOT GUARD_ROOTS_BELOW GUARD_UPSTREAM HOOK_TRIAL HOST KEY
  LOG_LEVEL NO_NATIVE PORT PUBLIC_URL RUN_HISTORY_BYTES RUN_RETENTION_DAYS SECRET_KEY SECRET_KEY_PREVIOUS SUPERUSER SUPERUSER_PASSWORD TRASH_BYTES TRUSTED_PROXIES
  USER_QUOTA_BYTES VERBOSE`.split(/\s+/);
const PREFIX = 'CROFT_';

/**
 * Not settings: Kubernetes gives every container such variables for a service that is named `croft`; the others are of Croft's
 * own tests.
 */
const OTHERS = /^CROFT_(SERVICE_|PORT_\d|TEST_|SEED$|SHOTS$|PICTURES$|CRASH_ROUNDS$|PARITY_RUNS$)/;

/**
 * A sentence for each `CROFT_…` variable that Croft does not read, with the nearest one that it does. A mistyped name would
 * otherwise leave a default in place, such as no sign-in. Never shows values.
 */
export function unknownVariables(env: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !OTHERS.test(name))
    .map((name) => name.slice(PREFIX.length))
    .filter((name) => !KNOWN.includes(name))
    .toSorted()
    .map((name) => `${PREFIX}${name} is not a setting of Croft${didYouMean(name, KNOWN, PREFIX)}`);
}

/**
 * Writes those sentences as warnings. `croft serve` refuses to start instead. The guard's hook stays silent: agents read what
 * it writes.
 *
 * @param args the command line after the program
 */
export function warnOfUnknownVariables(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  write: (text: string) => void,
): void {
  if (args[0] === 'serve' || (args[0] === 'guard' && args[1] === 'hook')) return;
  for (const sentence of unknownVariables(env)) write(`croft: warning: ${sentence}\n`);
}
