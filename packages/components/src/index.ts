export { BUILTIN, builtinRegistry } from './builtin.ts';
export { ComponentError, type CroftComponent, type Services } from './services.ts';
