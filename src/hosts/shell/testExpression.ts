/** `[[ … ]]` of a script. */
import type * as shell from 'unbash';
import { expand } from './expand.ts';
import type { Scope } from './expand.ts';

/** Expands what `[[ … ]]` compares, and refuses what evaluates a variable. */
export function testExpression(expression: shell.TestExpression, scope: Scope): void {
  switch (expression.type) {
    case 'TestUnary':
      if (expression.operator === '-v' || expression.operator === '-R')
        scope.evaluates('[[ -v', expression.operand.text);
      expand(expression.operand, scope);
      return;
    case 'TestBinary': {
      const sides = [expression.left, expression.right].flatMap((side) => expand(side, scope));
      // These evaluate variables as expressions.
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator) && !sides.every(({ text }) => /^-?\d+$/.test(text)))
        scope.evaluates('[[ with arithmetic', `${expression.left.text} ${expression.right.text}`);
      return;
    }
    case 'TestLogical':
      for (const each of expression.operands) testExpression(each, scope);
      return;
    case 'TestNot':
      testExpression(expression.operand, scope);
      return;
    case 'TestGroup':
      testExpression(expression.expression, scope);
  }
}
