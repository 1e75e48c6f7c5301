import * as Atomic from './Atomic.ts'
import * as Avm from './Avm.ts'
import type { Change } from './Change.ts'
import type { LedgerState } from './LedgerState.ts'
import * as Platform from './Platform.ts'
import type { ChainAlias } from './Records.ts'

const APPLY = { P: Platform.apply, X: Avm.apply, C: Atomic.apply } as const

/**
 * What an accepted block of a chain does to a state, which stays as it is: `LedgerState.commit` makes it so. The blocks of the three
 * chains may come in any order in which what is imported was exported before.
 * @param bytes the block's bytes, without a proposervm container
 * @throws LedgerError; `LEDGER_SHARED_MEMORY` when the chain of `details.source` has to be ahead first; CodecError of malformed
 * bytes; TxsError `TXS_FUNDS`, `TXS_CAPACITY`, `TXS_UNSUPPORTED`, `TXS_OVERFLOW`, `TXS_RLP`, `TXS_EVM_BLOCK`, `TXS_EMPTY`
 */
export function apply(state: LedgerState, chain: ChainAlias, bytes: Uint8Array): Change[] {
  return APPLY[chain](state, bytes)
}
