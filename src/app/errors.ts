/** What a use case can refuse. The reason is a code; the message says what was wrong and what to do. */
export type AppErrorCode = 'bad_input' | 'not_found' | 'conflict' | 'denied';

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: AppErrorCode;
  constructor(code: AppErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
