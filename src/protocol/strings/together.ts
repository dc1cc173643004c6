/** Texts of questions of the same shape that one act answers. */
export const englishTogether = {
  'together.link.one': '{n} more like this: answer both…',
  'together.link.other': '{n} more like this: answer together…',
  'together.title': 'Answer together',
  'together.about':
    'These questions differ only where the text is bold. One signature gives your answer to each selected question. The others stay open.',
  'together.answer': 'Your answer',
  'together.send.one': 'Answer {n} question',
  'together.send.other': 'Answer {n} questions',
  'together.sendAs.one': 'Answer {n} question “{choice}”',
  'together.sendAs.other': 'Answer {n} questions “{choice}”',
  'done.with': 'The same signature answered {ids}.',
} as const;
