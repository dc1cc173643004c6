/** What a request carries, checked against the schema that the OpenAPI document shows. */
import type { Context } from 'hono';
import type * as z from 'zod';
import { jsonOrNull } from '../../core/kit/json.ts';
import { inputProblems, problemsByField } from '../../tools/kit/inputProblems.ts';
import { problem } from '../security/problem.ts';

type Input<T> = { readonly value: T } | { readonly refusal: Response };

/** The body: 400 for what is not JSON, and 422 says what is wrong with what is. */
export async function bodyOf<T>(context: Context, schema: z.ZodType<T>): Promise<Input<T>> {
  const text = await context.req.text();
  const given = jsonOrNull(text);
  if (given !== null || text.trim() === 'null') return checked(context, schema, given);
  const refusal = problem(context, {
    ...{ status: 400, code: 'not_json', error: 'The body is not JSON' },
    detail: 'Nothing was done. The body must be one JSON object.',
  });
  return { refusal };
}

/** The query; 422 says what is wrong with it. */
export function queryOf<T>(context: Context, schema: z.ZodType<T>): Input<T> {
  return checked(context, schema, context.req.query());
}

function checked<T>(context: Context, schema: z.ZodType<T>, given: unknown): Input<T> {
  const { data, error, success } = schema.safeParse(given);
  if (success) return { value: data };
  const fields = 'shape' in schema ? Object.keys((schema as unknown as z.ZodObject).shape) : [];
  const refusal = problem(context, {
    ...{ status: 422, code: 'bad_input', error: 'The input cannot be accepted' },
    detail: `Nothing was done. ${inputProblems(error, { fields }, given)}`,
    more: { errors: problemsByField(error, { fields }, given) },
  });
  return { refusal };
}
