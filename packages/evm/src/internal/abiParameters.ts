import { excerpt, isJsonObject } from '@firn/codec'
import { EvmError } from '../EvmError.ts'

/** A value in an event or a call: its Solidity type and its name. */
export interface Parameter {
  /** Name of the parameter; empty if it has none. */
  readonly name: string
  /** Solidity type as in an ABI, such as `uint256`, `address[]` or `tuple`. */
  readonly type: string
  /** The members of a `tuple`, or of the tuples in an array. */
  readonly components?: readonly Parameter[]
}

const ELEMENTARY = /^(?:address|bool|function|string|bytes(?:[1-9]|[12]\d|3[0-2])?)$/
const INTEGER = /^u?int([1-9]\d{0,2})$/
const NAME = /^[\p{ID_Start}_$][\p{ID_Continue}$]{0,127}$/u
const ARRAY = /^(.+)\[([1-9]\d{0,5})?\]$/
/** Maximum number of parameters of a list, of levels of tuples, and of dimensions of an array. */
const MOST_PARAMETERS = 64
const MOST_LEVELS = 8
const MOST_DIMENSIONS = 8
/** Maximum number of parameters of an event or a function, with the members of tuples. */
const MOST_NODES = 512

const RENAME = '; rename it, because data do not contain the names of parameters'

/** Counts the parameters of an event or a function, with the members of tuples. */
export interface Budget {
  nodes: number
}

/** Returns the budget for the parameters of one event or function. */
export function budget(): Budget {
  return { nodes: MOST_NODES }
}

/**
 * Reads the parameters in an ABI; none if `given` is absent, as some tools write it. `where` names the event or function
 * in errors.
 * @throws EvmError `EVM_MALFORMED`
 */
export function readParameters(
  given: unknown,
  where: string,
  left: Budget = budget(),
  depth = 0,
): readonly Parameter[] {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given) || given.length > MOST_PARAMETERS)
    throw malformed(`${where}: expected an array of at most ${MOST_PARAMETERS} parameters`)
  if (depth > MOST_LEVELS) throw malformed(`${where}: expected at most ${MOST_LEVELS} levels of tuples`)
  return given.map((value: unknown) => {
    left.nodes -= 1
    if (left.nodes < 0) throw malformed(`${where}: expected at most ${MOST_NODES} parameters and members`)
    const { name, type, components } = isJsonObject(value) ? value : {}
    const text = assertType(type, where)
    const own = { name: name ? readName(name, `a parameter of ${where}`, RENAME) : '', type: text }
    if (elementOf(text) !== 'tuple') return own
    const members = readParameters(components, where, left, depth + 1)
    if (members.length === 0)
      throw malformed(`${where}: expected a tuple with "components", as compilers write it`)
    return { ...own, components: members }
  })
}

/**
 * Returns a type if it is known: an elementary type or `tuple`, or an array of these.
 * @throws EvmError `EVM_MALFORMED`
 */
export function assertType(type: unknown, where: string): string {
  const text = typeof type === 'string' ? type : JSON.stringify(type)
  if (typeof type === 'string' && type.length <= 128 && type.split('[').length <= MOST_DIMENSIONS + 1) {
    const base = elementOf(type)
    if (base === 'tuple' || isElementary(base)) return type
  }
  const hint = /^u?fixed/.test(text)
    ? 'fixed-point numbers are not decoded, so remove the entry'
    : 'write a user-defined type as the type that it is encoded as, such as uint8 for an enum'
  throw malformed(`${where}: unknown type ${text?.slice(0, 64)}; ${hint}`)
}

function isElementary(type: string): boolean {
  const bits = Number(INTEGER.exec(type)?.[1])
  return ELEMENTARY.test(type) || (bits % 8 === 0 && bits <= 256)
}

/** Returns the type of the innermost elements of an array, or the type itself. */
export function elementOf(type: string): string {
  const array = arrayOf(type)
  return array === undefined ? type : elementOf(array.type)
}

/**
 * Returns the type and the number of the elements of an array type; the number is undefined if it varies. Returns
 * undefined for other types.
 */
export function arrayOf(
  type: string,
): { readonly type: string; readonly length: number | undefined } | undefined {
  const [, element, length] = ARRAY.exec(type) ?? (type.endsWith('[]') ? [type, type.slice(0, -2)] : [])
  if (element === undefined) return undefined
  return { type: element, length: length === undefined ? undefined : Number(length) }
}

/** Returns the signature of an event or a function, such as `transfer(address,uint256)`. */
export function signatureOf(name: string, inputs: readonly Parameter[]): string {
  return `${name}(${inputs.map(canonical).join(',')})`
}

function canonical({ type, components = [] }: Parameter): string {
  return type.replace(/^tuple/, () => `(${components.map(canonical).join(',')})`)
}

/** Returns how messages name a parameter. */
export function placeOf(parameter: Parameter | undefined, index: number): string {
  const { name = '' } = parameter ?? {}
  return name === '' ? `parameter ${index + 1}` : `parameter ${name}`
}

/**
 * Returns a name of an ABI.
 * @throws EvmError `EVM_MALFORMED` if it is not an identifier
 */
export function readName(name: unknown, where: string, remedy = ''): string {
  if (typeof name === 'string' && NAME.test(name)) return name
  throw malformed(
    `${where}: expected a name of letters, digits and underscores, got ${excerpt(name)}${remedy}`,
  )
}

/** Creates the error for an invalid ABI. */
export function malformed(message: string): EvmError {
  return new EvmError('EVM_MALFORMED', message)
}
