const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const DIGITS: ReadonlyMap<string, number> = new Map(
  [...ALPHABET].map((character, digit) => [character, digit]),
)

/** Digits that are worked on at once, and 58 to their number: times 2^16 it stays an exact double. */
const GROUP = 5
const GROUP_BASE = 58 ** GROUP
/** At most log2(58^5) = 29.29. */
const GROUP_BITS = 29
const LIMB = 0x1_0000

/** Base58 text of `bytes`, in quadratic time: ids are short, and callers bound the rest. */
export function encode(bytes: Uint8Array): string {
  const limbs = toLimbs(bytes)
  const digits = new Uint8Array(GROUP * Math.ceil((limbs.length * 16) / GROUP_BITS))
  let at = digits.length
  for (let start = firstNonZero(limbs, 0); start < limbs.length; start = firstNonZero(limbs, start)) {
    let group = divide(limbs, start)
    for (const end = at - GROUP; at > end; group = (group / 58) | 0) digits[--at] = group % 58
  }
  let text = '1'.repeat(firstNonZero(bytes, 0))
  for (let i = firstNonZero(digits, 0); i < digits.length; i++) text += ALPHABET[digits[i] as number]
  return text
}

/** The bytes of a base58 text, or undefined when it has other characters. */
export function decode(text: string): Uint8Array | undefined {
  // 58 is less than 2^6: six bits a character are enough.
  const limbs = new Uint16Array(Math.ceil((text.length * 6) / 16))
  let used = limbs.length
  for (let at = 0; at < text.length; at += GROUP) {
    const part = text.slice(at, at + GROUP)
    let group = 0
    for (const character of part) {
      const digit = DIGITS.get(character)
      if (digit === undefined) return undefined
      group = group * 58 + digit
    }
    used = multiplyAdd(limbs, used, 58 ** part.length, group)
  }
  const bytes = new Uint8Array(limbs.length * 2)
  limbs.forEach((limb, i) => {
    bytes[2 * i] = limb >> 8
    bytes[2 * i + 1] = limb
  })
  return withZeros(bytes.subarray(firstNonZero(bytes, 0)), /^1*/.exec(text)?.[0].length ?? 0)
}

/** The bytes as big-endian 16-bit limbs. */
function toLimbs(bytes: Uint8Array): Uint16Array {
  const limbs = new Uint16Array((bytes.length + 1) >> 1)
  for (let i = bytes.length - 1, limb = limbs.length - 1; i >= 0; i -= 2, limb--) {
    limbs[limb] = ((bytes[i - 1] ?? 0) << 8) | (bytes[i] as number)
  }
  return limbs
}

/** Divides the limbs from `start` in place and returns the remainder. */
function divide(limbs: Uint16Array, start: number): number {
  let remainder = 0
  for (let i = start; i < limbs.length; i++) {
    const value = remainder * LIMB + (limbs[i] as number)
    const quotient = (value / GROUP_BASE) | 0
    limbs[i] = quotient
    remainder = (value - quotient * GROUP_BASE) | 0
  }
  return remainder
}

/** Multiplies the limbs in place and adds; all above `used` are zero. Returns the new `used`. */
function multiplyAdd(limbs: Uint16Array, used: number, factor: number, summand: number): number {
  let carry = summand
  let i = limbs.length - 1
  for (; i >= used || carry > 0; i--) {
    const value = (limbs[i] as number) * factor + carry
    carry = Math.floor(value / LIMB)
    limbs[i] = value - carry * LIMB
  }
  return i + 1
}

function firstNonZero(numbers: ArrayLike<number>, start: number): number {
  let i = start
  while (i < numbers.length && numbers[i] === 0) i++
  return i
}

function withZeros(bytes: Uint8Array, count: number): Uint8Array {
  const out = new Uint8Array(count + bytes.length)
  out.set(bytes, count)
  return out
}
