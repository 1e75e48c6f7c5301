import { keccak_256 } from '@noble/hashes/sha3.js'
import { EvmError } from './EvmError.ts'

/** A value in an event: its Solidity type and its name. */
export interface Parameter {
  /** Name of the parameter; empty if it has none. */
  readonly name: string
  /** Solidity type as in an ABI, such as `uint256`, `address[]` or `tuple`. */
  readonly type: string
  /** The members of a `tuple`, or of the tuples in an array. */
  readonly components?: readonly Parameter[]
}

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

const ELEMENTARY = /^(?:address|bool|string|bytes(?:[1-9]|[12]\d|3[0-2])?)$/
const INTEGER = /^u?int([1-9]\d{0,2})$/
const NAME = /^[A-Za-z_$][\w$]{0,127}$/
const ARRAY = /^(.+)\[([1-9]\d{0,5})?\]$/
/** Maximum number of indexed parameters of an event that is not anonymous. */
const MOST_INDEXED = 3

/**
 * Returns the events of an ABI, without anonymous events. The ABI is the array that compilers write, or an object with
 * the array as its member `abi`, such as an artifact of Foundry or Hardhat.
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
  const entries = isObject(json) ? json['abi'] : json
  if (!Array.isArray(entries))
    throw malformed('expected an ABI: an array, or an object with the array as "abi"')
  return entries
    .filter((entry) => isObject(entry) && entry['type'] === 'event' && entry['anonymous'] !== true)
    .map((entry: Readonly<Record<string, unknown>>) => {
      const name = readName(entry['name'], 'event')
      const inputs = readParameters(entry['inputs'], name, 0).map((input, i) => ({
        ...input,
        indexed: (entry['inputs'] as readonly { readonly indexed?: unknown }[])[i]?.indexed === true,
      }))
      if (inputs.filter(({ indexed }) => indexed).length <= MOST_INDEXED) return { name, inputs }
      throw malformed(`event ${name}: expected at most ${MOST_INDEXED} indexed parameters`)
    })
}

function readParameters(given: unknown, event: string, depth: number): readonly Parameter[] {
  if (!Array.isArray(given) || given.length > 64 || depth > 8) {
    throw malformed(`event ${event}: expected an array of at most 64 parameters`)
  }
  return given.map((value: unknown) => {
    const { name, type, components } = isObject(value) ? value : {}
    const text = String(type)
    const base = elementOf(text)
    const own = { name: name === '' || name === undefined ? '' : readName(name, event), type: text }
    if (base !== 'tuple') {
      if (isElementary(base)) return own
      throw malformed(`event ${event}: unknown type ${text.slice(0, 64)}`)
    }
    const members = readParameters(components, event, depth + 1)
    if (members.length === 0) throw malformed(`event ${event}: expected a tuple with components`)
    return { ...own, components: members }
  })
}

function isElementary(type: string): boolean {
  const bits = Number(INTEGER.exec(type)?.[1])
  return ELEMENTARY.test(type) || (bits % 8 === 0 && bits <= 256)
}

/** Returns the type of the innermost elements of an array, or the type itself. */
function elementOf(type: string): string {
  const array = arrayOf(type)
  return array === undefined ? type : elementOf(array.type)
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
  const [, element, length] = ARRAY.exec(type) ?? (type.endsWith('[]') ? [type, type.slice(0, -2)] : [])
  if (element === undefined) return undefined
  return { type: element, length: length === undefined ? undefined : Number(length) }
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
  return `${name}(${inputs.map(canonical).join(',')})`
}

function canonical({ type, components = [] }: Parameter): string {
  return type.replace(/^tuple/, () => `(${components.map(canonical).join(',')})`)
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
 * Returns the names of arguments: those of the parameters, or `arg` and the index where a name is missing or repeated.
 * @example
 * ```ts
 * import { EventAbi } from '@firn/evm'
 *
 * EventAbi.argumentNames([{ name: 'to', type: 'address' }, { name: '', type: 'bool' }]) // ['to', 'arg1']
 * ```
 */
export function argumentNames(parameters: readonly Parameter[]): readonly string[] {
  const names = parameters.map(({ name }) => name)
  return names.map((name, i) => (name === '' || names.indexOf(name) !== i ? `arg${i}` : name))
}

function readName(name: unknown, where: string): string {
  if (typeof name === 'string' && NAME.test(name)) return name
  throw malformed(`${where}: expected a name of letters, digits and underscores, got ${JSON.stringify(name)}`)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function malformed(message: string): EvmError {
  return new EvmError('EVM_MALFORMED', message)
}
