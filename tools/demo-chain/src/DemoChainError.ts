import { FirnError } from '@firn/codec'

/**
 * - `DEMO_CHAIN_START`: the local EVM can't be run on this machine, or didn't come up
 * - `DEMO_CHAIN_CALL`: the EVM refused what the demo asked of it
 */
export type DemoChainErrorCode = 'DEMO_CHAIN_START' | 'DEMO_CHAIN_CALL'

/** Thrown by everything in this package. */
export class DemoChainError extends FirnError<DemoChainErrorCode> {
  override readonly name = 'DemoChainError'
}
