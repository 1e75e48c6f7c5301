import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Log } from '../Block.ts'
import * as Answer from './Answer.ts'

const BYTES = 256

/**
 * Checks that each bit of a receipt's bloom comes from one of its logs, which detects a missing log. The
 * receipt may have logs that are not in the bloom, because some nodes add logs themselves. A header's bloom
 * is not checked; see `BlockReader`.
 * @throws EvmError `EVM_INCOHERENT`, `EVM_MALFORMED`
 */
export function assertCovered(answer: unknown, logs: readonly Log[], field: string): void {
  if (answer === undefined || answer === null) return
  const bloom = Answer.bytes(answer, field, BYTES)
  let missing = count(bloom)
  for (const { address, topics } of logs) {
    if (missing === 0) return
    for (const item of [address, ...topics]) missing -= clear(bloom, item)
  }
  if (missing > 0)
    throw Answer.incoherent(field, "only bits of the receipt's logs", `${missing} additional bits`)
}

/**
 * Clears the three bits of an item, which are the low 11 bits of the first three 16-bit words of its hash.
 * Returns the number of these bits that were set.
 */
function clear(bloom: Uint8Array, item: Uint8Array): number {
  const hash = keccak_256(item)
  let cleared = 0
  for (const at of [0, 2, 4]) {
    const bit = (((hash[at] as number) << 8) | (hash[at + 1] as number)) & 2_047
    const [place, mask] = [BYTES - 1 - (bit >> 3), 1 << (bit & 7)]
    if (((bloom[place] as number) & mask) === 0) continue
    bloom[place] = (bloom[place] as number) & ~mask
    cleared++
  }
  return cleared
}

function count(bloom: Uint8Array): number {
  let bits = 0
  for (const byte of bloom) for (let rest = byte; rest > 0; rest &= rest - 1) bits++
  return bits
}
