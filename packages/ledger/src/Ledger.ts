import { type ChainAlias, isFirnError } from '@firn/codec'
import * as Atomic from './Atomic.ts'
import * as Avm from './Avm.ts'
import type { Change } from './Change.ts'
import type { LedgerState } from './LedgerState.ts'
import * as Platform from './Platform.ts'
import * as Reads from './Reads.ts'

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
 * more blocks of the chain `details.source` first) or was already imported, and `LEDGER_NOT_FETCHED` if a windowed
 * state lacks a record (see {@link applyFetched}); CodecError if the bytes are malformed; TxsError `TXS_FUNDS`,
 * `TXS_CAPACITY`, `TXS_UNSUPPORTED`, `TXS_OVERFLOW`, `TXS_RLP`, `TXS_EVM_BLOCK`, `TXS_EMPTY`
 */
export function apply(state: LedgerState, chain: ChainAlias, bytes: Uint8Array): Change[] {
  return APPLY[chain](state, bytes)
}

/**
 * Returns the effects of an accepted block on a windowed state, like {@link apply}. If records are not in memory, reads
 * them and applies the block again.
 * @param fetch reads records into the state with `LedgerState.fetch`
 * @example
 * ```ts
 * import { Ledger, LedgerState, type Reads } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * declare const block: Uint8Array // the next accepted block of the P-chain
 * declare const writer: { fetch(reads: readonly Reads.Read[]): Promise<void> } // of @firn/store
 * const changes = await Ledger.applyFetched(state, 'P', block, (reads) => writer.fetch(reads))
 * LedgerState.commit(state, changes)
 * ```
 * @throws LedgerError, CodecError and TxsError as {@link apply}, except `LEDGER_NOT_FETCHED`; what `fetch` throws
 */
export async function applyFetched(
  state: LedgerState,
  chain: ChainAlias,
  bytes: Uint8Array,
  fetch: (reads: readonly Reads.Read[]) => Promise<void>,
): Promise<Change[]> {
  const reads: Reads.Read[] = []
  for (;;) {
    try {
      return apply(state, chain, bytes)
    } catch (error) {
      if (!isFirnError(error) || error.code !== 'LEDGER_NOT_FETCHED') throw error
      if (reads.length === 0) reads.push(...Reads.of(state.rules, chain, bytes))
      const { table, key } = error.details as Pick<Reads.Read, 'table' | 'key'>
      reads.push({ table, key, source: undefined })
      // Reads everything again, because the state may have dropped records in the meantime.
      await fetch(reads)
    }
  }
}
