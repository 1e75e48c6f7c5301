import { FirnError } from '@firn/codec'

/**
 * - `DEMO_CHAIN_START`: the local EVM cannot run on this machine, or did not start.
 * - `DEMO_CHAIN_CALL`: the local EVM rejected a request.
 */
export type DemoChainErrorCode = 'DEMO_CHAIN_START' | 'DEMO_CHAIN_CALL'

/** Base class of all errors of this package. */
export class DemoChainError extends FirnError<DemoChainErrorCode> {
  override readonly name = 'DemoChainError'
}
