import type { ChainAlias } from '@firn/codec'

/** One problem found in a database. */
export interface Finding {
  readonly chain: ChainAlias | undefined
  /** Stable name of the check that found the problem. */
  readonly check:
    | 'gap'
    | 'cursor'
    | 'block'
    | 'parent'
    | 'digest'
    | 'transactions'
    | 'source'
    | 'state'
    | 'supply'
    | 'validators'
    | 'balance'
    | 'utxos'
  /** The affected height, or the first height of an affected range; undefined if no height is affected. */
  readonly height: bigint | undefined
  readonly message: string
}
