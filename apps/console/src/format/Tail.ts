import type { EvmBlock } from '@firn/client'

type Row = Pick<EvmBlock, 'blockNumber'>

/**
 * Joins the newest blocks of a chain with blocks that were requested earlier, both with the newest first. Earlier
 * blocks at the heights of the newest ones are left out, because a reorganisation may have replaced them.
 * @returns undefined if blocks between the two lists are missing
 */
export function join<B extends Row>(newest: readonly B[], earlier: readonly B[]): readonly B[] | undefined {
  const lowest = newest.at(-1)
  if (lowest === undefined) return earlier
  const below = earlier.filter(({ blockNumber }) => BigInt(blockNumber) < BigInt(lowest.blockNumber))
  const isAdjacent =
    earlier[0] === undefined || BigInt(earlier[0].blockNumber) + 1n >= BigInt(lowest.blockNumber)
  return isAdjacent ? [...newest, ...below] : undefined
}
