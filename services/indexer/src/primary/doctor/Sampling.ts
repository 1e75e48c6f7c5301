import type { ChainAlias } from '@firn/codec'
import { type Store, Utxos } from '@firn/store'

/** Returns random numbers, uniform in [0, 1). */
export type Random = () => number

const ADDRESS_LENGTH = 20
/** Every fourth look-up selects an owner of a spent output, who may have no other outputs. */
const SPENT_EVERY = 4

/** Returns up to `count` random heights from 1 to `top` in ascending order, including `top`. */
export function heights(top: bigint, count: number, random: Random): bigint[] {
  if (top < 1n || count < 1) return []
  const chosen = new Set([top])
  // Random heights can repeat, so the number of tries is limited. No chain is longer than 2^53.
  for (let tries = 0; chosen.size < count && tries < count * 4; tries += 1)
    chosen.add(1n + BigInt(Math.floor(random() * Number(top))))
  return [...chosen].toSorted((a, b) => (a < b ? -1 : 1))
}

/** Returns up to `count` random items, in their original order. */
export function some<T>(things: readonly T[], count: number, random: Random): T[] {
  const kept = things.map((thing, at) => ({ thing, at, rank: random() })).toSorted((a, b) => a.rank - b.rank)
  return kept
    .slice(0, count)
    .toSorted((a, b) => a.at - b.at)
    .map(({ thing }) => thing)
}

/**
 * Returns up to `count` addresses (20 bytes) that have or had spendable outputs on a chain. Each address is
 * the first one after a random value, so it needs one look-up regardless of the table's size.
 */
export async function addresses(
  store: Store,
  chain: ChainAlias,
  count: number,
  random: Random,
): Promise<Uint8Array[]> {
  const chosen = new Map<string, Uint8Array>()
  for (let tries = 0; chosen.size < count && tries < count * 2; tries += 1) {
    const start = Uint8Array.from({ length: ADDRESS_LENGTH }, () => Math.floor(random() * 256))
    const isSpent = tries % SPENT_EVERY === SPENT_EVERY - 1
    const found =
      (await Utxos.nextOwner(store, chain, start, isSpent)) ??
      (await Utxos.nextOwner(store, chain, new Uint8Array(ADDRESS_LENGTH), isSpent))
    if (found !== undefined) chosen.set(Buffer.from(found).toString('latin1'), found)
  }
  return [...chosen.values()]
}
