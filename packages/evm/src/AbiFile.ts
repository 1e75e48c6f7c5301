import { excerpt, Hex, isFirnError, isJsonObject } from '@firn/codec'
import * as EventAbi from './EventAbi.ts'
import { entriesOf } from './internal/abiEntries.ts'
import { readLine, type Structs, structsOf } from './internal/abiLines.ts'
import { malformed, readName } from './internal/abiParameters.ts'

/** The events of a file with an ABI. */
export interface AbiFile {
  /** The events, each of them once. */
  readonly events: readonly EventAbi.EventAbi[]
  /** Names of the anonymous events. Their logs cannot be recognized, because they lack the event's topic. */
  readonly anonymous: readonly string[]
}

/** Maximum length of a line in a message. */
const LINE = 80
/** Kinds of entries besides events. An entry without a type is a function. */
const OTHER_KINDS: ReadonlySet<unknown> = new Set([
  undefined,
  'function',
  'constructor',
  'receive',
  'fallback',
  'error',
])

/**
 * Reads the events of an ABI as it is in files: the array that compilers write; an artifact of Hardhat, Foundry or Truffle;
 * the metadata of a contract; the answer of an explorer like Etherscan; a human-readable ABI, whose entries are texts such
 * as `event Paused(address account)`. An event may be repeated, as in the ABI of a proxy that is joined with its
 * implementation's ABI.
 * @throws EvmError `EVM_MALFORMED` with the entry and what to do, if it is not an ABI or an event cannot be decoded
 * @example
 * ```ts
 * import { AbiFile } from '@firn/evm'
 *
 * const { events } = AbiFile.read(['event Transfer(address indexed from, address indexed to, uint256 value)'])
 * console.log(events[0]?.inputs.length) // 3
 * ```
 */
export function read(json: unknown): AbiFile {
  const entries = entriesOf(json)
  const structs = structsOf(entries)
  const events = new Map<string, EventAbi.EventAbi>()
  const anonymous: string[] = []
  for (const [i, entry] of entries.entries()) {
    const found = atEntry(i, entry, () => readEntry(entry, structs))
    if (found === undefined) continue
    if ('anonymous' in found) {
      anonymous.push(found.anonymous)
      continue
    }
    const { event } = found
    const key = [Hex.encodeBare(EventAbi.topic(event)), countIndexed(event)].join()
    const same = events.get(key)
    if (same === undefined) events.set(key, event)
    else if (same.inputs.some(({ indexed }, at) => indexed !== event.inputs[at]?.indexed))
      atEntry(i, entry, () => refuseOther(event))
  }
  return { events: [...events.values()], anonymous }
}

function readEntry(
  entry: unknown,
  structs: Structs,
): { readonly event: EventAbi.EventAbi } | { readonly anonymous: string } | undefined {
  if (typeof entry === 'string') return readLine(entry, structs)
  if (!isJsonObject(entry))
    throw malformed('expected an object, or a text such as "event Paused(address account)"')
  const { type, name, anonymous } = entry
  if (OTHER_KINDS.has(type)) return undefined
  if (type !== 'event')
    throw malformed(
      `unknown type ${JSON.stringify(type)}; expected "event" or "function", or remove the entry`,
    )
  return anonymous === true ? { anonymous: readName(name, 'event') } : { event: EventAbi.readEvent(entry) }
}

/** Only the number of topics distinguishes logs of events with the same first topic. */
function refuseOther(event: EventAbi.EventAbi): never {
  throw malformed(
    `event ${event.name}: an earlier entry has the same signature and number of indexed parameters, but other ones are indexed; remove one of the entries`,
  )
}

function countIndexed({ inputs }: EventAbi.EventAbi): number {
  return inputs.filter(({ indexed }) => indexed).length
}

function atEntry<T>(index: number, entry: unknown, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!isFirnError(error)) throw error
    const line = typeof entry === 'string' ? ` ${excerpt(entry, LINE)}` : ''
    throw malformed(`abi[${index}]${line}: ${error.message}`)
  }
}
