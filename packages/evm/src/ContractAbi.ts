import { Hex, isJsonObject } from '@firn/codec'
import * as EventAbi from './EventAbi.ts'
import { EvmError } from './EvmError.ts'
import {
  budget,
  malformed,
  type Parameter,
  readName,
  readParameters,
  signatureOf,
} from './internal/abiParameters.ts'
import { append } from './internal/append.ts'
import { selectorOf } from './internal/selectorOf.ts'

/** A function of an ABI. */
export interface FunctionAbi {
  readonly name: string
  readonly inputs: readonly Parameter[]
}

/** The functions and events of a contract. */
export interface ContractAbi {
  /** Functions by their selectors in hex, without `0x`. Selectors can collide. */
  readonly functions: ReadonlyMap<string, readonly FunctionAbi[]>
  /** Events by their first topics in hex, without `0x`. Anonymous events are missing. */
  readonly events: ReadonlyMap<string, readonly EventAbi.EventAbi[]>
  /** Number of functions, events, parameters and members of tuples. */
  readonly size: number
  /** Number of entries that were omitted, because they have types that are not decoded. */
  readonly omitted: number
}

/** Maximum number of entries of an ABI, and of their parameters with the members of tuples. */
const MOST_ENTRIES = 10_000
const MOST_NODES = 50_000

/**
 * Returns the functions and events of an ABI, which is an array of entries as compilers write it. Entries with unknown
 * types are omitted, such as functions of libraries that take storage.
 * @throws EvmError `EVM_MALFORMED` if it is not an ABI, or too large
 * @example
 * ```ts
 * import { ContractAbi } from '@firn/evm'
 *
 * const inputs = [{ name: 'to', type: 'address' }, { name: 'value', type: 'uint256' }]
 * const abi = ContractAbi.parse([{ type: 'function', name: 'transfer', inputs }])
 * console.log(abi.functions.get('a9059cbb')?.[0]?.name) // 'transfer'
 * ```
 */
export function parse(entries: unknown): ContractAbi {
  if (!Array.isArray(entries) || entries.length > MOST_ENTRIES)
    throw malformed(`expected an ABI: an array of at most ${MOST_ENTRIES} entries`)
  const functions = new Map<string, readonly FunctionAbi[]>()
  const events = new Map<string, readonly EventAbi.EventAbi[]>()
  let [size, omitted] = [0, 0]
  for (const entry of entries as readonly unknown[]) {
    if (!isJsonObject(entry)) throw malformed('expected an ABI whose entries are objects')
    try {
      if (entry['type'] === 'function') {
        const found = readFunction(entry)
        append(functions, selector(found), found)
        size += sizeOf(found.inputs)
      } else if (entry['type'] === 'event' && entry['anonymous'] !== true) {
        const found = EventAbi.readEvent(entry)
        append(events, Hex.encodeBare(EventAbi.topic(found)), found)
        size += sizeOf(found.inputs)
      }
    } catch (error) {
      if (!(error instanceof EvmError)) throw error
      omitted++
    }
    if (size > MOST_NODES) throw malformed(`expected an ABI of at most ${MOST_NODES} parameters`)
  }
  return { functions, events, size, omitted }
}

/**
 * Returns a function of an ABI.
 * @throws EvmError `EVM_MALFORMED`
 * @example
 * ```ts
 * import { ContractAbi } from '@firn/evm'
 *
 * ContractAbi.readFunction({ name: 'pause', inputs: [] }).name // 'pause'
 * ```
 */
export function readFunction(entry: Readonly<Record<string, unknown>>): FunctionAbi {
  const name = readName(entry['name'], 'function')
  return { name, inputs: readParameters(entry['inputs'], `function ${name}`, budget()) }
}

/**
 * Returns the signature of a function, such as `transfer(address,uint256)`.
 * @example
 * ```ts
 * import { ContractAbi } from '@firn/evm'
 *
 * ContractAbi.signature({ name: 'pause', inputs: [] }) // 'pause()'
 * ```
 */
export function signature({ name, inputs }: FunctionAbi): string {
  return signatureOf(name, inputs)
}

/**
 * Returns the selector of a function in hex, without `0x`.
 * @example
 * ```ts
 * import { ContractAbi } from '@firn/evm'
 *
 * ContractAbi.selector({ name: 'pause', inputs: [] }) // '8456cb59'
 * ```
 */
export function selector(abi: FunctionAbi): string {
  return Hex.encodeBare(selectorOf(signature(abi)))
}

function sizeOf(inputs: readonly Parameter[]): number {
  return 1 + inputs.reduce((sum, { components = [] }) => sum + sizeOf(components), 0)
}
