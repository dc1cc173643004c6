/** Texts of asking the agent back in the form of a question. */
export const englishAskBack = {
  'askBack.link': 'Ask the agent…',
  'askBack.title': 'Ask the agent',
  'askBack.effect': 'Everything stays held. The reply of {agent} comes here, and you are notified.',
  'askBack.text': 'Your question to the agent',
  'askBack.send': 'Ask the Agent',
  'askBack.missing': 'Write your question first.',
  'thread.label': 'What you asked the agent',
  'thread.earlier.one': '{n} earlier question and reply',
  'thread.earlier.other': '{n} earlier questions and replies',
  'thread.asked': '{name} asked the agent {time}',
  'thread.replied': '{name} replied {time}',
  'thread.new': 'New',
  'thread.waiting': 'Waiting for the reply of {agent}. You can answer anyway.',
} as const;
