import { createHash } from 'node:crypto'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import type { PageTokens } from '../http/endpoint/PageToken.ts'

/** Number of bits for the state in a page token. */
export const STATE_BITS = 60n

/**
 * Content of a page token. Before it is used, {@link DecodedToken.isOf} must confirm that it belongs to the
 * requested list.
 */
export interface DecodedToken {
  /** Position in the list, less than 2^60. */
  readonly state: bigint
  /** Returns whether this service issued the token in the last 24 hours, for the list with this name and `bound`. */
  isOf(name: string, bound?: string): boolean
  /**
   * Returns the same for any `bound`. Of other UUIDs, one in half a million passes, so {@link DecodedToken.isOf} must
   * still confirm the token.
   */
  isLikelyOf(name: string): boolean
}

/**
 * Page tokens in the form of UUIDs. A token contains the position in its list, so every replica accepts it
 * and no state is stored.
 */
export interface UuidTokens {
  /**
   * Returns a page token. `name` identifies the list. `bound` is what the state only points to, such as the last item; it
   * is not part of the token, but the token is valid only together with it.
   */
  seal(name: string, state: bigint, bound?: string): string
  /**
   * Returns the content of a page token.
   * @throws DataApiError `DATA_PAGE_TOKEN` if the text is not a UUID
   */
  open(text: string): DecodedToken
}

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const MINUTE_BITS = 24n
const MAC_BITS = 38n
/** Number of bits in each half of the MAC. Only the second half covers what the token is bound to. */
const HALF_BITS = 19n
const MINUTE_MS = 60_000
/** Start of the minute counter: 2025-01-01T00:00:00Z. The counter has 24 bits, so it overflows in 2056. */
const EPOCH_MS = 1_735_689_600_000
const LIFETIME_MINUTES = 24n * 60n

/**
 * Creates version 8 UUIDs with 24 bits for the minute of issue, 60 bits of state, and a MAC of 38 bits. The
 * MAC covers the minute, the state and the name. A short MAC is sufficient, because a forged
 * token only changes the position in a public list.
 */
export function createUuidTokens(tokens: PageTokens, now: () => number): UuidTokens {
  const minute = () => BigInt(Math.floor((now() - EPOCH_MS) / MINUTE_MS))
  const halfOf = (name: string, content: bigint, after: readonly string[]) => {
    // `seal` serves as a deterministic MAC, which cannot be predicted without the secret.
    const sealed = tokens.seal(name, { at: [content], after, query: {} })
    const digest = createHash('sha256').update(sealed).digest()
    return digest.readBigUInt64BE() >> (64n - HALF_BITS)
  }
  const macOf = (name: string, content: bigint, bound: string) =>
    (halfOf(name, content, []) << HALF_BITS) | halfOf(name, content, [bound])
  return {
    seal: (name, state, bound = '') => {
      const content = (BigInt.asUintN(Number(MINUTE_BITS), minute()) << STATE_BITS) | state
      return format((content << MAC_BITS) | macOf(name, content, bound))
    },
    open: (text) => {
      if (!FORM.test(text)) {
        throw new DataApiError(
          'DATA_PAGE_TOKEN',
          'pageToken: expected a UUID that this service issued; pass the nextPageToken of the previous page',
        )
      }
      const bits = parse(text)
      const [content, mac] = [bits >> MAC_BITS, BigInt.asUintN(Number(MAC_BITS), bits)]
      const age = BigInt.asUintN(Number(MINUTE_BITS), minute()) - (content >> STATE_BITS)
      const isValid = format(bits) === text.toLowerCase() && age >= 0n && age <= LIFETIME_MINUTES
      return {
        state: BigInt.asUintN(Number(STATE_BITS), content),
        isOf: (name, bound = '') => isValid && mac === macOf(name, content, bound),
        isLikelyOf: (name) => isValid && mac >> HALF_BITS === halfOf(name, content, []),
      }
    },
  }
}

/** Formats 122 bits as a UUID, with the version bits (8) and the variant bits (binary 10) inserted. */
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
