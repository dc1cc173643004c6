/** Texts of parked questions: in the form, and the limits in the policy. */
export const englishParking = {
  'parked.head': '{agent} parked this {time}: it ended its turn. Your answer reaches it when it starts again.',
  'parked.brief': 'Resume brief',
  'parked.doing': 'Was doing',
  'parked.next': 'Next',
  'parked.files': 'Files',
  'parked.checkFirst': 'Check first',
  'policy.parking': 'Agents that pay for waiting stop waiting after',
  'policy.parkingHint':
    'Claude Code, Codex and opencode pay for their whole context again once its cache has expired. After this time they are asked to leave a resume brief and end their turn. Everything stays held. Leave a field empty to let them wait.',
} as const;
