import { Bytes, excerpt, Id } from '@firn/codec'
import * as Amount from '../avax/Amount.ts'
import * as BaseTx from '../avax/BaseTx.ts'
import { TxsError } from '../TxsError.ts'

// Plain JavaScript passes values of any type. BigInt arithmetic would throw a bare TypeError for some of them and
// concatenate others, so builders check what they are given first.

const MAX_U32 = 0xffff_ffff

/**
 * Runs a builder. Reports an argument that is missing or has a wrong type.
 * @throws TxsError `TXS_INPUT`, and the errors of `work`
 */
export function checked<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof RangeError)) throw cause
    const message = `an argument is missing or has the wrong type: ${cause.message}`
    throw new TxsError('TXS_INPUT', message, { cause })
  }
}

/** Checks that a value is a bigint from 0 to 2^64 − 1. */
export function assertU64(value: unknown, path: string): void {
  if (typeof value === 'bigint' && value >= 0n && value <= Amount.MAX) return
  refuse('a bigint from 0 to 2^64 − 1, such as 1_500_000_000n', value, path)
}

function assertU32(value: unknown, path: string): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_U32) return
  refuse('an integer from 0 to 2^32 − 1', value, path)
}

/** Checks that a value is bytes, of the given length if there is one. */
export function assertBytes(value: unknown, path: string, length?: number): void {
  if (value instanceof Uint8Array && (length === undefined || value.length === length)) return
  const actual = value instanceof Uint8Array ? `${value.length} bytes` : value
  refuse(length === undefined ? 'a Uint8Array' : `a Uint8Array of ${length} bytes`, actual, path)
}

/** Checks the types of owners. Their order and threshold are checked by `Owners.assertValid`. */
export function assertOwners(value: unknown, path: string): void {
  const { locktime, threshold, addresses } = (value ?? {}) as Readonly<Record<string, unknown>>
  assertU64(locktime, `${path}.locktime`)
  assertU32(threshold, `${path}.threshold`)
  assertAddresses(addresses, `${path}.addresses`)
}

/** Checks that a payment names no asset other than AVAX. */
export function assertAvax(payment: object, avaxAssetId: Uint8Array, path: string): void {
  const { assetID: assetId } = payment as Readonly<Record<string, unknown>>
  if (assetId === undefined) return
  assertBytes(assetId, `${path}.assetID`, 32)
  if (Bytes.equals(assetId as Uint8Array, avaxAssetId)) return
  refuse('AVAX, the only asset of the C-chain', Id.format(assetId as Uint8Array), `${path}.assetID`)
}

/** Checks the types of a payment. */
export function assertPayment(value: unknown, path: string): void {
  const { assetID: assetId, amount, owners, lock } = (value ?? {}) as Readonly<Record<string, unknown>>
  assertBytes(assetId, `${path}.assetID`, 32)
  assertU64(amount, `${path}.amount`)
  assertOwners(owners, `${path}.owners`)
  if (lock !== undefined) assertU64(lock, `${path}.lock`)
}

/**
 * Checks what the wallets of all chains have in common.
 * @throws TxsError `TXS_INPUT`; `TXS_MEMO` for a memo that is too long
 */
export function assertWallet(value: unknown): void {
  const wallet = (value ?? {}) as Readonly<Record<string, unknown>>
  assertU32(wallet['networkId'], 'wallet.networkId')
  assertBytes(wallet['avaxAssetId'], 'wallet.avaxAssetId', 32)
  assertAddresses(wallet['addresses'], 'wallet.addresses')
  assertU64(wallet['time'], 'wallet.time')
  if (!Array.isArray(wallet['utxos'])) refuse('an array', wallet['utxos'], 'wallet.utxos')
  const { changeOwners, memo } = wallet
  if (changeOwners !== undefined) assertOwners(changeOwners, 'wallet.changeOwners')
  if (memo === undefined) return
  assertBytes(memo, 'wallet.memo')
  BaseTx.assertMemo(memo as Uint8Array)
}

/**
 * Checks that a period ends after the current time.
 * @throws TxsError `TXS_INPUT`, `TXS_TIME`
 */
export function assertEnd(end: unknown, time: bigint, path: string): void {
  assertU64(end, path)
  if ((end as bigint) > time) return
  const message = `expected a period that ends after the current time ${time}, got ${end} (at ${path})`
  throw new TxsError('TXS_TIME', message, { details: { end, time } })
}

function assertAddresses(value: unknown, path: string): void {
  if (!Array.isArray(value)) refuse('an array', value, path)
  for (const [i, address] of (value as unknown[]).entries()) assertBytes(address, `${path}[${i}]`, 20)
}

function refuse(expected: string, value: unknown, path: string): never {
  const actual = typeof value === 'bigint' ? `${value}n` : excerpt(value)
  throw new TxsError('TXS_INPUT', `expected ${expected}, got ${actual} (at ${path})`, { details: { path } })
}
