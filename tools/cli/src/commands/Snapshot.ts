import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { Hex } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { Doctor } from '@firn/indexer'
import { Command, Common, option, type Terminal, Type, type Values } from '@firn/options'
import { SnapshotFile, type Store, StoreError } from '@firn/store'
import { CliError } from '../CliError.ts'
import * as Meter from '../Meter.ts'
import * as Database from './Database.ts'

const EXPORT_OPTIONS = {
  to: option(Type.path, { isRequired: true, help: 'File to write, such as fuji.snapshot.' }),
  ...Database.OPTIONS,
  ...Common.NETWORK_ID,
}

const DIGEST: Type.Type<Uint8Array> = Type.create({
  placeholder: 'hex',
  expected: '32 bytes in hex, as firn snapshot export prints them',
  parse: (text) =>
    /^(0x)?[0-9a-f]{64}$/i.test(text) ? Hex.decode(`0x${text.replace(/^0x/i, '')}`) : undefined,
})

const IMPORT_OPTIONS = {
  digest: option(DIGEST, {
    help: 'Digest that the snapshot must have. Take it from a source that you trust.',
  }),
  verify: option(Type.flag, {
    default: false,
    help: 'Apply all blocks of the snapshot again, and compare every table.',
  }),
  ...Database.OPTIONS,
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
  operands: [{ name: 'file', help: 'The file to read.' }],
  options: IMPORT_OPTIONS,
  run: (options, { operands: [file = ''], terminal }) => importFrom(file, options, terminal),
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

const importFrom = async (file: string, options: ImportOptions, terminal: Terminal): Promise<void> => {
  const { networkId, genesisId } = await SnapshotFile.networkOf(contentsOf(file))
  const published = Networks.of(networkId).ids?.genesisId
  const store = await Database.openStore(options, networkId, Database.logger(terminal))
  const progress = startMeter(terminal, `reading ${file}`)
  try {
    await store.migrate()
    const { snapshot, digest } = await SnapshotFile.read(store, contentsOf(file), {
      digest: options.digest,
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

/** Returns the decompressed contents of a file. */
async function* contentsOf(file: string): AsyncGenerator<Uint8Array> {
  const source = createReadStream(file)
  const contents = createZstdDecompress()
  // The error ends `contents`, too, so the loop below throws it.
  pipeline(source, contents).catch(() => undefined)
  try {
    yield* contents
  } catch (cause) {
    const { code } = cause as { readonly code?: string }
    if (code?.startsWith('ZSTD_') || code?.startsWith('Z_'))
      throw new StoreError('STORE_SNAPSHOT', `${file} is not a snapshot, or it is damaged`, { cause })
    throw new CliError('CLI_INPUT', `cannot read ${file}: ${(cause as Error).message}`, { cause })
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
