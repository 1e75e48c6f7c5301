import { Hex } from '@firn/codec'
import { keccak256 } from '#keccak'
import type { EvmError } from '../EvmError.ts'
import * as Answer from './Answer.ts'
import * as Digits from './Digits.ts'

const BYTES = 256

/** The bloom of a receipt without logs. */
const EMPTY = `0x${'0'.repeat(2 * BYTES)}`

/** The hexadecimal members of a log that its bloom contains. */
export interface Items {
  readonly address: string
  readonly topics: readonly string[]
}

/**
 * Checks that each bit of a receipt's bloom comes from one of its logs, which detects a missing log. The
 * receipt may have logs that are not in the bloom, because some nodes add logs themselves. A header's bloom
 * is not checked; see `BlockReader`.
 * @throws EvmError `EVM_INCOHERENT`, `EVM_MALFORMED`
 */
export function assertCovered(answer: unknown, logs: readonly Items[], field: string): void {
  if (answer === undefined || answer === null || answer === EMPTY) return
  if (typeof answer !== 'string' || answer.length !== EMPTY.length) throw malformed(answer, field)
  let missing = read(answer, field)
  for (const { address, topics } of logs) {
    if (missing === 0) return
    missing -= clear(address)
    for (const topic of topics) missing -= clear(topic)
  }
  if (missing > 0)
    throw Answer.incoherent(field, "only bits of the receipt's logs", `${missing} additional bits`)
}

/** The hexadecimal digits of the bloom that is being checked, from the last one to the first. */
const digits = new Uint8Array(2 * BYTES)
/** Number of set bits in each hexadecimal digit. */
const SET_BITS = Uint8Array.from({ length: 16 }, (_, digit) => digit.toString(2).replaceAll('0', '').length)

/** Reads the digits of a bloom into {@link digits}. Returns the number of its set bits. */
function read(bloom: string, field: string): number {
  if (!bloom.startsWith('0x')) throw malformed(bloom, field)
  let bits = 0
  for (let i = 0, at = bloom.length - 1; i < digits.length; i++, at--) {
    const digit = Digits.valueAt(bloom, at)
    digits[i] = digit
    if (digit === 0) continue
    if (digit === Digits.NONE) throw malformed(bloom, field)
    bits += SET_BITS[digit] as number
  }
  return bits
}

function malformed(answer: unknown, field: string): EvmError {
  return Answer.malformed(field, `${BYTES} hexadecimal bytes with the prefix 0x`, answer)
}

/** Clears the three bits of an item in {@link digits}. Returns the number of these bits that were set. */
function clear(item: string): number {
  let cleared = 0
  for (let bits = bitsOf(item), i = 0; i < 3; i++, bits = Math.floor(bits / BITS)) {
    const bit = bits % BITS
    const [place, mask] = [bit >> 2, 1 << (bit & 3)]
    const digit = digits[place] as number
    if ((digit & mask) === 0) continue
    digits[place] = digit & ~mask
    cleared++
  }
  return cleared
}

const BITS = 8 * BYTES
/** Number of items whose bits are remembered at least. At most twice as many are remembered. */
const REMEMBERED = 1 << 16
let young = new Map<string, number>()
let old = new Map<string, number>()

/**
 * Returns the three bits of an item as the digits of a number in base {@link BITS}. The bits are the low 11 bits of the
 * first three 16-bit words of the item's hash. Few addresses and topics make up most logs, so their bits are remembered.
 */
function bitsOf(item: string): number {
  const known = young.get(item)
  if (known !== undefined) return known
  const bits = old.get(item) ?? hashedBits(item)
  if (young.size >= REMEMBERED) {
    old = young
    young = new Map()
  }
  young.set(item, bits)
  return bits
}

function hashedBits(item: string): number {
  const hash = keccak256(Hex.decode(item))
  const bit = (at: number) => (((hash[at] as number) << 8) | (hash[at + 1] as number)) % BITS
  return bit(0) + BITS * (bit(2) + BITS * bit(4))
}
