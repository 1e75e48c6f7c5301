import { DevnetError } from './DevnetError.ts'
import { fraction } from './Seed.ts'

/**
 * The misbehaviour of a validator when it is asked for a signature. Handshake, gossip and Pings stay correct.
 */
export type Fault =
  /** Answers correctly, that many milliseconds late. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Never answers. */
  | { readonly kind: 'silent' }
  /** Answers every request with an AppError. */
  | { readonly kind: 'refuse'; readonly code: number; readonly message: string }
  /** Signs with another key. */
  | { readonly kind: 'wrong-signature' }
  /** Signs another message with its own key. */
  | { readonly kind: 'other-message' }
  /** Answers 95 bytes. */
  | { readonly kind: 'short-signature' }
  /** Answers 97 bytes. */
  | { readonly kind: 'long-signature' }
  /** Answers the point at infinity. */
  | { readonly kind: 'infinity' }
  /** Adds to its signature a point that its partner (index) subtracts: each is wrong, their sum is valid. */
  | { readonly kind: 'cancelling'; readonly partner: number }
  /** Answers that many times. */
  | { readonly kind: 'repeat'; readonly times: number }
  /** Cuts the connection instead of answering. */
  | { readonly kind: 'disconnect' }
  /** Sends a frame that is not a message, then an answer that is not a signature response. */
  | { readonly kind: 'garbage' }
  /** Answers without bytes, as old nodes do for a message they have not seen. */
  | { readonly kind: 'empty' }

/** All kinds, in the order of {@link Fault}. */
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
 * Returns the fault in JSON, null for null. By default `slow` takes 5,000 ms, `refuse` has code 1, and
 * `repeat` answers 3 times.
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
      throw wrong('an integer code and a text', json)
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
 * Returns which validators have which fault. Three forms: a number from 0 to 1 (that share is silent), an
 * object of shares by kind (`{"slow": 0.1, "silent": 0.05}`, drawn by the seed), or an object of faults by
 * index (`{"3": "silent"}`).
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function assign(json: unknown, validators: number, seed: string): ReadonlyMap<number, Fault> {
  if (typeof json === 'number') return byShare([['silent', json]], validators, seed)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw wrong('a share or an object', json)
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
    if (Number(name) >= validators) throw wrong(`an index below ${validators}`, name)
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
