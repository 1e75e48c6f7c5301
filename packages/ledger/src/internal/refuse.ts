import { LedgerError, type LedgerErrorCode } from '../LedgerError.ts'

/** Rejects a block by throwing a LedgerError. */
export function refuse(
  code: LedgerErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): never {
  throw new LedgerError(code, message, { details })
}
