import { FirnError } from '@firn/codec'

/**
 * Error codes of this package:
 * - `EVM_MALFORMED`: an answer does not have the expected form
 * - `EVM_INCOHERENT`: parts of one block contradict each other
 */
export type EvmErrorCode = 'EVM_MALFORMED' | 'EVM_INCOHERENT'

/** Thrown if a node's answer about a block cannot be used. */
export class EvmError extends FirnError<EvmErrorCode> {
  override readonly name = 'EvmError'
}
