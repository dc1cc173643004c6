import type { Context } from 'hono';
import type * as z from 'zod';

/** The body if it has the shape, else null. */
export async function jsonOf<T>(context: Context, schema: z.ZodType<T>): Promise<T | null> {
  try {
    return schema.safeParse(await context.req.json()).data ?? null;
  } catch {
    return null;
  }
}
