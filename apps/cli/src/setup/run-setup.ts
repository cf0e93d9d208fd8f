import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ownCommand } from '../compose/own-command.ts';
import { refuseWide } from '../compose/refuse-wide.ts';
import type { Palette } from '../render/colours.ts';
import { UsageError } from '../usage-error.ts';
import { carryOut, type Outcome } from './carry-out.ts';
import { CLIENT_IDS, type ClientId, type ClientPlace, clientPlace, isInstalled, type Machine } from './clients.ts';
import { baseDirOf, keepOnce, settleCopies } from './keep-once.ts';
import { type KeptProgram, keptProgram } from './kept-program.ts';
import { planChange } from './plan-change.ts';
import { recordUse } from './program-uses.ts';
import { type Program, type ServerCommand, serverCommand, serverEntry } from './server-command.ts';
import { type Connection, tryServer } from './try-server.ts';

/** The request of one `croft setup`. */
export interface SetupRequest {
  readonly dirs: readonly string[];
  /** Directories of `--dir`, which may be the home directory, above it or the whole disk. */
  readonly wideDirs: readonly string[];
  /** Serving flags for the written command. */
  readonly servingFlags: readonly string[];
  /** Whether the flags name a user, whose namespace is served instead of a directory. */
  readonly forUser: boolean;
  /** Empty means all installed clients. */
  readonly clients: readonly ClientId[];
  readonly project: boolean;
  readonly remove: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  /** Name of the server in the configurations. */
  readonly name: string;
}

/** The machine, program and terminal for a request. */
export interface SetupSurroundings {
  readonly machine: Machine;
  readonly program: Program;
  /** Whether standard input and output are a terminal. */
  readonly isTerminal: boolean;
  readonly paint: Palette;
  readonly now: Date;
  write(text: string): void;
  ask(question: string): Promise<boolean>;
}

/**
 * Adds Croft to the configurations of MCP clients, or removes it, and tries the written command. Shows every change before it
 * writes it. A second run changes nothing.
 *
 * @returns whether every configuration has the wanted content and the command works
 * @throws UsageError before it writes or shows anything
 */
export async function runSetup(request: SetupRequest, surroundings: SetupSurroundings): Promise<boolean> {
  const { machine, write } = surroundings;
  if (!/^[A-Za-z0-9][\w-]{0,63}$/.test(request.name))
    throw new UsageError(`Not a name for a server: ${request.name}. Use letters, digits, - and _`);
  const kept = keptProgram(surroundings.program, baseDirOf(machine));
  const command = request.remove ? undefined : serverCommand(kept, mcpArgs(request, machine));
  const baseDir = machine.env.CROFT_BASE_DIR?.trim() ? baseDirOf(machine) : undefined;
  const places = choosePlaces(request, machine);
  const copy = keepOnce(kept, request, surroundings);
  if (places.length === 0) return noClientFound(request, surroundings, command && { command, copy, kept }, baseDir);
  const plans = places.map((place) =>
    planChange(place, request.name, command && serverEntry(place, request.name, command, baseDir)),
  );
  const writes = plans.some(({ kind }) => kind === 'write');
  if (writes && !request.yes && !request.dryRun && (request.json || !surroundings.isTerminal)) {
    throw new UsageError(
      `Add --yes to ${request.remove ? 'change' : 'write'} configurations without being asked, or --dry-run to see what would change`,
    );
  }
  if (request.dryRun && writes && !request.json) write(PREVIEW);
  const outcomes: Outcome[] = [];
  const unchanged = request.remove ? `has no server "${request.name}"` : 'has it already';
  for (const plan of plans) outcomes.push(await carryOut(plan, request, surroundings, unchanged, copy));
  settleCopies(kept, outcomes, request, surroundings);
  const inPlace = outcomes.some(({ state }) => state === 'written' || state === 'unchanged');
  const connection =
    command && inPlace && !request.dryRun
      ? await tryServer(command, { env: machine.env, cwd: machine.home })
      : undefined;
  if (request.json)
    write(`${JSON.stringify({ name: request.name, ...command, clients: outcomes, connection }, null, 2)}\n`);
  else reportEnd(request, outcomes, places, connection, surroundings);
  return outcomes.every(({ state }) => state !== 'refused') && connection?.ok !== false;
}

function mcpArgs(request: SetupRequest, { cwd, home }: Machine): string[] {
  const { dirs, wideDirs, servingFlags } = request;
  const given = dirs.length + wideDirs.length;
  if (request.forUser) {
    if (given > 0) throw new UsageError('--user serves the namespace of that user and takes no directory');
    return [...servingFlags];
  }
  const inCwd = (dir: string): string => {
    const path = resolve(cwd, dir);
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`Not a directory: ${dir}`);
    return path;
  };
  const paths = (given > 0 ? dirs : ['.']).map(inCwd);
  for (const path of paths) refuseWide(path, 'Name the directory to serve', home);
  const args = [...servingFlags, ...wideDirs.flatMap((dir) => ['--dir', inCwd(dir)]), ...paths];
  const variable = args.find((argument) => argument.includes('${'));
  if (variable !== undefined)
    throw new UsageError(`${variable} cannot be written: clients replace \${…} by a variable`);
  return args;
}

function choosePlaces({ clients, project }: SetupRequest, machine: Machine): ClientPlace[] {
  if (clients.length === 0 && !project) return allPlaces(machine).filter(isInstalled);
  const chosen = clients.length > 0 ? [...new Set(clients)] : (['claude-code'] as const);
  return chosen.map((id) => {
    const place = clientPlace(id, machine, project);
    if (place === undefined) throw new UsageError(`${id} has no configuration of a project; leave --project out`);
    return place;
  });
}

function allPlaces(machine: Machine): ClientPlace[] {
  return CLIENT_IDS.map((id) => clientPlace(id, machine)).filter((place) => place !== undefined);
}

const PREVIEW =
  'Preview of the configuration files that croft setup would change. Lines with + would be added, lines with - removed.\n\n';
const PREVIEW_END =
  'Nothing was written. Run the same command without --dry-run to make these changes: it asks before each file.\n';

function reportEnd(
  request: SetupRequest,
  outcomes: readonly Outcome[],
  places: readonly ClientPlace[],
  connection: Connection | undefined,
  { write, paint }: SetupSurroundings,
): void {
  if (request.dryRun) write(outcomes.some(({ state }) => state === 'shown') ? PREVIEW_END : 'Nothing would change.\n');
  if (connection?.ok === true)
    write(`${paint.green('connected')}: ${connection.tools} ${connection.tools === 1 ? 'tool' : 'tools'}\n`);
  if (connection?.ok === false) {
    write(`${paint.red('not connected')}: the written command ${connection.problem}\n`);
    const croft = ownCommand();
    write(`Run ${croft} doctor to see what is wrong, or ${croft} setup --remove to remove the entries.\n`);
  }
  for (const { client, state } of outcomes) {
    const place = places.find(({ id }) => id === client);
    if (state === 'written' && connection?.ok === true && place) write(`Now ${place.afterwards}.\n`);
  }
}

function noClientFound(
  request: SetupRequest,
  { machine, write }: SetupSurroundings,
  offered: { readonly command: ServerCommand; readonly kept: KeptProgram; copy(): void } | undefined,
  baseDir: string | undefined,
): boolean {
  const places = allPlaces(machine);
  const [first] = places as [ClientPlace, ...ClientPlace[]];
  const command = offered?.command;
  if (offered && !request.dryRun) {
    offered.copy();
    recordUse(offered.kept, undefined);
  }
  const entry = command && serverEntry(first, request.name, command, baseDir);
  const paste = entry && { mcpServers: { [request.name]: entry } };
  const lookedAt = places.map(({ id, title, file, marks }) => ({ client: id, title, file, marks }));
  if (request.json) {
    write(`${JSON.stringify({ name: request.name, ...command, clients: [], lookedAt, paste }, null, 2)}\n`);
    return request.remove;
  }
  const width = Math.max(...places.map(({ title }) => title.length));
  write('No MCP client was found here. Looked for:\n');
  for (const { title, file } of lookedAt) write(`  ${title.padEnd(width)}  ${file}\n`);
  if (paste === undefined) return true;
  write('\nPaste this into the configuration of your client (VS Code calls the outer key "servers"),\n');
  write(`or name the client, e.g. ${ownCommand()} setup --client cursor:\n\n${JSON.stringify(paste, null, 2)}\n`);
  if (request.dryRun) write('\nNothing was written.\n');
  if (!existsSync(offered?.kept.script ?? ''))
    write(
      request.dryRun
        ? 'The same command without --dry-run also copies the program to this path.\n'
        : `\nThat program does not exist yet. Run ${ownCommand()} setup first: it copies the program there.\n`,
    );
  return request.dryRun;
}
