import { type ChainAlias, isFirnError } from '@firn/codec'
import { TxsError } from '../TxsError.ts'
import * as Signers from './Signers.ts'
import * as Signing from './Signing.ts'

/** What a transaction or a part of it uses: gas, and bytes of the signed transaction. */
export interface Cost {
  readonly gas: bigint
  readonly bytes: bigint
}

/**
 * Maximum size in bytes of a signed transaction in the mempools of the P- and X-chain. Source: avalanchego
 * `vms/txs/mempool` (`MaxTxSize`).
 */
export const MAX_BYTES = 65_536n

/**
 * Gas capacity of the P-chain on Mainnet, Fuji and local networks, which no transaction may exceed. Source: avalanchego
 * `genesis` (`MaxCapacity`).
 */
export const PLATFORM_CAPACITY = 1_000_000n

/** More gas than any transaction uses, for fees that do not depend on gas. */
const NO_LIMIT = 2n ** 64n

/** Limits of the X-chain, whose fees do not depend on gas. */
export const AVM: Cost = { gas: NO_LIMIT, bytes: MAX_BYTES }

/**
 * Limits of the C-chain's mempool for atomic transactions, before Helicon and since then. Since Helicon, a byte costs at
 * least one gas, so the gas also limits the size. Sources: avalanchego `graft/coreth/plugin/evm/atomic/vm`
 * (`maxAtomicTxMempoolGas`, `targetAtomicTxsSize`) and `vms/saevm/cchain/txpool` (`dynamic.MinTarget`).
 */
export const ATOMIC: { readonly beforeHelicon: Cost; readonly helicon: Cost } = {
  beforeHelicon: { gas: 100_000n, bytes: 40_960n },
  helicon: { gas: 1_000_000n, bytes: 1_000_000n },
}

/**
 * Returns the limits of the P-chain at a gas capacity; undefined if the fee is fixed (before Etna).
 * @example
 * ```ts
 * import { Limits } from '@firn/txs'
 *
 * Limits.platform(1_000_000n).bytes // 65536n
 * ```
 */
export function platform(capacity: bigint | undefined): Cost {
  return { gas: capacity ?? NO_LIMIT, bytes: MAX_BYTES }
}

/** Address that stands for each signer when signatures are counted. */
const ANYBODY = new Uint8Array(20)

/**
 * Returns the size in bytes of a transaction with all its signatures.
 * @example
 * ```ts
 * import { Limits, type UnsignedTx } from '@firn/txs'
 *
 * declare const tx: UnsignedTx.UnsignedTx
 * const isAccepted = Limits.signedSize('P', tx) <= Limits.MAX_BYTES
 * ```
 * @throws TxsError `TXS_LIMIT` if the transaction is so large that it cannot be encoded; CodecError for invalid values
 */
export function signedSize<C extends ChainAlias>(chain: C, unsignedTx: Signers.UnsignedTxs[C]): bigint {
  const credentials = Signers.byOne(chain, unsignedTx, ANYBODY)
  try {
    const { length } = Signing.unsignedBytes({ chain, unsignedTx, signers: [], signatures: [] })
    const sizes = credentials.map(({ addresses }) => CREDENTIAL + addresses.length * SIGNATURE)
    return BigInt(sizes.reduce((sum, size) => sum + size, length + COUNT))
  } catch (cause) {
    if (!isFirnError(cause) || cause.code !== 'CODEC_SIZE') throw cause
    throw new TxsError('TXS_LIMIT', `the transaction is too large: ${cause.message}`, { cause })
  }
}

// Sizes of the number of credentials, of the type id and count of a credential, and of a signature.
const [COUNT, CREDENTIAL, SIGNATURE] = [4, 8, 65]

/**
 * Returns the sum of costs.
 * @example
 * ```ts
 * import { Limits } from '@firn/txs'
 *
 * Limits.add({ gas: 1n, bytes: 2n }, { gas: 3n, bytes: 4n }) // { gas: 4n, bytes: 6n }
 * ```
 */
export function add(a: Cost, b: Cost): Cost {
  return { gas: a.gas + b.gas, bytes: a.bytes + b.bytes }
}

/**
 * Returns whether a cost is within a limit.
 * @example
 * ```ts
 * import { Limits } from '@firn/txs'
 *
 * Limits.isWithin({ gas: 100_001n, bytes: 500n }, Limits.ATOMIC.beforeHelicon) // false
 * ```
 */
export function isWithin(cost: Cost, limit: Cost): boolean {
  return cost.gas <= limit.gas && cost.bytes <= limit.bytes
}

/**
 * Checks that nodes accept a transaction of this cost.
 * @example
 * ```ts
 * import { Limits } from '@firn/txs'
 *
 * Limits.assertWithin({ gas: 0n, bytes: 500n }, Limits.AVM)
 * ```
 * @throws TxsError `TXS_LIMIT`
 */
export function assertWithin(cost: Cost, limit: Cost): void {
  if (isWithin(cost, limit)) return
  throw new TxsError('TXS_LIMIT', `${excess(cost, limit)}; make it smaller`, { details: { cost, limit } })
}

/**
 * Returns the words for a cost that exceeds a limit.
 * @example
 * ```ts
 * import { Limits } from '@firn/txs'
 *
 * Limits.excess({ gas: 0n, bytes: 70_000n }, Limits.AVM)
 * // 'the transaction has 70000 bytes, but nodes accept at most 65536'
 * ```
 */
export function excess(cost: Cost, limit: Cost): string {
  return cost.gas > limit.gas
    ? `the transaction needs ${cost.gas} gas, but nodes accept at most ${limit.gas}`
    : `the transaction has ${cost.bytes} bytes, but nodes accept at most ${limit.bytes}`
}
