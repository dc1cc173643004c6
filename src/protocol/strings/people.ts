/** Whom a question is for, and decisions that take several people. */
export const englishPeople = {
  'context.for': 'For',
  'people.same': 'Use this answer',
  'people.label': 'People who must decide',
  'people.mine': '(you)',
} as const;
