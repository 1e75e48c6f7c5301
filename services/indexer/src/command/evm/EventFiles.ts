import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { excerpt, Hex } from '@firn/codec'
import { AbiFile, EventAbi } from '@firn/evm'
import type { EventTables } from '@firn/evm-store'
import { OptionsError } from '@firn/options'

/** The events of a file, and the contracts whose events are decoded: of every chain, or by chain id. */
export type EventFile = AbiFile.AbiFile & {
  /** Name of the file without its ending. */
  readonly abi: string
  readonly path: string
  readonly addresses: readonly Uint8Array[] | Readonly<Record<string, readonly Uint8Array[]>>
}

/** Files with ABIs, and what the folders contain besides. */
export type EventFiles = {
  readonly files: readonly EventFile[]
  /** Paths in the given folders that are not read: folders, and files with other endings. */
  readonly others: readonly string[]
}

const ENDING = /\.(?:json|abi)$/i
/** Each event has a table, and each of them takes some milliseconds for each new block. */
const MOST_EVENTS = 1_000

/**
 * Reads ABIs from files, and from all files in folders that end in `.json` or `.abi`. A file contains an ABI in one of the
 * forms of `AbiFile.read`. An object with the ABI as `abi` can have `addresses`, to decode only the events of some
 * contracts: a list, or an object with chain ids as keys.
 * @throws OptionsError with the file, the entry and what to do, if a file or an event cannot be used
 */
export const read = (paths: readonly string[]): EventFiles => {
  const others: string[] = []
  const files = new Map<string, EventFile>()
  for (const path of paths) {
    const listed = attempt(path, () => list(path))
    others.push(...listed.filter((file) => file !== path && !isAbi(file)))
    const own = listed.filter((file) => file === path || isAbi(file))
    for (const file of own) {
      const real = attempt(file, () => realpathSync(file))
      if (!files.has(real))
        files.set(
          real,
          attempt(file, () => readFile(file)),
        )
    }
    const events = own.flatMap((file) => files.get(realpathSync(file))?.events ?? [])
    if (events.length === 0)
      throw new OptionsError(`${path}: expected an ABI with events, or a folder of such files`)
  }
  const all = [...files.values()]
  assertDifferent(all)
  return { files: all, others }
}

/** Returns the paths in a folder without hidden ones, or the path of a file itself. */
const list = (path: string): readonly string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => !name.startsWith('.'))
        .toSorted()
        .map((name) => join(path, name))
    : [path]

const isAbi = (path: string): boolean => ENDING.test(path) && attempt(path, () => statSync(path).isFile())

const readFile = (path: string): EventFile => {
  const json = parseJson(textOf(readFileSync(path)))
  // Systems differ in how they compose the letters of file names, and clients request the composed form.
  const abi = basename(path).replace(ENDING, '').normalize('NFC')
  if (/[\p{Cc}\p{Cs}\u{fffd}]/u.test(abi))
    throw new OptionsError('the file name has control characters or is not UTF-8; rename the file')
  return { abi, path, ...AbiFile.read(json), addresses: addressesOf(json) }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new OptionsError(`expected an ABI as JSON: ${(cause as Error).message}`, { cause })
  }
}

/** Decodes UTF-8, or UTF-16 with a byte order mark, which shells of Windows write. */
const textOf = (bytes: Uint8Array): string => {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new OptionsError(`the file is not ${encoding.toUpperCase()}; save it as UTF-8`, { cause })
  }
}

const addressesOf = (json: unknown): EventFile['addresses'] => {
  const { addresses = [] } = (json ?? {}) as { readonly addresses?: unknown }
  if (Array.isArray(addresses)) return addresses.map(readAddress)
  if (typeof addresses !== 'object' || addresses === null) throw wrongAddresses(addresses)
  return Object.fromEntries(
    Object.entries(addresses as Readonly<Record<string, unknown>>).map(([chainId, own]) => {
      if (!/^[1-9]\d{0,19}$/.test(chainId) || !Array.isArray(own)) throw wrongAddresses({ [chainId]: own })
      return [chainId, own.map(readAddress)]
    }),
  )
}

const wrongAddresses = (given: unknown): OptionsError =>
  new OptionsError(
    `addresses: expected a list of addresses, or an object of lists with decimal chain ids as keys, got ${excerpt(given)}`,
  )

const readAddress = (address: unknown): Uint8Array => {
  if (typeof address === 'string' && /^0x[0-9a-fA-F]{40}$/.test(address))
    return Hex.decode(address.toLowerCase())
  throw new OptionsError(
    `expected an address of 0x and 40 hexadecimal digits, got ${JSON.stringify(address)}`,
  )
}

/** Events are requested by the names of their ABIs, so these must differ. */
const assertDifferent = (files: readonly EventFile[]): void => {
  const paths = new Map<string, string>()
  for (const { abi, path, events } of files)
    for (const event of events) {
      const [name] = EventAbi.names({ abi, event })
      const other = paths.get(name)
      if (other !== undefined)
        throw new OptionsError(`${path}: ${other} has the same name and event ${event.name}; rename a file`)
      paths.set(name, path)
    }
  if (paths.size <= MOST_EVENTS) return
  const largest = files.toSorted((a, b) => b.events.length - a.events.length)[0] as EventFile
  throw new OptionsError(
    `${paths.size} events in the files of --events, of which ${largest.path} has ${largest.events.length}; each has a table, so give at most ${MOST_EVENTS} and remove the entries that you do not need`,
  )
}

const attempt = <T>(file: string, work: () => T): T => {
  try {
    return work()
  } catch (cause) {
    throw new OptionsError(`${file}: ${(cause as Error).message}`, { cause })
  }
}

/** Returns the events to decode on a chain. If a file has addresses by chain id, other chains have none of its events. */
export const sourcesOf = (files: readonly EventFile[], chainId: bigint): readonly EventTables.EventSource[] =>
  files.flatMap(({ abi, events, addresses }) => {
    const own = Array.isArray(addresses)
      ? (addresses as readonly Uint8Array[])
      : (addresses as Readonly<Record<string, readonly Uint8Array[]>>)[String(chainId)]
    return own === undefined ? [] : events.map((event) => ({ abi, event, addresses: own }))
  })
