/** Each message names the field, and what it must be. */
import assert from 'node:assert/strict';
import * as z from 'zod';
import { inputProblems } from '../../../src/tools/kit/inputProblems.ts';
import { raiseQuestion } from '../../../src/tools/question/asking.ts';

const input = z.strictObject({
  text: z.string().min(1).max(20_000),
  urgency: z.enum(['low', 'high', 'critical']).optional(),
  seconds: z.number().int().min(0).max(50).optional(),
  isOpen: z.boolean().optional(),
  choices: z
    .array(z.strictObject({ label: z.string().min(2) }))
    .min(1)
    .max(2)
    .optional(),
  id: z
    .string()
    .regex(/^Q-\d+$/, 'must be an id such as Q-12')
    .optional(),
});

function problems(raw: unknown): string {
  const { error } = input.safeParse(raw);
  assert.ok(error);
  return inputProblems(error, { fields: Object.keys(input.shape) }, raw);
}

describe('problems with the input of a tool', () => {
  const text = 'JWT?';
  const known = 'The inputs are text, urgency, seconds, isOpen, choices and id.';
  for (const [raw, says] of [
    [{}, 'text is missing: give a string.'],
    [{ text: '' }, 'text is empty.'],
    [{ text: 5 }, 'text must be a string, not a number.'],
    [{ text: null }, 'text must be a string, not null.'],
    [{ text: 'x'.repeat(20_001) }, 'text must have at most 20,000 characters.'],
    [{ text, urgency: 'urgent' }, 'urgency must be low, high or critical.'],
    [{ text, seconds: 51 }, 'seconds must be at most 50.'],
    [{ text, seconds: -1 }, 'seconds must be at least 0.'],
    [{ text, seconds: 1.5 }, 'seconds must be a whole number.'],
    [{ text, isOpen: 'yes' }, 'isOpen must be true or false, not a string.'],
    [{ text, choices: 'A' }, 'choices must be an array, not a string.'],
    [{ text, choices: ['A'] }, 'choices[0] must be an object, not a string.'],
    [{ text, choices: [] }, 'choices must have at least 1 entry.'],
    [{ text, choices: [1, 2, 3].map(() => ({ label: 'AB' })) }, 'choices must have at most 2 entries.'],
    [{ text, choices: [{ label: 'A' }] }, 'choices[0].label must have at least 2 characters.'],
    [{ text, choices: [{ label: 'AB', more: 1 }] }, 'choices[0] must not have "more".'],
    [{ text, id: '12' }, 'id: must be an id such as Q-12.'],
    [{ question: text }, `text is missing: give a string. There is no input "question". ${known}`],
    [{ text, a: 1, b: 2 }, `There is no input "a" and "b". ${known}`],
    ['text', 'The input must be an object, not a string.'],
  ] as const)
    it(`says: ${says}`, () => {
      assert.equal(problems(raw), says);
    });

  it('are at most five, and how many more there are', () => {
    const many = { text: 1, urgency: 1, seconds: 'x', isOpen: 1, choices: 1, id: 1, more: 1 };
    assert.match(problems(many), /^(?:[^.]+\. ){5}And 2 more\.$/);
  });

  it('name the inputs of a real tool', () => {
    const raw = { question: 'JWT?' };
    const { error } = raiseQuestion.input.safeParse(raw);
    assert.ok(error);
    assert.match(
      inputProblems(error, { fields: Object.keys(raiseQuestion.input.shape) }, raw),
      /^text is missing: give a string\. There is no input "question"\. The inputs are text, type, urgency, /,
    );
  });
});
