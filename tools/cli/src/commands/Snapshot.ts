import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { Bytes, Hex, isFirnError } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { Database, Doctor } from '@firn/indexer'
import { EvmAddress } from '@firn/keys'
import { Command, Common, group, option, type Terminal, Type, type Values } from '@firn/options'
import * as Meter from '@firn/options/meter'
import { readBytes } from '@firn/rpc'
import { systemClock } from '@firn/runtime'
import { StoreError } from '@firn/sql'
import { Databases, SnapshotFile, type Store } from '@firn/store'
import { CliError } from '../CliError.ts'
import { download } from '../Download.ts'
import * as Input from '../Input.ts'
import * as SnapshotList from '../SnapshotList.ts'
import { parseKey } from './KeyCommands.ts'

const EXPORT_OPTIONS = {
  to: option(Type.path, { isRequired: true, help: 'File to write, such as fuji.snapshot.' }),
  ...Common.NETWORK_DATABASE,
  ...Common.NETWORK_ID,
}

const DIGEST: Type.Type<Uint8Array> = Type.create({
  placeholder: 'hex',
  expected: '32 bytes in hex, as firn snapshot export prints them',
  parse: (text) =>
    /^(0x)?[0-9a-f]{64}$/i.test(text) ? Hex.decode(`0x${text.replace(/^0x/i, '')}`) : undefined,
})

const PUBLISHER: Type.Type<Uint8Array> = Type.create({
  placeholder: 'address',
  expected: 'an EVM address, as firn key address prints it',
  parse: (text) => {
    try {
      return EvmAddress.parse(text)
    } catch (error) {
      if (isFirnError(error)) return undefined
      throw error
    }
  },
})

const IMPORT_OPTIONS = {
  publisher: option(PUBLISHER, {
    help: 'Address that has signed a list of snapshots. The newest one of --network-id is read from the list.',
  }),
  digest: option(DIGEST, {
    help: 'Digest that the snapshot must have. Take it from a source that you trust.',
  }),
  verify: option(Type.flag, {
    default: false,
    help: 'Apply all blocks of the snapshot again, and compare every table.',
  }),
  ...Common.NETWORK_DATABASE,
  ...group('Network', {
    networkId: option(Type.network, {
      aliases: ['network'],
      defaultText: 'the network of the file',
      help: 'Network that the snapshot must have: mainnet, fuji, local, network-<id> or an id.',
    }),
  }),
}

const SIGN_OPTIONS = {
  to: option(Type.path, { isRequired: true, help: 'File to write, such as snapshots.json.' }),
  keyFile: option(Type.path, {
    isRequired: true,
    help: 'File with the private key of the publisher. firn key new makes one.',
  }),
}

const LIST_OPTIONS = {
  publisher: option(PUBLISHER, { isRequired: true, help: 'Address that has signed the list.' }),
}

/** Options of `firn snapshot export`. */
export type ExportOptions = Values<typeof EXPORT_OPTIONS>

/** Options of `firn snapshot import`. */
export type ImportOptions = Values<typeof IMPORT_OPTIONS>

export const EXPORT = Command.create({
  description: 'Writes everything that a database contains of a network into one compressed file.',
  example: '--to fuji.snapshot --network-id fuji',
  options: EXPORT_OPTIONS,
  run: (options, { terminal }) => exportTo(options, terminal),
})

export const IMPORT = Command.create({
  description: 'Reads a file of firn snapshot export into an empty database, and checks it.',
  example: 'fuji.snapshot --verify',
  operands: [
    { name: 'file', help: 'The file to read, or its URL. With --publisher, a list of snapshots or its URL.' },
  ],
  options: IMPORT_OPTIONS,
  check: ({ publisher, networkId }) => {
    if (publisher !== undefined && networkId === undefined)
      throw new CliError('CLI_USAGE', '--publisher needs --network-id, such as --network-id fuji')
  },
  run: (options, { operands: [file = ''], terminal }) => importFrom(file, options, terminal),
})

export const SIGN = Command.create({
  description:
    'Writes a signed list of snapshot files, from which firn snapshot import --publisher chooses. Publish it next to the files.',
  example: 'fuji.snapshot mainnet.snapshot --key-file publisher.key --to snapshots.json',
  operands: [{ name: 'file', help: 'A file of firn snapshot export.', isRepeated: true }],
  options: SIGN_OPTIONS,
  run: ({ to, keyFile }, { operands, terminal }) => sign(operands, to, keyFile, terminal),
})

export const LIST = Command.create({
  description: 'Prints a signed list of snapshots.',
  example: 'https://example.com/snapshots.json --publisher 0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC',
  operands: [{ name: 'list', help: 'The list, a file or its URL.' }],
  options: LIST_OPTIONS,
  run: async ({ publisher }, { operands: [list = ''], terminal }) => {
    for (const entry of await readList(list, publisher, terminal)) printEntry(entry, terminal)
  },
})

/** Higher levels take several times as long for files that are little smaller. */
const LEVEL = 3

/** Writes the file under another name first, so that a file with the final name is always whole. */
const exportTo = async (options: ExportOptions, terminal: Terminal): Promise<void> => {
  const { to } = options
  const part = `${to}.part`
  const store = await Database.openStored({ ...options, attach: true }, terminal)
  const progress = startMeter(terminal, `writing ${to}`)
  try {
    const compress = createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
    })
    const written = pipeline(compress, createWriteStream(part))
    written.catch(() => undefined)
    const sink = async (frame: Uint8Array) => {
      if (!compress.write(frame)) await Promise.race([once(compress, 'drain'), written])
    }
    const { snapshot, digest } = await SnapshotFile.write(store, sink, progress.add, terminal.signal)
    compress.end()
    await written
    await rename(part, to)
    progress.stop()
    const { P, X, C } = snapshot
    terminal.print(`${to}: P ${P.height}, X ${X.height}, C ${C.height}, ${(await stat(to)).size} bytes`)
    terminal.print(`digest ${Hex.encode(digest)}`)
  } catch (error) {
    progress.fail(error)
    await rm(part, { force: true })
    throw error
  } finally {
    await store.close()
  }
}

const importFrom = async (place: string, options: ImportOptions, terminal: Terminal): Promise<void> => {
  const file = await chooseFile(place, options, terminal)
  const contents = () => contentsOf(file, terminal)
  const { networkId, genesisId } = await SnapshotFile.networkOf(contents())
  assertNetwork(networkId, options.networkId)
  const published = Networks.of(networkId).ids?.genesisId
  const store = await Databases.openNetwork(options, networkId, Database.logger(terminal))
  const progress = startMeter(terminal, `reading ${file.place}`)
  try {
    await store.migrate()
    const { snapshot, digest } = await SnapshotFile.read(store, contents(), {
      digest: file.digest,
      genesisId: published ?? genesisId,
      onRows: progress.add,
      signal: terminal.signal,
    })
    progress.stop()
    const { P, X, C } = snapshot
    terminal.print(`network ${networkId}: P ${P.height}, X ${X.height}, C ${C.height}`)
    terminal.print(`digest ${Hex.encode(digest)}`)
    if (options.verify) await verify(store, terminal)
  } catch (error) {
    progress.fail(error)
    throw error
  } finally {
    await store.close()
  }
}

const assertNetwork = (actual: number, expected: number | undefined): void => {
  if (expected === undefined || actual === expected) return
  throw new CliError('CLI_INPUT', `the snapshot is of network ${actual}, expected ${expected}`)
}

/** A snapshot file to import. */
interface SnapshotPlace {
  /** The file's name or URL. */
  readonly place: string
  /** Digest that its state must have, 32 bytes. */
  readonly digest: Uint8Array | undefined
  /** SHA-256 that the file must have, 32 bytes. */
  readonly sha256?: Uint8Array
}

/** Returns the file that was named, or the newest one of the list that was named. */
const chooseFile = async (
  place: string,
  { publisher, networkId, digest }: ImportOptions,
  terminal: Terminal,
): Promise<SnapshotPlace> => {
  if (publisher === undefined || networkId === undefined) return { place, digest }
  const entry = SnapshotList.newest(await readList(place, publisher, terminal), networkId)
  printEntry(entry, terminal)
  const url = isUrl(place) ? new URL(entry.url, place).href : join(dirname(place), entry.url)
  return { place: url, digest: digest ?? entry.digest, sha256: entry.sha256 }
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text)

/** Largest list that is read, in bytes. */
const MAX_LIST = 4 << 20

const readList = async (
  place: string,
  publisher: Uint8Array,
  terminal: Terminal,
): Promise<readonly SnapshotList.Entry[]> => {
  if (!isUrl(place)) return SnapshotList.parse(Input.file(place), publisher)
  const bytes = await readBytes(fetched(place, terminal), (_part, length) => {
    if (length > MAX_LIST) throw new CliError('CLI_INPUT', `${place} is longer than ${MAX_LIST} bytes`)
  })
  return SnapshotList.parse(new TextDecoder().decode(bytes), publisher)
}

const printEntry = (entry: SnapshotList.Entry, terminal: Terminal): void => {
  const { P, X, C } = entry.heights
  const time = new Date(Number(entry.time) * 1000).toISOString().slice(0, 19)
  terminal.print(
    `${entry.url}: network ${entry.networkId}, ${time}, P ${P}, X ${X}, C ${C}, ${entry.size} bytes`,
  )
}

/** Writes the list of these files, signed with the key of a file. */
const sign = async (
  files: readonly string[],
  to: string,
  keyFile: string,
  terminal: Terminal,
): Promise<void> => {
  const key = parseKey(Input.file(keyFile), keyFile)
  const entries: SnapshotList.Entry[] = []
  for (const file of files) {
    const entry = await describe(file, terminal)
    printEntry(entry, terminal)
    entries.push(entry)
  }
  await writeFile(to, SnapshotList.sign(entries, key))
  terminal.print(`${to}: signed by ${SnapshotList.publisherOf(key)}`)
}

const describe = async (file: string, terminal: Terminal): Promise<SnapshotList.Entry> => {
  const hash = createHash('sha256')
  const { networkId, snapshot, digest } = await SnapshotFile.describe(
    contentsOf({ place: file, digest: undefined }, terminal, hash),
  )
  const { P, X, C } = snapshot
  return {
    url: basename(file),
    networkId,
    format: SnapshotFile.FORMAT,
    heights: { P: P.height, X: X.height, C: C.height },
    time: P.time,
    size: (await stat(file)).size,
    sha256: hash.digest(),
    digest,
  }
}

/** Applies the stored blocks again from the genesis. */
const verify = async (store: Store, terminal: Terminal): Promise<void> => {
  const { findings } = await Doctor.examine({ store, source: undefined, replay: true }, terminal.signal)
  for (const { message } of findings) terminal.print(`wrong: ${message}`)
  if (findings.length > 0) {
    const message = `the blocks of the snapshot do not give its state (${findings.length} differences); delete the database`
    throw new CliError('CLI_FINDINGS', message)
  }
  terminal.print('applied all blocks again: every table is the same')
}

const fetched = (url: string, terminal: Terminal): AsyncIterable<Uint8Array> =>
  download(url, {
    clock: systemClock,
    random: Math.random,
    signal: terminal.signal,
    onRetry: (reason) => terminal.note(`${url}: ${reason}; connecting again`),
  })

/** Returns the decompressed contents of a file. Adds its bytes to `hash`, and checks its SHA-256 where it is given. */
async function* contentsOf(
  { place, sha256 }: SnapshotPlace,
  terminal: Terminal,
  hash = createHash('sha256'),
): AsyncGenerator<Uint8Array> {
  const source = isUrl(place) ? Readable.from(fetched(place, terminal)) : createReadStream(place)
  const contents = createZstdDecompress()
  // The error ends `contents`, too, so the loop below throws it.
  pipeline(
    source,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
    },
    contents,
  ).catch(() => undefined)
  try {
    yield* contents
    // The contents end with the last byte of the compressed data, so the hash is complete by now.
    if (sha256 !== undefined && !Bytes.equals(hash.copy().digest(), sha256))
      throw new StoreError('STORE_SNAPSHOT', `${place} has another SHA-256 than the list says`)
  } catch (cause) {
    const { code } = cause as { readonly code?: string }
    if (isFirnError(cause)) throw cause
    if (code?.startsWith('ZSTD_') || code?.startsWith('Z_'))
      throw new StoreError('STORE_SNAPSHOT', `${place} is not a snapshot, or it is damaged`, { cause })
    throw new CliError('CLI_INPUT', `cannot read ${place}: ${(cause as Error).message}`, { cause })
  } finally {
    source.destroy()
  }
}

const startMeter = (terminal: Terminal, title: string) => {
  const rows = new Map<string, number>()
  const meter = Meter.start(terminal, title, () => ({
    part: 0,
    text: [...rows].map(([table, count]) => `${table} ${count}`).join(', '),
  }))
  return {
    add: (table: string, count: number) => void rows.set(table, (rows.get(table) ?? 0) + count),
    stop: () => meter.stop(title),
    fail: (error: unknown) => meter.fail(error instanceof Error ? error.message : String(error)),
  }
}
