export { connect, startMcpHttp } from './testing/connect.ts';
export type { Connected, Era, RunningMcpHttp } from './testing/connect.ts';
export { copyProgram, makeStranger, makeSurroundings, PROGRAM } from './testing/surroundings.ts';
export type { Surroundings } from './testing/surroundings.ts';
export { toolNames } from './testing/tool-names.ts';
export { useSurroundings } from './testing/use-surroundings.ts';
export { callOn, initialize, openWire, runCroft, toolsOn } from './testing/wire.ts';
export type { Ended, RunOptions, Wire, WireMessage } from './testing/wire.ts';
