import {
  type AssistantEvent,
  changesOfTurns,
  type TurnOfFiles,
  type UndoneFile,
  type UndoneFiles,
  undoneFilesOf,
} from '@croft/assistant';
import { type Activity, type Actor, undoEntries } from '@croft/tools';
import type { Workspace } from '@croft/workspace';
import type { FileCanvas } from './file-canvas.ts';

/** The assistant of a chat, for the activity log. */
export const ASSISTANT: Actor = { userId: null, via: 'assistant', client: null };

export interface ChatFilesOptions {
  readonly workspace: Workspace;
  /** Absent where calls are not logged. */
  readonly activity: Activity | undefined;
  readonly canvas: Pick<FileCanvas, 'step' | 'newestStep'>;
}

/** The files that the messages of a chat wrote. */
export interface ChatFiles {
  /** Remembers which files a turn wrote. Call before the step of the canvas ends. */
  add(turn: TurnOfFiles, events: readonly AssistantEvent[]): void;
  /** Takes back the files of the newest turn that wrote some. Undefined where the newest change of the canvas is newer. */
  undoNewest(): Promise<UndoneFiles | undefined>;
}

/** The changes are found in the activity log, so `croft undo` and the chat take back the same ones. */
export function createChatFiles({ workspace, activity, canvas }: ChatFilesOptions): ChatFiles {
  const written: (TurnOfFiles & { readonly step: number; readonly paths: readonly string[] })[] = [];
  return {
    add(turn, events) {
      const paths = events.flatMap((event) => (event.event === 'file_written' ? [event.path] : []));
      if (paths.length > 0) written.push({ ...turn, step: canvas.step, paths: [...new Set(paths)] });
    },
    async undoNewest() {
      for (;;) {
        const turn = written.at(-1);
        const { newestStep = -1 } = canvas;
        if (turn === undefined || newestStep > turn.step) return undefined;
        written.pop();
        const files = activity === undefined ? turn.paths.map(notKept) : await undo(workspace, activity, turn);
        // `croft undo` may have taken back the files of the turn before.
        if (files.length > 0) return { turnId: turn.id, files, withCanvas: newestStep === turn.step };
      }
    },
  };
}

async function undo(workspace: Workspace, activity: Activity, turn: TurnOfFiles): Promise<readonly UndoneFile[]> {
  const chosen = changesOfTurns(activity.entries(), [turn]);
  return undoneFilesOf(await undoEntries(workspace, activity, chosen, ASSISTANT));
}

const notKept = (path: string): UndoneFile => ({
  path,
  reverted: false,
  problem: `The old content of ${path} was not kept`,
});
