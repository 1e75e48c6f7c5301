import { FirnError } from '@firn/codec'

/**
 * - `DEMO_CHAIN_START`: the local EVM cannot run on this machine, or did not start
 * - `DEMO_CHAIN_CALL`: the EVM rejected a request of the demo
 */
export type DemoChainErrorCode = 'DEMO_CHAIN_START' | 'DEMO_CHAIN_CALL'

/** Thrown by everything in this package. */
export class DemoChainError extends FirnError<DemoChainErrorCode> {
  override readonly name = 'DemoChainError'
}
