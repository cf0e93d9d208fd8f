import fc from 'fast-check';

// The same values in every run; `CROFT_SEED=<number> npm test -- PATTERN` tries others.
fc.configureGlobal({ seed: Number(process.env.CROFT_SEED ?? 1) });

export * from 'fast-check';
export default fc;
