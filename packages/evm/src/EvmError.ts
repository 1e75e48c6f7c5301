import { FirnError } from '@firn/codec'

/**
 * - `EVM_MALFORMED`: an answer that isn't of the form that it should be of
 * - `EVM_INCOHERENT`: parts of one block that can't belong together
 */
export type EvmErrorCode = 'EVM_MALFORMED' | 'EVM_INCOHERENT'

/** What a node said of a block and what can't be taken. */
export class EvmError extends FirnError<EvmErrorCode> {
  override readonly name = 'EvmError'
}
