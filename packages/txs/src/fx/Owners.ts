import { Bytes } from '@firn/codec'
import { TxsError } from '../TxsError.ts'
import type * as Secp256k1 from './Secp256k1.ts'

/**
 * Checks that the threshold can be met and that the owners are in canonical form: the addresses are sorted and
 * unique, and there are none if the threshold is 0.
 * @example
 * ```ts
 * import { Owners } from '@firn/txs'
 *
 * Owners.assertValid({ threshold: 1, addresses: [new Uint8Array(20).fill(1)] })
 * ```
 * @throws TxsError `TXS_OUTPUT_UNSPENDABLE`, `TXS_OUTPUT_UNOPTIMIZED`, `TXS_ADDRESSES_ORDER`
 */
export function assertValid({
  threshold,
  addresses,
}: Pick<Secp256k1.OutputOwners, 'threshold' | 'addresses'>): void {
  const details = { threshold, addresses: addresses.length }
  if (threshold > addresses.length) {
    throw new TxsError(
      'TXS_OUTPUT_UNSPENDABLE',
      `expected a threshold of at most ${addresses.length} (the number of addresses), got ${threshold}`,
      { details },
    )
  }
  if (threshold === 0 && addresses.length > 0) {
    throw new TxsError(
      'TXS_OUTPUT_UNOPTIMIZED',
      `expected no addresses with threshold 0, got ${addresses.length} addresses`,
      { details },
    )
  }
  const index = addresses.findIndex(
    (item, i) => i > 0 && Bytes.compare(addresses[i - 1] as Uint8Array, item) >= 0,
  )
  if (index < 0) return
  throw new TxsError(
    'TXS_ADDRESSES_ORDER',
    `expected sorted, unique addresses, but address ${index} is not greater than the previous one`,
    { details: { index } },
  )
}

/**
 * Checks that an output's amount is above 0 and that its owners are valid.
 * @example
 * ```ts
 * import { Owners } from '@firn/txs'
 *
 * const addresses = [new Uint8Array(20).fill(1)]
 * Owners.assertOutput({ amount: 1_000_000_000n, locktime: 0n, threshold: 1, addresses })
 * ```
 * @throws TxsError `TXS_NO_VALUE`, and the errors of {@link assertValid}
 */
export function assertOutput(output: Secp256k1.TransferOutput): void {
  assertAmount('output', output.amount)
  assertValid(output)
}

/**
 * Checks that an input's amount is above 0 and that its signature indices are sorted and unique.
 * @example
 * ```ts
 * import { Owners } from '@firn/txs'
 *
 * Owners.assertInput({ amount: 1_000_000_000n, signatureIndices: [0, 2] })
 * ```
 * @throws TxsError `TXS_NO_VALUE`, `TXS_INDICES_ORDER`
 */
export function assertInput(input: Secp256k1.TransferInput): void {
  assertAmount('input', input.amount)
  assertIndices(input)
}

/**
 * Checks that signature indices are sorted and unique.
 * @example
 * ```ts
 * import { Owners } from '@firn/txs'
 *
 * Owners.assertIndices({ signatureIndices: [0, 2] })
 * ```
 * @throws TxsError `TXS_INDICES_ORDER`
 */
export function assertIndices({ signatureIndices }: Secp256k1.Input): void {
  const index = signatureIndices.findIndex((item, i) => i > 0 && (signatureIndices[i - 1] as number) >= item)
  if (index < 0) return
  throw new TxsError(
    'TXS_INDICES_ORDER',
    `expected sorted, unique signature indices, but index ${index} is not greater than the previous one`,
    { details: { index } },
  )
}

function assertAmount(what: 'output' | 'input', amount: bigint): void {
  if (amount > 0n) return
  throw new TxsError('TXS_NO_VALUE', 'expected an amount above 0, got 0', { details: { what } })
}
