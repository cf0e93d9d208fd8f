declare const CROFT_VERSION: string | undefined;

/** The version of this installation. The bundler sets it. */
export const version: string = typeof CROFT_VERSION === 'string' ? CROFT_VERSION : '0.0.0-dev';
