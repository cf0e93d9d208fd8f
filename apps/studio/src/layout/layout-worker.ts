import { dagrePositions, type LayoutRequest } from './dagre-positions.ts';

// A thread of its own: dagre would hold the page.
self.addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => self.postMessage(dagrePositions(data)));
