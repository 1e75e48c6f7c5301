import { isJsonObject } from '@firn/codec'
import { DevnetError } from './DevnetError.ts'
import { fraction } from './Seed.ts'

/**
 * The misbehaviour of a validator: on signature requests, and on requests for blocks if the devnet serves a
 * recorded network. Handshake, gossip and Pings remain correct.
 */
export type Fault =
  /** Responds correctly, but with a delay of `ms` milliseconds. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Never responds. */
  | { readonly kind: 'silent' }
  /** Responds `times` times to each request. */
  | { readonly kind: 'repeat'; readonly times: number }
  /** Closes the connection instead of responding. */
  | { readonly kind: 'disconnect' }
  /** Sends a frame that is not a message, followed by a response without a valid content. */
  | { readonly kind: 'garbage' }
  /** Responds with an empty response: as old nodes do for an unknown message, or without any containers. */
  | { readonly kind: 'empty' }
  | SignatureFault
  | BlockFault

/** A fault of signature requests only. */
export type SignatureFault =
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

/** A fault of requests for blocks only. `blocks` is a number of blocks below the tip. */
export type BlockFault =
  /** Sends other containers of the chain than the requested ones. */
  | { readonly kind: 'other-containers' }
  /** Sends the right containers in reverse order. */
  | { readonly kind: 'wrong-order' }
  /** Sends containers of zeros, up to the maximum size of a message. */
  | { readonly kind: 'zeros' }
  /** Serves a valid fork: the last `blocks` blocks differ from the blocks of the other validators. */
  | { readonly kind: 'fork'; readonly blocks: number }
  /** Sends the right containers with signatures that their proposers did not make. */
  | { readonly kind: 'other-signature' }
  /** Sends containers without the field of their signature. Their hashes are the right ids, but they are no containers. */
  | { readonly kind: 'unsigned' }
  /** Leaves out every third container. */
  | { readonly kind: 'gaps' }
  /** Sends one container at a time. */
  | { readonly kind: 'trickle' }
  /** Sends more containers than a node does. */
  | { readonly kind: 'above-limits' }
  /** Sends answers to requests that were never made, before the right one. */
  | { readonly kind: 'unasked' }
  /** Claims that the chain ends `blocks` blocks before its tip. */
  | { readonly kind: 'withheld'; readonly blocks: number }
  /** Names a block that does not exist as the last accepted one. */
  | { readonly kind: 'false-frontier' }
  /** Reports the opposite of the truth about which blocks are accepted. */
  | { readonly kind: 'false-accepted' }
  /** Closes the connection in the middle of each response. */
  | { readonly kind: 'cut' }
  /** Has only the last `blocks` blocks, as a node after a state sync. */
  | { readonly kind: 'state-synced'; readonly blocks: number }
  /** Behaves correctly or has another fault of blocks, anew for each request. */
  | { readonly kind: 'any' }

/** A fault that concerns signature requests. */
export type SigningFault = Exclude<Fault, BlockFault>

interface Served {
  readonly signatures: SigningFault
  readonly blocks: Exclude<Fault, SignatureFault>
}

/** Requests that a kind of fault concerns. */
export type Concern = 'signatures' | 'blocks' | 'all'

/** All kinds of faults, with the requests that they concern. */
export const CONCERNS: Readonly<Record<Fault['kind'], Concern>> = {
  slow: 'all',
  silent: 'all',
  refuse: 'signatures',
  'wrong-signature': 'signatures',
  'other-message': 'signatures',
  'short-signature': 'signatures',
  'long-signature': 'signatures',
  infinity: 'signatures',
  cancelling: 'signatures',
  repeat: 'all',
  disconnect: 'all',
  garbage: 'all',
  empty: 'all',
  'other-containers': 'blocks',
  'wrong-order': 'blocks',
  zeros: 'blocks',
  fork: 'blocks',
  'other-signature': 'blocks',
  unsigned: 'blocks',
  gaps: 'blocks',
  trickle: 'blocks',
  'above-limits': 'blocks',
  unasked: 'blocks',
  withheld: 'blocks',
  'false-frontier': 'blocks',
  'false-accepted': 'blocks',
  cut: 'blocks',
  'state-synced': 'blocks',
  any: 'blocks',
}

/** All kinds of faults. */
export const KINDS: readonly Fault['kind'][] = Object.keys(CONCERNS) as Fault['kind'][]

/** Returns the kinds of faults of a devnet that serves signature requests or blocks. */
export function kindsOf(served: keyof Served): readonly Fault['kind'][] {
  return KINDS.filter((kind) => CONCERNS[kind] === served || CONCERNS[kind] === 'all')
}

/**
 * Parses a fault from JSON; `null` means no fault. By default `slow` takes 5,000 ms, `refuse` has code 1,
 * `repeat` responds 3 times, and `blocks` is 10.
 * @throws DevnetError `DEVNET_OPTIONS`
 */
export function parse(json: unknown): Fault | null {
  if (json === null) return null
  const given = typeof json === 'string' ? { kind: json } : json
  if (!isJsonObject(given)) throw wrong('a fault', json)
  const {
    kind,
    ms = 5_000,
    code = 1,
    message = 'refused by the devnet',
    partner,
    times = 3,
    blocks = 10,
  } = given as Readonly<Record<string, unknown>>
  if (!KINDS.includes(kind as Fault['kind'])) throw wrong(`one of ${KINDS.join(', ')}`, kind)
  if (kind === 'fork' || kind === 'withheld' || kind === 'state-synced')
    return { kind, blocks: count(blocks, 'blocks') }
  if (kind === 'slow') return { kind, ms: count(ms, 'ms') }
  if (kind === 'repeat') return { kind, times: count(times, 'times') }
  if (kind === 'cancelling') return { kind, partner: count(partner, 'partner') }
  if (kind === 'refuse') return { kind, ...refusal(code, message, json) }
  return { kind } as Fault
}

function refusal(code: unknown, message: unknown, json: unknown) {
  if (!Number.isInteger(code) || typeof message !== 'string')
    throw wrong('an integer code and a message string', json)
  return { code: code as number, message }
}

function count(value: unknown, name: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
  throw wrong(`a whole number for ${name}`, value)
}

function wrong(expected: string, got: unknown): DevnetError {
  return new DevnetError('DEVNET_OPTIONS', `expected ${expected}, got ${JSON.stringify(got)}`)
}

/**
 * Checks that a devnet can have a fault.
 * @throws DevnetError `DEVNET_OPTIONS` if the fault concerns requests that the devnet does not serve
 */
export function assertConcerns<S extends keyof Served>(fault: Fault, served: S): asserts fault is Served[S] {
  const kinds = kindsOf(served)
  if (!kinds.includes(fault.kind)) throw wrong(`one of ${kinds.join(', ')}`, fault.kind)
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
  if (!isJsonObject(json)) throw wrong('a share from 0 to 1, or an object of shares or faults', json)
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
