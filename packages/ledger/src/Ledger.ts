import type { ChainAlias } from '@firn/codec'
import * as Atomic from './Atomic.ts'
import * as Avm from './Avm.ts'
import type { Change } from './Change.ts'
import type { LedgerState } from './LedgerState.ts'
import * as Platform from './Platform.ts'

const APPLY = { P: Platform.apply, X: Avm.apply, C: Atomic.apply } as const

/**
 * Returns the effects of an accepted block on a state. Does not change the state; `LedgerState.commit`
 * applies the effects. Blocks of the three chains may be applied in any order in which exports precede their
 * imports.
 * @param bytes the block's bytes, without a proposervm container
 * @example
 * ```ts
 * import { Ledger, LedgerState } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * declare const block: Uint8Array // the next accepted block of the P-chain
 * const changes = Ledger.apply(state, 'P', block)
 * LedgerState.commit(state, changes)
 * ```
 * @throws LedgerError, in particular `LEDGER_SHARED_MEMORY` if an imported output was not exported yet (apply
 * more blocks of the chain `details.source` first) or was already imported; CodecError if the bytes are
 * malformed; TxsError `TXS_FUNDS`, `TXS_CAPACITY`, `TXS_UNSUPPORTED`, `TXS_OVERFLOW`, `TXS_RLP`,
 * `TXS_EVM_BLOCK`, `TXS_EMPTY`
 */
export function apply(state: LedgerState, chain: ChainAlias, bytes: Uint8Array): Change[] {
  return APPLY[chain](state, bytes)
}
