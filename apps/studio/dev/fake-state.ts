import type { ServerResponse } from 'node:http';
import { FakeFiles } from './fake-files.ts';
import { sampleFiles } from './sample-files.ts';

/** A user of the fake server. */
export interface FakeUser {
  id: string;
  name: string;
  email: string;
  password: string;
  role: 'admin' | 'user';
  disabled: boolean;
  createdAt: string;
}

/** The initial state of the fake server. */
export interface FakeOptions {
  autoLogin?: boolean;
  /** Every request counts as the first user's, without a cookie. */
  signedIn?: boolean;
  /** A built studio to serve; without, only the endpoints. */
  studioDir?: string;
  /** Begins and ends with a slash. */
  basePath?: string;
  /** Every answer waits that long. */
  delayMs?: number;
  localAccess?: 'off' | 'setup' | 'on' | 'none';
  /** Mounts at the top of the tree, each with a file. */
  mounts?: { name: string; readOnly: boolean; hidesEntry: boolean }[];
  /** How long a pairing token is good for. */
  pairingTtlS?: number;
}

/** The state of the fake server. Tests read and change it. */
export class FakeState {
  readonly options: FakeOptions;
  readonly users: FakeUser[];
  readonly sessions = new Map<string, string>();
  readonly keys: { id: string; name: string; prefix: string; createdAt: string; lastUsedAt: string | null }[];
  readonly files: FakeFiles;
  /** Mounts at the top; their files are among the others. */
  mounts: { name: string; readOnly: boolean; hidesEntry: boolean }[];
  sharedMode: 'off' | 'read' | 'write' = 'off';
  readonly streams = new Set<ServerResponse>();
  /** Requests whose method and path match get 500. */
  failing: RegExp | undefined;
  failedSignIns = 0;
  /** No events come, as behind a proxy that buffers. */
  noEvents = false;
  links = 0;
  /** Until when the newest pairing token is open, in epoch milliseconds. */
  linkEndsAt = 0;
  local: { state: 'off' | 'setup' | 'on'; directory: string | null; canChange: boolean } | undefined;
  gateway = notConnected();

  constructor(options: FakeOptions) {
    this.options = options;
    this.mounts = options.mounts ?? [];
    const mounted = Object.fromEntries(this.mounts.map(({ name }) => [`${name}/house-rules.md`, '# House rules\n']));
    this.files = new FakeFiles({ ...sampleFiles(), ...mounted }, 2_000_000);
    const day = 86_400_000;
    const ago = (days: number) => new Date(Date.now() - days * day).toISOString();
    this.users = [
      user('u1', options.autoLogin ? 'local' : 'Ada Field', 'ada@croft.example', 'admin', ago(90)),
      user('u2', 'Ben Hedge', 'ben@croft.example', 'user', ago(30)),
      { ...user('u3', 'Cleo Stile', 'cleo@croft.example', 'user', ago(2)), disabled: true },
    ];
    this.keys = [
      { id: 'k1', name: 'this machine', prefix: 'croft_8Kd2', createdAt: ago(90), lastUsedAt: ago(0.1) },
      { id: 'k2', name: 'Claude on the laptop', prefix: 'croft_p0Xq', createdAt: ago(12), lastUsedAt: null },
    ];
    const offered = options.localAccess ?? 'setup';
    this.local =
      offered === 'none'
        ? undefined
        : { state: offered, directory: offered === 'on' ? '/home/ada/croft' : null, canChange: offered !== 'off' };
  }

  /** A daemon has connected. */
  connectGateway(directory = '/home/ada/projects/garden') {
    this.setGateway({
      connected: true,
      connectedAt: new Date(Date.now() - 4 * 60_000).toISOString(),
      directory,
      hostIdentifier: 'ada@larch',
      toolCategories: [{ name: 'filesystem', enabled: true, writeAccess: false }],
    });
  }

  setGateway(change: Partial<FakeState['gateway']>) {
    this.gateway = { ...this.gateway, ...change };
    this.tell('gateway', this.gateway);
  }

  tell(event: string, data: unknown) {
    for (const stream of this.streams) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}

/** Nothing is connected. */
export function notConnected() {
  return {
    connected: false,
    connectedAt: null as string | null,
    directory: null as string | null,
    hostIdentifier: null as string | null,
    toolCategories: [] as { name: string; enabled: boolean; writeAccess?: boolean }[],
    enabled: true,
  };
}

function user(id: string, name: string, email: string, role: 'admin' | 'user', createdAt: string): FakeUser {
  return { id, name, email, password: 'correct horse', role, disabled: false, createdAt };
}
