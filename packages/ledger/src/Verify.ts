/**
 * Checks of transactions that are to be issued. They need signatures and BLS keys, so they are a separate entry point.
 *
 * @packageDocumentation
 */
import { type ChainAlias, type FirnError, isFirnError } from '@firn/codec'
import { hasSwitched } from './internal/hasSwitched.ts'
import { type OtherStep, verifyAtomic, verifyAvm } from './internal/verifyOthers.ts'
import { type PlatformStep, verifyPlatform } from './internal/verifyPlatform.ts'
import type { LedgerState } from './LedgerState.ts'
import * as Reads from './Reads.ts'

/**
 * The part of the checks that refused a transaction.
 * - `parse`: the bytes are not a transaction.
 * - `complexity`, `capacity`: the type has no fee, or the chain has too little gas for it now (P-chain).
 * - `limits`: the mempool of the C-chain accepts only less gas or fewer bytes.
 * - `rules`: the transaction itself, its type at this time, or a rule for stakers and subnets.
 * - `permission`: the authorization to change a subnet or validator (P-chain).
 * - `spend`, `transfer`: the inputs and the fee as a whole, one of the inputs.
 * - `imported`: an input that another chain exported (C-chain).
 * - `credentials`: a UTXO or a signature (X-chain), a signature (C-chain).
 * - `effect`: the change that the transaction would make.
 */
export type Step = PlatformStep | OtherStep

/** The reason for which validators would not accept a transaction. */
export interface Refusal {
  readonly step: Step
  /** A LedgerError, TxsError, CodecError, KeysError or WarpError. */
  readonly error: FirnError
  /** Whether nodes use the C-chain implementation since Helicon, which reports errors in other words. */
  readonly isHelicon: boolean
}

const VERIFY = { P: verifyPlatform, X: verifyAvm, C: verifyAtomic } as const

/**
 * Checks a signed transaction that is not accepted yet against the state after the last block, in the node's order:
 * syntax, the rules at this time, signatures, UTXOs, the fee at the current price, and effects. Returns undefined for a
 * valid one. Not checked are signatures of Warp messages, amounts and periods of stakers on networks other than mainnet and
 * fuji, which configure them, imported inputs whose chain the ledger does not follow, and, on the C-chain, balances, nonces
 * and the current price.
 * @param now the clock's time in Unix seconds
 * @example
 * ```ts
 * import type { LedgerState } from '@firn/ledger'
 * import * as Verify from '@firn/ledger/Verify'
 *
 * declare const state: LedgerState.LedgerState
 * declare const bytes: Uint8Array // a signed transaction of the P-chain
 * const refusal = Verify.refusal(state, 'P', bytes, BigInt(Math.floor(Date.now() / 1000)))
 * if (refusal !== undefined) console.log(refusal.step, refusal.error.code)
 * ```
 * @throws LedgerError `LEDGER_NOT_FETCHED` if a windowed state lacks a record (see {@link refusalFetched})
 */
export function refusal(
  state: LedgerState,
  chain: ChainAlias,
  bytes: Uint8Array,
  now: bigint,
): Refusal | undefined {
  let step: Step = 'parse'
  const enter = (next: Step) => {
    step = next
  }
  try {
    VERIFY[chain](state, bytes, now, enter)
    return undefined
  } catch (error) {
    if (!isFirnError(error) || error.code === 'LEDGER_NOT_FETCHED') throw error
    return { step, error, isHelicon: hasSwitched(state) }
  }
}

/**
 * Checks a transaction against a windowed state, like {@link refusal}. Reads the records that are not in memory.
 * @param fetch reads records into the state with `LedgerState.fetch`
 * @example
 * ```ts
 * import type { LedgerState, Reads } from '@firn/ledger'
 * import * as Verify from '@firn/ledger/Verify'
 *
 * declare const state: LedgerState.LedgerState
 * declare const bytes: Uint8Array // a signed transaction of the X-chain
 * declare const writer: { fetch(reads: readonly Reads.Read[]): Promise<void> } // of @firn/store
 * const now = BigInt(Math.floor(Date.now() / 1000))
 * const refusal = await Verify.refusalFetched(state, 'X', bytes, now, (reads) => writer.fetch(reads))
 * ```
 * @throws what `fetch` throws
 */
export async function refusalFetched(
  state: LedgerState,
  chain: ChainAlias,
  bytes: Uint8Array,
  now: bigint,
  fetch: (reads: readonly Reads.Read[]) => Promise<void>,
): Promise<Refusal | undefined> {
  const reads = new Map<string, Reads.Read>()
  for (;;) {
    try {
      return refusal(state, chain, bytes, now)
    } catch (error) {
      if (!isFirnError(error) || error.code !== 'LEDGER_NOT_FETCHED') throw error
      const { table, key } = error.details as Pick<Reads.Read, 'table' | 'key'>
      // A read that names no chain also learns that the record is absent, as invalid transactions have such inputs.
      const all = [
        { table, key },
        ...(reads.size === 0 ? Reads.ofTransaction(state.rules, chain, bytes) : []),
      ]
      for (const { table, key } of all) reads.set(`${table} ${key}`, { table, key, source: undefined })
      await fetch([...reads.values()])
    }
  }
}
