import type { FlowEdge, Position } from '@croft/flow';
import type { Size } from './free-place.ts';

/** The selection: ids of components, notes and groups, and edges. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly edges: readonly FlowEdge[];
}

/** The drawing on which the actions work. Positions are those of the canvas. */
export interface Surface {
  /** The middle of the visible part. */
  middle(): Position;
  /** Boxes of components and notes, by id. */
  boxes(): ReadonlyMap<string, Position & Size>;
  selection(): Selection;
  /** Selects what the edits before this call add, once it is drawn, and focuses the first one. */
  select(ids: readonly string[]): void;
  selectDrawn(ids: readonly string[]): void;
  /** Fits the view once the next edits are drawn. */
  fitNext(): void;
  /** Brings an item into view and focuses it; `isWhole` zooms to it. */
  show(id: string, isWhole?: boolean): void;
}
