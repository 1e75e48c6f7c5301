import { Hex } from '@firn/codec'
import type { EvmSnapshot, EvmStore, EvmTokenHolders } from '@firn/evm-store'
import { assertReached } from '../evm/chain/evmSnapshots.ts'
import type { UuidTokens } from './UuidTokens.ts'

/** Where a page of a list of holders starts. */
export interface Position {
  /** The block of the list's first page. */
  readonly at: EvmSnapshot
  /** The last holder of the previous page. */
  readonly after: EvmTokenHolders.Holder
}

/** Addresses from a first one to a last one, both inclusive. */
export interface AddressRange {
  readonly first: Uint8Array
  readonly last: Uint8Array
}

/**
 * Number of bits for the start of the last holder's address; the other 32 are for the height of the block. A UUID cannot
 * hold the whole address and balance, so they are read again, and the token is bound to them.
 */
const PREFIX_BITS = 28n
const ADDRESS_BITS = 160n

/** Returns the page token of the next page. `name` identifies the list with its filters. */
export function seal(tokens: UuidTokens, name: string, { at, after }: Position): string {
  const prefix = BigInt(Hex.encode(after.address)) >> (ADDRESS_BITS - PREFIX_BITS)
  return tokens.seal(name, (at.height << PREFIX_BITS) | prefix, boundOf(at, after))
}

/**
 * Returns the position of a page token. Returns undefined if the list must start from the beginning: without a token, or
 * with a token that is expired, of another list, or of a block that a reorg removed.
 * @param find returns the holders in a range of addresses, with their balances after the block
 * @throws DataApiError `DATA_PAGE_TOKEN` if the token is not a UUID, `DATA_UNAVAILABLE` if this replica lacks the block
 */
export async function open(
  tokens: UuidTokens,
  name: string,
  store: EvmStore,
  text: string | undefined,
  find: (range: AddressRange, at: EvmSnapshot) => Promise<readonly EvmTokenHolders.Holder[]>,
): Promise<Position | undefined> {
  if (text === undefined || text === '') return undefined
  const token = tokens.open(text)
  if (!token.isLikelyOf(name)) return undefined
  const height = token.state >> PREFIX_BITS
  assertReached(await store.snapshot(), height, 0n)
  const at = await store.snapshotAt(height)
  if (at === undefined) return undefined
  const found = await find(rangeOf(BigInt.asUintN(Number(PREFIX_BITS), token.state)), at)
  const after = found.find((holder) => token.isOf(name, boundOf(at, holder)))
  return after && { at, after }
}

function boundOf({ hash }: EvmSnapshot, { address, balance }: EvmTokenHolders.Holder): string {
  return [Hex.encode(hash), Hex.encode(address), balance].join(' ')
}

function rangeOf(prefix: bigint): AddressRange {
  const rest = ADDRESS_BITS - PREFIX_BITS
  const toAddress = (bits: bigint) => Hex.decodeBare(bits.toString(16).padStart(40, '0'))
  return { first: toAddress(prefix << rest), last: toAddress(((prefix + 1n) << rest) - 1n) }
}
