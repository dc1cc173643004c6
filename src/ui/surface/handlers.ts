/** Dispatches a page's messages by type; the compiler checks that each type has a handler. */

interface Typed {
  readonly type: string;
}

export type Handlers<Message extends Typed, Result = unknown, Rest extends unknown[] = []> = {
  readonly [Type in Message['type']]: (message: Extract<Message, { type: Type }>, ...rest: Rest) => Result;
};

/** @param rest further arguments of the handlers */
export function dispatch<Message extends Typed, Result, Rest extends unknown[]>(
  handlers: Handlers<Message, Result, Rest>,
  message: Message,
  ...rest: Rest
): Result {
  // The table has a handler of exactly this type, which TypeScript does not infer through the union.
  const handler = handlers[message.type as Message['type']] as (message: Message, ...rest: Rest) => Result;
  return handler(message, ...rest);
}
