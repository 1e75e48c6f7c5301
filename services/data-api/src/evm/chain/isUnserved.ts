import { type FirnError, isFirnError } from '@firn/codec'

/** Codes of the errors for a chain whose blocks are stored but not served. Their messages say why. */
const CODES = ['STORE_HALTED', 'STORE_UNINDEXED']

/** Returns whether an error means that an EVM chain is stored but not served. */
export function isUnserved(error: unknown): error is FirnError {
  return isFirnError(error) && CODES.includes(error.code)
}
