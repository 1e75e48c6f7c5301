import { LedgerError, type LedgerErrorCode } from '../LedgerError.ts'

/** Rejects a block: `message` says what was expected and what was found. */
export function refuse(
  code: LedgerErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): never {
  throw new LedgerError(code, message, { details })
}
