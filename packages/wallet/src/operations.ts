import { CONTRACT_OPERATIONS } from './contractOperations.ts'
import { EXCHANGE_OPERATIONS } from './exchangeOperations.ts'
import { PLATFORM_OPERATIONS } from './platformOperations.ts'

/** The operations of each chain: the functions of a wallet and the commands of `firn tx` are derived from them. */
export const OPERATIONS = { P: PLATFORM_OPERATIONS, X: EXCHANGE_OPERATIONS, C: CONTRACT_OPERATIONS }
