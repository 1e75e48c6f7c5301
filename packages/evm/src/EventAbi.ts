import { Hex, isJsonObject } from '@firn/codec'
import { keccak_256 } from '@noble/hashes/sha3.js'
import {
  arrayOf as elementsOf,
  malformed,
  type Parameter,
  readName,
  readParameters,
  signatureOf,
} from './internal/abiParameters.ts'

export type { Parameter } from './internal/abiParameters.ts'

/** A parameter of an event. */
export interface EventInput extends Parameter {
  /** Whether the value is a topic. */
  readonly indexed: boolean
}

/** An event of an ABI. */
export interface EventAbi {
  readonly name: string
  readonly inputs: readonly EventInput[]
}

/** Maximum number of indexed parameters of an event that is not anonymous. */
const MOST_INDEXED = 3
/** Number of digits of a topic that distinguish overloaded events. */
const TOPIC_DIGITS = 8

/**
 * Returns the events of an ABI, without anonymous events. The ABI is the array that compilers write, or an object with
 * the array as its member `abi`, such as an artifact of Foundry or Hardhat. `AbiFile.read` reads further forms.
 * @throws EvmError `EVM_MALFORMED` if it is not an ABI, or if an event has an unknown type
 * @example
 * ```ts
 * import { EventAbi } from '@firn/evm'
 *
 * const inputs = [{ name: 'owner', type: 'address', indexed: true }]
 * const [event] = EventAbi.parse([{ type: 'event', name: 'Paused', inputs }])
 * console.log(event?.name)
 * ```
 */
export function parse(json: unknown): readonly EventAbi[] {
  const entries = isJsonObject(json) ? json['abi'] : json
  if (!Array.isArray(entries))
    throw malformed('expected an ABI: an array, or an object with the array as "abi"')
  if (!entries.every(isJsonObject)) throw malformed('expected an ABI whose entries are objects')
  return entries
    .filter((entry) => entry['type'] === 'event' && entry['anonymous'] !== true)
    .map((entry) => readEvent(entry))
}

/**
 * Returns an event of an ABI.
 * @throws EvmError `EVM_MALFORMED`
 * @example
 * ```ts
 * import { EventAbi } from '@firn/evm'
 *
 * EventAbi.readEvent({ name: 'Paused', inputs: [] }).name // 'Paused'
 * ```
 */
export function readEvent(entry: Readonly<Record<string, unknown>>): EventAbi {
  const name = readName(entry['name'], 'event')
  const where = `event ${name}`
  const inputs = readParameters(entry['inputs'], where).map((input, i) => ({
    ...input,
    indexed: (entry['inputs'] as readonly { readonly indexed?: unknown }[])[i]?.indexed === true,
  }))
  if (inputs.filter(({ indexed }) => indexed).length <= MOST_INDEXED) return { name, inputs }
  throw malformed(`${where}: expected at most ${MOST_INDEXED} indexed parameters, or "anonymous": true`)
}

/**
 * Returns the type and the number of the elements of an array type; the number is undefined if it varies. Returns
 * undefined for other types.
 * @example
 * ```ts
 * import { EventAbi } from '@firn/evm'
 *
 * EventAbi.arrayOf('uint256[2][]') // { type: 'uint256[2]', length: undefined }
 * ```
 */
export function arrayOf(
  type: string,
): { readonly type: string; readonly length: number | undefined } | undefined {
  return elementsOf(type)
}

/**
 * Returns the signature of an event, such as `Transfer(address,address,uint256)`.
 * @example
 * ```ts
 * import { EventAbi } from '@firn/evm'
 *
 * EventAbi.signature({ name: 'Paused', inputs: [] }) // 'Paused()'
 * ```
 */
export function signature({ name, inputs }: EventAbi): string {
  return signatureOf(name, inputs)
}

/**
 * Returns topic 0 of an event: the hash of its signature.
 * @example
 * ```ts
 * import { EventAbi } from '@firn/evm'
 *
 * EventAbi.topic({ name: 'Paused', inputs: [] }).length // 32
 * ```
 */
export function topic(event: EventAbi): Uint8Array {
  return keccak_256(new TextEncoder().encode(signature(event)))
}

/**
 * Returns different names for the arguments: the parameters' names, or `arg` and the index where a name is missing or
 * repeated, followed by underscores if another parameter has this name.
 * @example
 * ```ts
 * import { EventAbi } from '@firn/evm'
 *
 * EventAbi.argumentNames([{ name: 'to', type: 'address' }, { name: '', type: 'bool' }]) // ['to', 'arg1']
 * ```
 */
export function argumentNames(parameters: readonly Parameter[]): readonly string[] {
  const given = parameters.map(({ name }) => name)
  const taken = new Set(given)
  return given.map((name, i) => {
    if (name !== '' && given.indexOf(name) === i) return name
    let own = `arg${i}`
    while (taken.has(own)) own += '_'
    taken.add(own)
    return own
  })
}

/** An event, and the name of the ABI that contains it. */
export interface NamedEvent {
  readonly abi: string
  readonly event: EventAbi
}

/**
 * Returns the names of an event of an ABI, the most exact one first: with the first digits of its topic and the number
 * of its indexed parameters, with these digits, with the ABI, and its own name.
 * @example
 * ```ts
 * import { EventAbi } from '@firn/evm'
 *
 * EventAbi.names({ abi: 'Coin', event: { name: 'Paused', inputs: [] } })
 * // ['Coin.Paused.9e87fac8.indexed0', 'Coin.Paused.9e87fac8', 'Coin.Paused', 'Paused']
 * ```
 */
export function names({ abi, event }: NamedEvent): readonly [exact: string, ...others: string[]] {
  const digits = Hex.encodeBare(topic(event)).slice(0, TOPIC_DIGITS)
  const indexed = event.inputs.filter((input) => input.indexed).length
  const plain = `${abi}.${event.name}`
  return [`${plain}.${digits}.indexed${indexed}`, `${plain}.${digits}`, plain, event.name]
}

/**
 * Returns the shortest name of each event that no other of these events has, with the name of its ABI.
 * @example
 * ```ts
 * import { EventAbi } from '@firn/evm'
 *
 * EventAbi.uniqueNames([{ abi: 'Coin', event: { name: 'Paused', inputs: [] } }]) // ['Coin.Paused']
 * ```
 */
export function uniqueNames(events: readonly NamedEvent[]): readonly string[] {
  const all = events.map((event) => names(event).slice(0, -1))
  const counts = new Map<string, number>()
  for (const name of all.flat()) counts.set(name, (counts.get(name) ?? 0) + 1)
  return all.map((own) => own.findLast((name) => counts.get(name) === 1) ?? (own[0] as string))
}
