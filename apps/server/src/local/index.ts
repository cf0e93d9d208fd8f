// The public surface, listed by hand: an export added here becomes API.
export { startServer } from './start-server.ts';
export type { RunningServer, StartOptions } from './start-server.ts';
export { loadOrCreateToken, makeToken } from './token-file.ts';
export { isLoopback } from './local-only.ts';
export { clientConfigs } from './pages/client-configs.ts';
export type { Overview } from './pages/home.ts';
