import { ReactFlowProvider } from '@xyflow/react';
import { createElement, type ReactNode } from 'react';
import { beforeEach } from 'vitest';
import { type Editing, EditingContext } from '../editing/editing-context.ts';

/** A card in what the canvas has around it. It can be edited with `editing`. */
export const onCanvas = (card: ReactNode, editing: Partial<Editing> | undefined) =>
  createElement(ReactFlowProvider, {
    children: createElement(EditingContext, { value: editing as Editing | undefined }, card),
  });

/** The names of the elements that a test gave the focus. Call it after `usePage`. */
export function useFocused(): readonly string[] {
  const focused: string[] = [];
  beforeEach(() => {
    focused.length = 0;
    HTMLElement.prototype.focus = function focus(this: HTMLElement) {
      focused.push(this.tagName);
    };
  });
  return focused;
}
