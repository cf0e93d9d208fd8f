// The scenarios of the conformance suite that are run, their targets, and why the others cannot be run.

export const STABLE = '0.1.16';
export const NEXT = '0.2.0-alpha.12';

/** `croft`: the program itself. `fixture`: @croft/mcp with the tools that the suite calls by name. */
export const SCENARIOS = [
  { suite: STABLE, against: 'croft', scenario: 'server-initialize' },
  { suite: STABLE, against: 'croft', scenario: 'ping' },
  { suite: STABLE, against: 'croft', scenario: 'tools-list' },
  { suite: STABLE, against: 'croft', scenario: 'dns-rebinding-protection' },
  { suite: STABLE, against: 'croft', scenario: 'server-sse-multiple-streams' },
  { suite: STABLE, against: 'fixture', scenario: 'tools-call-simple-text' },
  { suite: STABLE, against: 'fixture', scenario: 'tools-call-error' },
  { suite: STABLE, against: 'fixture', scenario: 'tools-call-image' },
  { suite: STABLE, against: 'fixture', scenario: 'tools-call-audio' },
  { suite: STABLE, against: 'fixture', scenario: 'tools-call-embedded-resource' },
  { suite: STABLE, against: 'fixture', scenario: 'tools-call-mixed-content' },
  { suite: STABLE, against: 'fixture', scenario: 'tools-call-with-progress' },
  { suite: STABLE, against: 'fixture', scenario: 'json-schema-2020-12' },
  { suite: NEXT, against: 'croft', scenario: 'http-header-validation' },
  { suite: NEXT, against: 'croft', scenario: 'dns-rebinding-protection' },
  { suite: NEXT, against: 'croft', scenario: 'tools-list' },
  { suite: NEXT, against: 'croft', scenario: 'server-sse-multiple-streams' },
  { suite: NEXT, against: 'fixture', scenario: 'tools-call-simple-text' },
  { suite: NEXT, against: 'fixture', scenario: 'tools-call-error' },
  { suite: NEXT, against: 'fixture', scenario: 'tools-call-with-progress' },
  { suite: NEXT, against: 'croft', scenario: 'server-stateless' },
  { suite: NEXT, against: 'croft', scenario: 'caching' },
];

/** Checks that cannot pass, by scenario and the id of the check, with the reason. */
export const CANNOT_PASS = {
  'server-stateless': {
    'sep-2575-server-rejects-undeclared-capability':
      'needs a tool that requires the client to offer sampling; no tool of Croft does',
    'sep-2575-missing-capability-http-400':
      'needs a tool that requires the client to offer sampling; no tool of Croft does',
  },
  caching: {
    'sep-2549-prompts-list-caching-hints': 'Croft offers tools only; prompts/list is an unknown method',
    'sep-2549-resources-list-caching-hints': 'Croft offers tools only; resources/list is an unknown method',
    'sep-2549-resources-templates-list-caching-hints':
      'Croft offers tools only; resources/templates/list is an unknown method',
  },
};

/** Scenarios that do not run. */
export const NOT_RUN = [
  {
    what: 'resources-*, prompts-*, completion-complete, sep-2164-resource-not-found',
    why: 'Croft offers tools only; it declares neither resources nor prompts nor completions.',
  },
  {
    what: 'logging-set-level, tools-call-with-logging',
    why: 'The protocol has deprecated logging; what an operator needs goes to standard error and the activity log.',
  },
  {
    what: 'tools-call-sampling, tools-call-elicitation, elicitation-sep*, input-required-result-*',
    why: 'They call fixture tools with questions of their own. Croft asks one question (--confirm), which its own tests drive with real clients in both eras.',
  },
  {
    what: 'server-sse-polling, server-session-lifecycle',
    why: 'Croft keeps no sessions, as 2026-07-28 has none: the session id it gives only leads a cancellation to its call, and there is no stream to come back to.',
  },
  { what: 'http-custom-header-server-validation, tasks-*, sep-2640-*', why: 'Extensions Croft does not offer.' },
];
