import type { FlowEdge, FlowNote } from '@croft/flow';
import { createContext } from 'react';

/** The actions of parts of the canvas; undefined where the flow is read-only. */
export interface Editing {
  insertOn(edge: FlowEdge): void;
  disconnect(edge: FlowEdge): void;
  openConnect(node: string): void;
  duplicate(id: string): void;
  remove(id: string): void;
  ungroup(id: string): void;
  renameGroup(id: string, name: string): void;
  setNote(id: string, change: Partial<Pick<FlowNote, 'text' | 'size' | 'position'>>): void;
}

export const EditingContext = createContext<Editing | undefined>(undefined);
