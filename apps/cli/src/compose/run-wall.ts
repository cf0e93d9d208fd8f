import { readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { activityDir } from '@croft/tools';
import { croftBaseDir, type SecondWallStatus } from '@croft/workspace';
import type { RunFlags } from '../commands/run-flags.ts';
import { programDirs, raiseSecondWall } from './second-wall.ts';
import { workspaceRoot } from './workspace-root.ts';

/** Needed for the network: names of servers, certificates, time zones, and libraries that look names up. */
const SYSTEM = [
  '/etc',
  '/lib',
  '/lib64',
  '/usr/lib',
  '/usr/lib64',
  '/usr/share/ca-certificates',
  '/usr/share/zoneinfo',
];
/** Documents are read in a process of their own, which a shell starts with a limit of memory. */
const PROGRAMS = [process.execPath, '/bin/sh'];
/** Variables that name more certificates. */
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/**
 * Restricts `croft run` with Landlock to the flow's directory and its activity log; this program, the file of the flow and
 * what the network needs can be read. Call it before any file access through the thread pool. An MCP server that
 * `--allow-command` names is a program with rights of its own, so with such a command nothing is restricted.
 *
 * @throws UsageError if `dir` cannot be a workspace
 */
export function raiseRunWall(file: string, dir: string, flags: RunFlags): Promise<SecondWallStatus> {
  if (!flags.secondWall) return Promise.resolve({ active: false, reason: 'switched off' });
  if (flags.allowCommand.length > 0)
    return Promise.resolve({ active: false, reason: '--allow-command starts other programs' });
  const baseDir = croftBaseDir();
  const root = workspaceRoot(dir, baseDir);
  return raiseSecondWall({
    write: [root, activityDir(baseDir, root), join(baseDir, 'cache'), '/dev/null'],
    read: [file, ...PROGRAMS, ...programDirs(), ...packageDirs(), ...SYSTEM, ...nameServers(), ...certificates()],
  }).verified;
}

/** Where Node finds the packages that are installed beside this program: readers of documents are in one. */
function packageDirs(): string[] {
  const found: string[] = [];
  for (const start of programDirs()) {
    for (let dir = start; dir !== dirname(dir); dir = dirname(dir))
      found.push(join(dir, 'node_modules'), ...linkedPackages(join(dir, 'node_modules/@croft')));
  }
  return found;
}

/** In a checkout, the packages of Croft are links. */
function linkedPackages(scope: string): string[] {
  try {
    return readdirSync(scope).map((name) => realpathSync(join(scope, name)));
  } catch {
    return [];
  }
}

/** The directory of the list of name servers, which is often a link to a file that is replaced at every change of network. */
function nameServers(): string[] {
  try {
    return [dirname(realpathSync('/etc/resolv.conf'))];
  } catch {
    return [];
  }
}

const certificates = (): string[] => CERTIFICATES.flatMap((name) => process.env[name] ?? []);
