/** Texts of parked questions: in the form, and the limits in the policy. */
export const englishParking = {
  'parked.head': '{agent} parked this {time}: it ended its turn. Your answer reaches it when it starts again.',
  'parked.brief': 'Resume brief',
  'parked.doing': 'Was doing',
  'parked.next': 'Next',
  'parked.files': 'Files',
  'parked.checkFirst': 'Check first',
  'resume.willStart': 'Answering starts it again in a terminal:',
  'resume.canStart': 'After answering, you can start it again in a terminal:',
  'resume.now': 'You can start it again in a terminal:',
  'resume.start': 'Resume the Agent',
  'resume.again': 'Resume Again',
  'resume.chat': 'Open a Chat',
  'resume.chatHint': 'The chat opens with a prompt. Nothing is sent until you send it.',
  'resume.show': 'Show Terminal',
  'resume.started': 'Started {time} in the terminal {name}:',
  'resume.running': '{agent} is still running, so it is not started again. It gets your answer with its next prompt.',
  'resume.missing':
    '{program} is not on the PATH, so {agent} cannot be started from here. Its next session gets your answer.',
  'resume.elsewhere': '{agent} was not parked in this folder. Its next session gets your answer.',
  'policy.resuming': 'When you answer, restart these parked agents',
  'policy.resumingHint':
    'Off: the form offers a button instead. On: the window starts the program in a terminal, in the folder of its session, with your account, as the form shows before you answer.',
  'policy.resumeClaude': 'Claude Code (claude --resume)',
  'policy.resumeCodex': 'Codex (codex resume)',
  'policy.resumeCopilot': 'Copilot CLI (copilot --resume)',
  'policy.resumeOpencode': 'opencode (opencode run --session)',
  'policy.resumingNone': 'None',
  'policy.parking': 'Agents that pay for waiting park after',
  'policy.parkingHint':
    'Claude Code, Codex and opencode pay for their whole context again once its cache has expired. After this time they are asked to leave a resume brief and end their turn. Everything stays held. Leave a field empty to let them wait.',
} as const;
