/** The part of the policy that says when questions notify a human. */
export const englishInterruptions = {
  'policy.interruptions': 'New questions notify me',
  'policy.how.now': 'immediately',
  'policy.how.digest': 'in a digest',
  'policy.how.silent': 'only in the list',
  'policy.interruptionsHint':
    'A digest is one notification for everything since the last digest. This changes notifications and reminders only: whatever you choose, questions hold their work, and the list shows them.',
  'policy.digest': 'A digest comes at most every',
  'policy.digestWrong': 'Enter a whole number of minutes from 1 to 1,440 (a day).',
  'policy.perHour': 'Maximum notifications per agent per hour',
  'policy.perHourHint': 'Any further questions wait for the digest, except critical ones. Leave empty for no limit.',
  'policy.perHourWrong': 'Enter a whole number up to 1,000, or leave it empty.',
  'policy.noLimit': 'no limit',
  'policy.agents': 'Exceptions for agents',
  'policy.agentsExample': 'for example build-bot low: silent',
  'policy.agentsHint':
    'One per line: the agent’s ID (or its type, for all agents of that type), urgencies if not for all, then now, digest or silent. Critical questions only follow a line that names “critical”. The first line that matches is used.',
  'policy.agentsMany': '{n} lines; the limit is {max}.',
  'policy.agentsNone': 'none',
} as const;
