/** What a request carries, checked against the schema that the OpenAPI document shows. */
import type { Context } from 'hono';
import type * as z from 'zod';
import { jsonOrNull } from '../../core/kit/json.ts';
import { inputProblems } from '../../tools/kit/inputProblems.ts';
import { problem } from '../security/problem.ts';

type Input<T> = { readonly value: T } | { readonly refusal: Response };

/** The body; 422 says what is wrong with it. */
export async function bodyOf<T>(context: Context, schema: z.ZodType<T>): Promise<Input<T>> {
  return checked(context, schema, jsonOrNull(await context.req.text()));
}

/** The query; 422 says what is wrong with it. */
export function queryOf<T>(context: Context, schema: z.ZodType<T>): Input<T> {
  return checked(context, schema, context.req.query());
}

function checked<T>(context: Context, schema: z.ZodType<T>, given: unknown): Input<T> {
  const { data, error, success } = schema.safeParse(given);
  if (success) return { value: data };
  const errors = error.issues.slice(0, 10).map(({ path, message }) => ({ path: path.join('.'), message }));
  const fields = 'shape' in schema ? Object.keys((schema as unknown as z.ZodObject).shape) : [];
  const refusal = problem(context, {
    ...{ status: 422, code: 'bad_input', error: 'The input cannot be accepted' },
    detail: `Nothing was done. ${inputProblems(error, fields, given)}`,
    more: { errors },
  });
  return { refusal };
}
