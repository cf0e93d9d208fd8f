import { type Toast, toast } from '../ui/toast.tsx';
import type { EditStore } from './edit-state.ts';

/** Shows a notification about the newest step of a flow. It disappears with the next step: its action is for this one. */
export function stepToast(edits: Pick<EditStore, 'onNextStep'>, message: Toast): void {
  edits.onNextStep(toast(message));
}

/** Shows a notification that offers to take the newest step back. */
export function offerUndo(edits: Pick<EditStore, 'onNextStep' | 'step'>, text: string): void {
  stepToast(edits, { text, action: { label: 'Undo', run: () => void edits.step('undo') } });
}
