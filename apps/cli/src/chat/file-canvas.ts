import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Canvas } from '@croft/assistant';
import {
  applyEdits,
  type Edit,
  emptyFlow,
  type FlowDocument,
  isSpecText,
  printFlow,
  printSpec,
  specOf,
} from '@croft/flow';
import { osReason } from '@croft/workspace';
import { UsageError } from '../usage-error.ts';

/** A failure whose message a model and a person may read. */
export class ForModel extends UsageError {
  readonly forModel = true;

  /** The text for a person, where the message is an instruction for a model. */
  readonly forPerson: string | undefined;

  constructor(message: string, forPerson?: string) {
    super(message);
    this.forPerson = forPerson;
  }
}

export interface FileCanvasOptions {
  readonly file: string;
  readonly read: (text: string) => Promise<FlowDocument>;
  /** Asks before an edit that removes something. The text says what. */
  readonly confirm: (what: string) => Promise<boolean>;
}

/** A flow in a file as the assistant's canvas. Changes of other programs count: the file is read again before each edit. */
export interface FileCanvas extends Canvas {
  /** The step of undo that takes changes now. */
  readonly step: number;
  /** The step of the newest change that can be undone. */
  readonly newestStep: number | undefined;
  /** Ends a step of undo. */
  endTurn(): void;
}

const NO_FILE = '';

/** The file is made with the first change. Text of a flow stays text, as long as it can hold the flow. */
export function createFileCanvas({ file, read, confirm }: FileCanvasOptions): FileCanvas {
  let text: string | undefined;
  let flow = emptyFlow();
  let version = 0;
  const past: { readonly flow: FlowDocument; readonly turn: number }[] = [];
  let turn = 0;
  let backup: string | undefined;
  const load = async () => {
    const now = textOf(file);
    if (now !== text) {
      flow = now === NO_FILE ? emptyFlow() : await read(now);
      text = now;
      version++;
    }
    return { flow, version };
  };
  const store = (next: FlowDocument) => {
    const isText = text !== undefined && text !== NO_FILE && isSpecText(text) && fitsText(next);
    const written = isText ? printSpec(specOf(next)) : printFlow(next);
    const partial = `${file}.${process.pid}.partial`;
    try {
      writeFileSync(partial, written, { mode: 0o644 });
      renameSync(partial, file);
    } catch (error) {
      rmSync(partial, { force: true });
      throw new ForModel(
        `${basename(file)} cannot be written: ${osReason(error)}. Nothing was changed. Make it and its directory writable, or name another file: croft chat other.json.`,
      );
    }
    [text, flow] = [written, next];
    version++;
    return { flow, version };
  };
  const allow = async (edits: readonly Edit[], now: FlowDocument) => {
    const loss = lossOf(edits, now);
    if (loss !== undefined && !(await confirm(loss)))
      throw new ForModel(
        `The user did not allow this: ${loss}. Do not try again; go on without it, or ask.`,
        `Not done, because you did not allow it: ${loss}. Allow it with --yes, or name another file: croft chat other.json.`,
      );
  };
  const carryOut = (edits: readonly Edit[], current: FlowDocument) => {
    const next = applyEdits(current, edits).flow;
    past.push({ flow: current, turn });
    return store(next);
  };
  return {
    builtFlowReplaces: true,
    read: load,
    async edit(_base, edits) {
      await allow(edits, (await load()).flow);
      return carryOut(edits, (await load()).flow);
    },
    async editExactly(base, edits) {
      const before = await load();
      if (before.version !== base) return undefined;
      await allow(edits, before.flow);
      const { version: now, flow: current } = await load();
      return now === base ? carryOut(edits, current) : undefined;
    },
    async undo() {
      await load();
      const last = past.at(-1);
      if (last === undefined) throw new ForModel('There is nothing to undo in this chat.');
      let before = last.flow;
      while (past.at(-1)?.turn === last.turn) before = past.pop()?.flow ?? before;
      return store(before);
    },
    async checkpoint() {
      backup ??= keepBefore(file);
      return backup;
    },
    get step() {
      return turn;
    },
    get newestStep() {
      return past.at(-1)?.turn;
    },
    endTurn: () => void turn++,
  };
}

/** Keeps the flow from before the chat, beside those of earlier chats. Returns the name of the copy. */
function keepBefore(file: string): string {
  const before = textOf(file);
  for (let count = 1; ; count++) {
    const copy = `${file}.before-chat${count === 1 ? '' : `-${count}`}`;
    const kept = textOf(copy);
    if (before === NO_FILE || kept === before) return copy;
    if (kept !== NO_FILE) continue;
    writeFileSync(copy, before, { flag: 'wx' });
    return copy;
  }
}

/** The text form has no notes, groups, code, or fixed outputs. */
const fitsText = ({ notes, groups, nodes }: FlowDocument): boolean =>
  notes.length === 0 &&
  groups.length === 0 &&
  nodes.every(({ code, pinned, run, name }) => code === undefined && !pinned && !run && name === undefined);

/** The components that edits remove, for the question to a person; undefined where they remove nothing. */
function lossOf(edits: readonly Edit[], { nodes }: FlowDocument): string | undefined {
  const removed = edits.flatMap(function idsIn(edit: Edit): string[] {
    if (edit.kind === 'batch') return edit.edits.flatMap(idsIn);
    if (edit.kind === 'remove_component') return [edit.id];
    if (edit.kind !== 'set_flow') return [];
    const kept = new Set(edit.flow.nodes.map(({ id }) => id));
    return nodes.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  });
  return removed.length === 0 ? undefined : `remove ${removed.join(', ')}`;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NO_FILE;
    throw new ForModel(`${basename(file)}: cannot be read: ${osReason(error)}`);
  }
}
