/** The signed policy's fence: while files are held, they are read-only. It stops programs by accident, not on purpose. */
import * as z from 'zod';

/** Required before the first policy with a fence: an earlier program would drop it, and fail to verify the signature. */
export const fenceFormat = 13;

export const fence = () => z.strictObject({ heldFiles: z.boolean() });
