import { type ChainAlias, Id } from '@firn/codec'
import { AtomicBatch, AtomicTx, AvmBlock, AvmTx, EvmBlock, PlatformBlock, PlatformTx } from '@firn/txs'
import type { LedgerState } from '../LedgerState.ts'
import * as Verify from '../Verify.ts'

/** The signed transactions of a block and its time. */
interface Signed {
  readonly time: bigint
  readonly txs: readonly Uint8Array[]
}

/**
 * Checks that a block's signed transactions would have been issued in the state before the block, signatures included.
 * Returns the number of transactions checked. For tests only.
 */
export function assertSigned(state: LedgerState, chain: ChainAlias, bytes: Uint8Array): number {
  const { time, txs } = SIGNED[chain](bytes)
  for (const tx of txs) {
    const refusal = Verify.refusal(state, chain, tx, time)
    if (refusal !== undefined)
      throw new Error(`${chain} ${Id.format(Id.hash(tx))}: ${refusal.step}`, { cause: refusal.error })
  }
  return txs.length
}

const SIGNED: Readonly<Record<ChainAlias, (bytes: Uint8Array) => Signed>> = {
  P(bytes) {
    const block = PlatformBlock.decode(bytes)
    const signed = PlatformBlock.transactions(block).filter(({ credentials }) => credentials.length > 0)
    return { time: 'time' in block ? block.time : 0n, txs: signed.map((tx) => PlatformTx.encode(tx)) }
  },
  X(bytes) {
    const { time, txs } = AvmBlock.decode(bytes)
    return { time, txs: txs.map((tx) => AvmTx.encode(tx)) }
  },
  C(bytes) {
    const block = EvmBlock.decode(bytes)
    const txs = AtomicBatch.of(block, 0n).map((tx) => AtomicTx.encode(tx))
    return { time: block.header.timestamp, txs }
  },
}
