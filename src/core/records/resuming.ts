/** Programs of hosts that can continue with a session after a human has answered, each with its policy. */
import * as z from 'zod';

export const resumableHost = z.enum(['claude-code', 'codex', 'copilot-cli', 'opencode']);
export type ResumableHost = z.infer<typeof resumableHost>;

/** Hosts whose sessions an answer starts again by itself. */
export const resuming = () => z.strictObject({ hosts: z.array(resumableHost).max(resumableHost.options.length) });
