/** Codes of {@link ConsoleError}. */
export type ConsoleErrorCode = 'CONSOLE_SERVICE' | 'CONSOLE_API' | 'CONSOLE_INPUT' | 'CONSOLE_SIGN_IN'

/** An error of the console. Its message says what to do. */
export class ConsoleError extends Error {
  readonly code: ConsoleErrorCode

  constructor(code: ConsoleErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ConsoleError'
    this.code = code
  }
}
