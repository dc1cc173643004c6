/** An image of the workspace that a human asked to see in a review. */
import * as z from 'zod';
import { limits } from '../../core/kit/words.ts';
import { sentence } from '../kit/shared.ts';

export const imageBytes = 4 * 1024 * 1024;

export const imagePath = z.string().min(1).max(limits.path);

/** The image as data, or why there is none. */
export const rfcImage = z.strictObject({
  path: imagePath,
  data: z
    .string()
    .max(Math.ceil(imageBytes / 3) * 4 + 100)
    .regex(/^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/)
    .optional(),
  problem: sentence.optional(),
});
export type RfcImage = z.infer<typeof rfcImage>;

const signatures: readonly (readonly [type: string, signature: RegExp])[] = [
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF.{4}WEBP/s],
];

/** From a file's first bytes, as Latin-1: its name proves nothing. */
export function imageType(start: string): string | undefined {
  return signatures.find(([, signature]) => signature.test(start))?.[0];
}
