// The public surface, listed by hand: an export added here becomes API.
export { isLoopback } from './local/local-only.ts';
