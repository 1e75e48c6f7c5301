import { DevnetError } from './DevnetError.ts'
import { fraction } from './Seed.ts'

/** The misbehaviour of a validator on signature requests. Handshake, gossip and Pings remain correct. */
export type Fault =
  /** Responds correctly, but with a delay of `ms` milliseconds. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Never responds. */
  | { readonly kind: 'silent' }
  /** Responds to every request with an AppError. */
  | { readonly kind: 'refuse'; readonly code: number; readonly message: string }
  /** Signs with a different key. */
  | { readonly kind: 'wrong-signature' }
  /** Signs a different message with its own key. */
  | { readonly kind: 'other-message' }
  /** Responds with a signature of 95 bytes. */
  | { readonly kind: 'short-signature' }
  /** Responds with a signature of 97 bytes. */
  | { readonly kind: 'long-signature' }
  /** Responds with the point at infinity. */
  | { readonly kind: 'infinity' }
  /**
   * Adds a point to its signature. The partner (an index) subtracts the same point. Both signatures are
   * invalid, but their aggregate is valid.
   */
  | { readonly kind: 'cancelling'; readonly partner: number }
  /** Responds `times` times to each request. */
  | { readonly kind: 'repeat'; readonly times: number }
  /** Closes the connection instead of responding. */
  | { readonly kind: 'disconnect' }
  /** Sends a frame that is not a message, followed by a response that is not a signature response. */
  | { readonly kind: 'garbage' }
  /** Responds with an empty response, as old nodes do for an unknown message. */
  | { readonly kind: 'empty' }

/** All kinds of faults, in the order of {@link Fault}. */
export const KINDS: readonly Fault['kind'][] = [
  'slow',
  'silent',
  'refuse',
  'wrong-signature',
  'other-message',
  'short-signature',
  'long-signature',
  'infinity',
  'cancelling',
  'repeat',
  'disconnect',
  'garbage',
  'empty',
]

/**
 * Parses a fault from JSON; `null` means no fault. By default `slow` takes 5,000 ms, `refuse` has code 1, and
 * `repeat` responds 3 times.
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function parse(json: unknown): Fault | null {
  if (json === null) return null
  const given = typeof json === 'string' ? { kind: json } : json
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw wrong('a fault', json)
  const {
    kind,
    ms = 5_000,
    code = 1,
    message = 'refused by the devnet',
    partner,
    times = 3,
  } = given as Readonly<Record<string, unknown>>
  if (!KINDS.includes(kind as Fault['kind'])) throw wrong(`one of ${KINDS.join(', ')}`, kind)
  if (kind === 'slow') return { kind, ms: count(ms, 'ms') }
  if (kind === 'repeat') return { kind, times: count(times, 'times') }
  if (kind === 'cancelling') return { kind, partner: count(partner, 'partner') }
  if (kind === 'refuse') {
    if (!Number.isInteger(code) || typeof message !== 'string')
      throw wrong('an integer code and a message string', json)
    return { kind, code: code as number, message }
  }
  return { kind } as Fault
}

function count(value: unknown, name: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
  throw wrong(`a whole number for ${name}`, value)
}

function wrong(expected: string, got: unknown): DevnetError {
  return new DevnetError('DEVNET_OPTIONS', `expected ${expected}, got ${JSON.stringify(got)}`)
}

/**
 * Parses faults and returns them by validator index. The JSON has one of three forms:
 * - a number from 0 to 1: the share of silent validators
 * - an object of shares by kind of fault, such as `{"slow": 0.1, "silent": 0.05}`; the seed selects the
 * validators
 * - an object of faults by validator index, such as `{"3": "silent"}`
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function assign(json: unknown, validators: number, seed: string): ReadonlyMap<number, Fault> {
  if (typeof json === 'number') return byShare([['silent', json]], validators, seed)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw wrong('a share from 0 to 1, or an object of shares or faults', json)
  const entries = Object.entries(json)
  if (entries.every(([name]) => /^[0-9]+$/.test(name))) return byIndex(entries, validators)
  return byShare(entries, validators, seed)
}

function byIndex(
  entries: readonly (readonly [string, unknown])[],
  validators: number,
): ReadonlyMap<number, Fault> {
  const faults = new Map<number, Fault>()
  for (const [name, json] of entries) {
    const fault = parse(json)
    if (Number(name) >= validators) throw wrong(`a validator index below ${validators}`, name)
    if (fault !== null) faults.set(Number(name), fault)
  }
  return faults
}

function byShare(
  shares: readonly (readonly [string, unknown])[],
  validators: number,
  seed: string,
): ReadonlyMap<number, Fault> {
  const order = Array.from({ length: validators }, (_, index) => index).sort(
    (a, b) => fraction(seed, 'fault', a) - fraction(seed, 'fault', b),
  )
  const faults = new Map<number, Fault>()
  for (const [kind, share] of shares) {
    if (typeof share !== 'number' || !(share >= 0 && share <= 1)) throw wrong('a share from 0 to 1', share)
    const chosen = order.splice(0, Math.round(share * validators))
    for (const [position, index] of chosen.entries()) {
      const partner = chosen[position ^ 1]
      if (kind === 'cancelling' && partner === undefined) continue
      faults.set(index, parse({ kind, partner }) as Fault)
    }
  }
  return faults
}
