/** Messages of a page go to the handler for their type; the compiler sees that each type has one. */

interface Typed {
  readonly type: string;
}

export type Handlers<Message extends Typed, Result = unknown, Rest extends unknown[] = []> = {
  readonly [Type in Message['type']]: (message: Extract<Message, { type: Type }>, ...rest: Rest) => Result;
};

/** @param rest what the handlers take beside the message */
export function dispatch<Message extends Typed, Result, Rest extends unknown[]>(
  handlers: Handlers<Message, Result, Rest>,
  message: Message,
  ...rest: Rest
): Result {
  // The table has a handler of this very type; TypeScript does not follow that through the union.
  const handler = handlers[message.type as Message['type']] as (message: Message, ...rest: Rest) => Result;
  return handler(message, ...rest);
}
