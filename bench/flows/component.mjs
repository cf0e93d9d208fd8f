/** A component of a bench with one input and one output. `more` is added to the input. */
export const component = (type, effects, run, more = {}) => ({
  descriptor: {
    type,
    label: type,
    description: 'For the bench.',
    category: 'bench',
    fields: [{ name: 'in', label: 'in', kind: 'handle', accepts: ['Any'], ...more }],
    outputs: [{ name: 'out', label: 'out', types: ['Any'] }],
    effects,
  },
  run,
});
