import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { excerpt, Hex } from '@firn/codec'
import { AbiSignature, ContractAbi, EventAbi } from '@firn/evm'
import { DataApiError } from '../http/endpoint/DataApiError.ts'

/** Signatures by the first bytes of calls and the first topics of logs. */
export interface Selectors {
  /** Signatures of functions by their selectors in hex, without `0x`. */
  readonly functions: ReadonlyMap<string, readonly string[]>
  /** Signatures of events by their first topics in hex, without `0x`. */
  readonly events: ReadonlyMap<string, readonly string[]>
  readonly count: number
  /** Descriptions of the first entries that were left out, and their number. */
  readonly problems: readonly string[]
  readonly omitted: number
}

/** Maximum size of a selector file in bytes, and of its number of signatures. */
const MAX_BYTES = 32 << 20
const MAX_SIGNATURES = 200_000
/** Signatures of one selector that are kept. Thousands can be made for one on purpose. */
const MAX_CANDIDATES = 16
const MAX_PROBLEMS = 5
/** Signatures that are parsed before other work gets its turn. */
const BATCH = 500

/**
 * Reads a selector file. Entries that are wrong are left out, with a description of the first ones.
 * @throws DataApiError `DATA_CONFIGURATION` if nothing of the file can be used
 */
export async function read(path: string): Promise<Selectors> {
  // A named pipe would otherwise wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: Error) => {
    throw invalid(path, cause.message, cause)
  })
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw invalid(path, 'expected a file')
    if (stat.size > MAX_BYTES) throw invalid(path, `expected at most ${MAX_BYTES} bytes, got ${stat.size}`)
    return await parse(await file.readFile('utf8'))
  } catch (cause) {
    if (cause instanceof DataApiError && cause.message.startsWith(path)) throw cause
    throw invalid(path, (cause as Error).message, cause as Error)
  } finally {
    await file.close()
  }
}

/**
 * Parses the text of a selector file: a signature a line, or JSON.
 * @throws DataApiError `DATA_CONFIGURATION`
 */
export async function parse(text: string): Promise<Selectors> {
  const functions = new Map<string, readonly string[]>()
  const events = new Map<string, readonly string[]>()
  const problems: string[] = []
  let [count, omitted, seen] = [0, 0, 0]
  for (const entry of entriesOf(text)) {
    if (++seen % BATCH === 0) await yieldToOthers()
    if (count >= MAX_SIGNATURES)
      throw new DataApiError('DATA_CONFIGURATION', `expected at most ${MAX_SIGNATURES} signatures`)
    try {
      const { kind, key, signature } = readEntry(entry)
      // Data of reverted calls are not stored, so errors cannot be decoded.
      if (kind === 'error') continue
      const list = kind === 'event' ? events : functions
      const known = list.get(key) ?? []
      if (known.includes(signature) || known.length >= MAX_CANDIDATES) continue
      list.set(key, [...known, signature])
      count++
    } catch (error) {
      omitted++
      if (problems.length < MAX_PROBLEMS) problems.push(`${entry.place}: ${(error as Error).message}`)
    }
  }
  return { functions, events, count, problems, omitted }
}

/** A signature as it is written in a file. */
interface Entry {
  readonly place: string
  /** Selector or first topic, with `0x`; undefined if the file does not tell it. */
  readonly key?: string | undefined
  readonly signature: unknown
}

function entriesOf(text: string): Iterable<Entry> {
  const [first] = text.trimStart()
  return first === '[' || first === '{' ? jsonEntries(JSON.parse(text)) : lines(text)
}

const LINE = /^(?:(0x[0-9a-f]{8}|0x[0-9a-f]{64})(?:\s*[:=,;]\s*|\s+))?"?([^"]*?)"?[;,]?$/i

function* lines(text: string): Iterable<Entry> {
  let number = 0
  for (const [line] of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    number++
    const content = line.trim()
    if (content === '' || content.startsWith('#') || content.startsWith('//')) continue
    const [, key, signature = content] = (content.length < 8_192 ? LINE.exec(content) : undefined) ?? []
    yield { place: `line ${number}`, key, signature }
  }
}

/** Reads a list of signatures or entries of an ABI, or an object with signatures by their selectors and topics. */
function* jsonEntries(json: unknown): Iterable<Entry> {
  if (Array.isArray(json)) {
    for (const [i, signature] of json.entries()) yield { place: `[${i}]`, signature }
    return
  }
  for (const [key, value] of Object.entries(json as object)) {
    const all: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (const signature of all) yield { place: excerpt(key), key, signature }
  }
}

function readEntry({ key, signature }: Entry) {
  const isTopic = key !== undefined && key.length > 10
  const given = typeof signature === 'string' ? signature : signatureOf(signature)
  const text = isTopic && !/^\s*event\s/.test(given) ? `event ${given}` : given
  const described = AbiSignature.parse(text)
  const own =
    described.kind === 'event'
      ? Hex.encodeBare(EventAbi.topic(described.abi))
      : ContractAbi.selector(described.abi)
  if (key !== undefined && key.toLowerCase() !== `0x${own}`)
    throw new DataApiError(
      'DATA_CONFIGURATION',
      `expected ${`0x${own}`}, the selector of the signature, got ${excerpt(key)}`,
    )
  return { kind: described.kind, key: own, signature: text.trim() }
}

/** Returns an entry of an ABI as a signature. */
function signatureOf(entry: unknown): string {
  const { type } = (entry ?? {}) as { readonly type?: unknown }
  const given = entry as Readonly<Record<string, unknown>>
  if (type === 'event') {
    const { name, inputs } = EventAbi.readEvent(given)
    return `event ${name}(${inputs.map((input) => `${typeText(input)}${input.indexed ? ' indexed' : ''} ${input.name}`).join(', ')})`
  }
  if (type === 'function' || type === 'error') {
    const { name, inputs } = ContractAbi.readFunction(given)
    return `${type} ${name}(${inputs.map((input) => `${typeText(input)} ${input.name}`).join(', ')})`
  }
  throw new DataApiError(
    'DATA_CONFIGURATION',
    'expected a signature, or an entry of an ABI with the type function, event or error',
  )
}

/** Returns a type as in Solidity, such as `(address token, uint256 amount)[]`. */
export function typeText({ type, components = [] }: EventAbi.Parameter): string {
  const members = components.map((member) => `${typeText(member)} ${member.name}`.trimEnd())
  return type.replace(/^tuple/, () => `(${members.join(', ')})`)
}

function invalid(path: string, message: string, cause?: Error): DataApiError {
  return new DataApiError('DATA_CONFIGURATION', `${path}: ${message}`, { cause })
}
