import { CONTRACT_OPERATIONS } from './contractOperations.ts'
import { EXCHANGE_OPERATIONS } from './exchangeOperations.ts'
import { PLATFORM_OPERATIONS } from './platformOperations.ts'

/**
 * The operations of each chain: the functions of a wallet and the commands of `firn tx` are derived from them. The type is
 * written, because declaration files repeat an inferred one without the docstrings that editors show.
 */
export const OPERATIONS: {
  readonly P: typeof PLATFORM_OPERATIONS
  readonly X: typeof EXCHANGE_OPERATIONS
  readonly C: typeof CONTRACT_OPERATIONS
} = { P: PLATFORM_OPERATIONS, X: EXCHANGE_OPERATIONS, C: CONTRACT_OPERATIONS }
