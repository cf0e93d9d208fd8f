import { KEY_PREFIX } from './forget-user.ts';

/** The panel's part of the browser's storage, for one user. Every key contains the user's id. */
export interface Kept {
  readSkipAll(): boolean;
  writeSkipAll(isOn: boolean): void;
  /** Sent messages, newest first. */
  readHistory(): readonly string[];
  /** Adds a message, unless it is empty or the newest one. */
  pushHistory(message: string): void;
  /** `provider/model`; empty for the preferred one. */
  readModel(): string;
  writeModel(model: string): void;
  /** The conversation that the page of a flow shows. */
  readSession(flowId: string): string | undefined;
  writeSession(flowId: string, sessionId: string): void;
  readIsOpen(): boolean;
  writeIsOpen(isOpen: boolean): void;
  /** Undefined until the user chose. */
  readIsDocked(): boolean | undefined;
  writeIsDocked(isDocked: boolean): void;
  readSize(): PanelSize | undefined;
  writeSize(size: PanelSize): void;
}

/** In CSS pixels. */
export interface PanelSize {
  readonly width: number;
  readonly height: number;
}

const MAX_HISTORY = 10;

/** Opens the storage of a user. A browser that allows no storage keeps nothing; the panel works all the same. */
export function openKept(userId: string, storage: () => Storage = () => localStorage): Kept {
  const keyOf = (name: string) => `${KEY_PREFIX}${name}:${userId}`;
  const read = (name: string): string | undefined => {
    try {
      return storage().getItem(keyOf(name)) ?? undefined;
    } catch {
      return undefined;
    }
  };
  const write = (name: string, value: string) => {
    try {
      storage().setItem(keyOf(name), value);
    } catch {
      // Private browsing, or the storage is full.
    }
  };
  const readHistory = (): readonly string[] => {
    const list = parse(read('input-history'));
    const isList = Array.isArray(list) && list.every((each) => typeof each === 'string');
    return isList ? (list as string[]).slice(0, MAX_HISTORY) : [];
  };
  return {
    // Any other value is off: the setting skips consent.
    readSkipAll: () => read('skip-all') === 'true',
    writeSkipAll: (isOn) => write('skip-all', `${isOn}`),
    readHistory,
    pushHistory(message) {
      const text = message.trim();
      const list = readHistory();
      if (text === '' || list[0] === text) return;
      write('input-history', JSON.stringify([text, ...list].slice(0, MAX_HISTORY)));
    },
    readModel: () => read('selected-model') ?? '',
    writeModel: (model) => write('selected-model', model),
    readSession: (flowId) => read(`session-${flowId}`),
    writeSession: (flowId, sessionId) => write(`session-${flowId}`, sessionId),
    readIsOpen: () => read('open') === 'true',
    writeIsOpen: (isOpen) => write('open', `${isOpen}`),
    readIsDocked() {
      const kept = read('docked');
      return kept === undefined ? undefined : kept === 'true';
    },
    writeIsDocked: (isDocked) => write('docked', `${isDocked}`),
    readSize() {
      const { width, height } = (parse(read('size')) ?? {}) as Partial<PanelSize>;
      return typeof width === 'number' && typeof height === 'number' ? { width, height } : undefined;
    },
    writeSize: (size) => write('size', JSON.stringify(size)),
  };
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
