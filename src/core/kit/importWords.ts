/** What can be imported, and what imported history consists of. */

/** Supported programs and formats. */
export const importSources = ['codeframe', 'engram', 'markdown', 'json'] as const;

export const historyKinds = ['question', 'rfc', 'work', 'request', 'responsibility', 'event', 'decision'] as const;
