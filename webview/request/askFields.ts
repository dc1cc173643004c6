/** The fields of the form for a new request, by the names their drafts are kept under. */
export const askFields = [
  'kind',
  'origin',
  'target',
  'subject',
  'summary',
  'bundles',
  'objectives',
  'ingestion',
  'suggested',
  'links',
  'tags',
  'priority',
  'available',
  'due',
  'respond',
  'finish',
] as const;
export type AskField = (typeof askFields)[number];
