import { createHash } from 'node:crypto'
import { DataApiError } from '../DataApiError.ts'
import type { PageTokens } from '../front/PageToken.ts'

/** Bits of what a token may keep. */
export const STATE_BITS = 60n

/** What a token says, which is worth nothing before it is known to be of the list that is asked for. */
export interface Opened {
  /** Less than 2^60. */
  readonly state: bigint
  /** Whether this service gave it for the list of that name and version, not longer than 24 hours ago. */
  isOf(name: string, version?: string): boolean
  /** Whether this service gave it for the list of that name, whichever its version, not longer than 24 hours ago. */
  isOfAny(name: string): boolean
}

/** Page tokens in the form of UUIDs, which carry where their list goes on: good on every replica, stored nowhere. */
export interface UuidTokens {
  /**
   * A token of the list that `name` tells apart from all others, with its filters. `version` says which state of the list it is of, where
   * that can be known only later, such as the hash of a block.
   */
  seal(name: string, state: bigint, version?: string): string
  /**
   * The state of a token.
   * @throws DataApiError `DATA_PAGE_TOKEN`: no UUID
   */
  open(text: string): Opened
}

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const MINUTE_BITS = 24n
const MAC_BITS = 38n
/** Of the hash: one half is over the name, the other over the version too. */
const HALF_BITS = 19n
const MINUTE_MS = 60_000
/** 2025-01-01: 24 bits of minutes last until 2056. */
const EPOCH_MS = 1_735_689_600_000
const LIFETIME_MINUTES = 24n * 60n

/**
 * Returns UUIDs of version 8: 24 bits of the minute that they were given in, 60 of state, and 38 of hashes over both, the name and the
 * version under the secret of `tokens`, enough since a forged one only begins a public list elsewhere.
 */
export function createUuidTokens(tokens: PageTokens, now: () => number): UuidTokens {
  const minute = () => BigInt(Math.floor((now() - EPOCH_MS) / MINUTE_MS))
  const halfOf = (name: string, content: bigint, after: readonly string[]) => {
    // Signed texts are secret to those who don't have the key, and the same each time.
    const sealed = tokens.seal(name, { at: [content], after, query: {} })
    const digest = createHash('sha256').update(sealed).digest()
    return digest.readBigUInt64BE() >> (64n - HALF_BITS)
  }
  const macOf = (name: string, content: bigint, version: string) =>
    (halfOf(name, content, []) << HALF_BITS) | halfOf(name, content, [version])
  return {
    seal: (name, state, version = '') => {
      const content = (BigInt.asUintN(Number(MINUTE_BITS), minute()) << STATE_BITS) | state
      return format((content << MAC_BITS) | macOf(name, content, version))
    },
    open: (text) => {
      if (!FORM.test(text)) {
        throw new DataApiError(
          'DATA_PAGE_TOKEN',
          'pageToken: expected a UUID that this service gave, got another text',
        )
      }
      const bits = parse(text)
      const [content, mac] = [bits >> MAC_BITS, BigInt.asUintN(Number(MAC_BITS), bits)]
      const age = BigInt.asUintN(Number(MINUTE_BITS), minute()) - (content >> STATE_BITS)
      const isValid = format(bits) === text.toLowerCase() && age >= 0n && age <= LIFETIME_MINUTES
      return {
        state: BigInt.asUintN(Number(STATE_BITS), content),
        isOf: (name, version = '') => isValid && mac === macOf(name, content, version),
        isOfAny: (name) => isValid && mac >> HALF_BITS === halfOf(name, content, []),
      }
    },
  }
}

/** 122 bits around the version, 8, and the variant, binary 10. */
function format(bits: bigint): string {
  const [high, middle, low] = [bits >> 74n, (bits >> 62n) & 0xfffn, bits & ((1n << 62n) - 1n)]
  const whole = (high << 80n) | (8n << 76n) | (middle << 64n) | (2n << 62n) | low
  const digits = whole.toString(16).padStart(32, '0')
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => digits.slice(from, to))
    .join('-')
}

function parse(text: string): bigint {
  const whole = BigInt(`0x${text.replaceAll('-', '')}`)
  const [high, middle, low] = [whole >> 80n, (whole >> 64n) & 0xfffn, whole & ((1n << 62n) - 1n)]
  return (high << 74n) | (middle << 62n) | low
}
