import { existsSync } from 'node:fs'
import {
  appendFile,
  type FileHandle,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Bytes, CHAIN_ALIASES, type ChainAlias, CheckedHex, Hex, Id, Json } from '@firn/codec'
import { CChainGenesis, EvmGenesis, Upgrades, XChainGenesis } from '@firn/genesis'
import { LedgerState, Vertices } from '@firn/ledger'
import type { Clock, Logger } from '@firn/runtime'
import { Store } from '@firn/store'
import { IndexerError } from '../../common/IndexerError.ts'
import * as Problems from '../../common/Problems.ts'
import * as DecodedBlock from '../DecodedBlock.ts'
import { createFeed, type Feed } from '../Feed.ts'
import * as Metrics from '../Metrics.ts'
import { type Source, withVertices } from '../Source.ts'
import { createStopwatch } from '../Stopwatch.ts'
import { createVertexFeed, type Place } from '../VertexFeed.ts'
import * as Archive from './Archive.ts'
import { ARCHIVE_FILES, type NetworkRules } from './GenesisFiles.ts'
import { lastWhole } from './lines.ts'

/** Options of {@link writeArchive}. */
export interface ArchiveOptions {
  readonly source: Source
  readonly rules: NetworkRules
  /** Target folder; created if missing. */
  readonly to: string
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  /** Interval at which the tip is polled, in milliseconds. */
  readonly pollMs: number
  /** Called after blocks were written, with the height of the last written block and, if known, the tip. */
  readonly onProgress?: (chain: ChainAlias, height: bigint, tip: bigint | undefined) => void
}

/** Number of consecutive answers without new blocks that confirm the tip. */
const CONFIRMATIONS = 3

/**
 * Writes the blocks of a source into an archive, up to the tip: one file for each chain, the X-chain's vertices if the
 * network had any, the genesis and the upgrade times. Resumes an existing archive, replaces a truncated last line, and
 * updates the upgrade times.
 * @throws IndexerError `INDEXER_ARCHIVE_EXISTS` if the folder contains an archive with a different genesis,
 * `INDEXER_UPGRADES` if the archive has another time of an upgrade that is active at its last block,
 * `INDEXER_NO_VERTICES` if the source lacks the vertices; errors of the source and the file system
 */
export async function writeArchive(options: ArchiveOptions, signal: AbortSignal): Promise<void> {
  const { to, rules } = options
  await mkdir(join(to, 'genesis'), { recursive: true })
  await assertSameGenesis(to, rules)
  await writeUpgrades(to, rules)
  await writeGenesis(to, rules)
  const state = LedgerState.create(rules.genesis, rules.constants)
  await writeVertices(options, state, signal)
  for (const chain of CHAIN_ALIASES) {
    if (signal.aborted) return
    await writeChain(options, state, chain, signal)
  }
}

/** Folder of an archive with a database of vertices that a node returned in its own order, until they are written. */
const FETCHED = 'x/.fetched'

/** Writes the X-chain's vertices, if the network has any. They come first, because an archive is useless without them. */
async function writeVertices(
  options: ArchiveOptions,
  { rules }: LedgerState.LedgerState,
  signal: AbortSignal,
): Promise<void> {
  const { source, to, rules: network } = options
  const { cortinaXChainStopVertexId: stopVertexId } = rules.constants.upgrades
  if (Bytes.isZero(stopVertexId)) return
  const path = join(to, Archive.VERTICES)
  await mkdir(dirname(path), { recursive: true })
  const last = await lastVertex(path, rules.chainIds.X)
  const place = { path, chainId: rules.chainIds.X, stopVertexId, last }
  if (isStop(place, last)) return removeFetched(to)
  if (source.fetchVertices === undefined) return appendVertices(options, place, signal)
  const store = await Store.open({ folder: join(to, FETCHED) })
  try {
    await store.migrate()
    const target = { store, stopVertexId, since: network.genesis.platform.timestamp }
    await appendVertices({ ...options, source: withVertices(source, target) }, place, signal)
  } finally {
    await store.close()
  }
  if (!signal.aborted) await removeFetched(to)
}

async function removeFetched(to: string): Promise<void> {
  await rm(join(to, FETCHED), { recursive: true, force: true })
}

interface VertexFile {
  readonly path: string
  readonly chainId: Uint8Array
  readonly stopVertexId: Uint8Array
  /** Last vertex in the file. */
  readonly last: Place | undefined
}

function isStop({ stopVertexId }: VertexFile, last: Place | undefined): boolean {
  return last !== undefined && Bytes.equals(last.id, stopVertexId)
}

async function appendVertices(options: ArchiveOptions, file: VertexFile, signal: AbortSignal): Promise<void> {
  const { source, clock } = options
  const { path, chainId, stopVertexId } = file
  let { last } = file
  const metrics = Metrics.create()
  const stopwatch = createStopwatch(clock, metrics)
  const parts = { chainId, stopVertexId, after: last, once: true, metrics, stopwatch }
  const feed = createVertexFeed({ ...options, ...parts, problems: Problems.create() })
  while (!signal.aborted && !isStop(file, last)) {
    feed.request(signal)
    // More vertices can arrive while these are written.
    const heads = feed.heads().slice()
    if (heads.length > 0) {
      await appendFile(path, heads.map((vertex) => `${Archive.formatVertex(vertex)}\n`).join(''))
      last = heads.at(-1)
      feed.take(heads.length)
      continue
    }
    if (feed.isAbsent()) return
    if (feed.isUnavailable()) throw withoutVertices(source.name)
    await feed.arrival()
    if (feed.heads().length === 0) await nap(options, signal)
  }
}

function withoutVertices(name: string): IndexerError {
  const words = `${name} does not have the X-chain's vertices from before its block 1, without which an archive cannot be indexed`
  return new IndexerError('INDEXER_NO_VERTICES', words, { details: { origin: name } })
}

/** Returns the last vertex in a file. Removes a truncated line at its end. */
async function lastVertex(path: string, chainId: Uint8Array): Promise<Place | undefined> {
  if (!existsSync(path)) return undefined
  const { size, text } = await lastWhole(path)
  await truncate(path, size)
  if (text === undefined) return undefined
  return Vertices.decode(Archive.parseVertex(text, `${path}: last line`).bytes, chainId)
}

async function assertSameGenesis(to: string, { genesis }: NetworkRules): Promise<void> {
  const ids = join(to, ARCHIVE_FILES.ids)
  if (!existsSync(ids)) return
  const known = (Json.parse(await readFile(ids, 'utf8')) as { genesisHash?: Json.Json }).genesisHash
  if (known === Hex.encode(genesis.genesisId)) return
  throw new IndexerError(
    'INDEXER_ARCHIVE_EXISTS',
    `${to} already holds an archive with another genesis (${known}). Choose another folder.`,
  )
}

async function writeGenesis(to: string, { genesis }: NetworkRules): Promise<void> {
  const ids = join(to, ARCHIVE_FILES.ids)
  if (existsSync(ids)) return
  const members = {
    networkID: genesis.networkId,
    genesisBytes: Hex.encode(genesis.bytes),
    genesisHash: Hex.encode(genesis.genesisId),
    avaxAssetID: Id.format(genesis.avaxAssetId),
    pGenesisBlockID: Id.format(genesis.firstBlock.id),
    xchain: Id.format(genesis.xChain.blockchainId),
    cchain: Id.format(genesis.cChain.blockchainId),
  }
  await writeFile(ids, `${Json.stringify(members)}\n`)
}

/** Writes the upgrade times. An archive that is resumed can have older ones, from before an upgrade was scheduled. */
async function writeUpgrades(to: string, { constants: { upgrades } }: NetworkRules): Promise<void> {
  const path = join(to, ARCHIVE_FILES.upgrades)
  if (existsSync(path)) {
    const known = Upgrades.readMembers(Json.parse(await readFile(path, 'utf8')))
    assertSamePast(path, activeAt(known, await lastTime(to)), upgrades)
  }
  const draft = `${path}.draft`
  await writeFile(draft, `${Json.stringify(Upgrades.toJSON(upgrades))}\n`)
  await rename(draft, path)
}

function assertSamePast(path: string, past: Partial<Upgrades.Upgrades>, given: Upgrades.Upgrades): void {
  const [difference] = Upgrades.differences(past, given)
  if (difference === undefined) return
  const { member, values } = difference
  throw new IndexerError(
    'INDEXER_UPGRADES',
    `${path}: ${member} is ${values[0]} for the blocks of the archive, and ${values[1]} on the network. Pass --upgrade-file with the correct value, or remove this file if its value is wrong.`,
  )
}

/** Returns the upgrades that are active at `time` (Unix seconds), with the duration of epochs if there are epochs. */
function activeAt(known: Partial<Upgrades.Upgrades>, time: bigint): Partial<Upgrades.Upgrades> {
  const { graniteEpochDuration, granite = Upgrades.UNSCHEDULED } = known
  const names = Upgrades.NAMES.filter((name) => (known[name] ?? Upgrades.UNSCHEDULED) <= time)
  const times: Partial<Upgrades.Upgrades> = Object.fromEntries(names.map((name) => [name, known[name]]))
  return granite > time || graniteEpochDuration === undefined ? times : { ...times, graniteEpochDuration }
}

/** Returns the time of the archive's last block in Unix seconds; 0 for an archive without blocks. */
async function lastTime(to: string): Promise<bigint> {
  const times: number[] = []
  for (const chain of CHAIN_ALIASES) times.push(Number((await lastBlock(to, chain))?.time ?? 0n))
  return BigInt(Math.max(...times))
}

async function writeChain(
  options: ArchiveOptions,
  state: LedgerState.LedgerState,
  chain: ChainAlias,
  signal: AbortSignal,
): Promise<void> {
  const { source, to, clock, onProgress } = options
  const path = join(to, Archive.FILES[chain])
  await mkdir(dirname(path), { recursive: true })
  const link = await resume(chain, options, state)
  const metrics = Metrics.create()
  const feed = createFeed({
    ...options,
    chain,
    link,
    once: true,
    signedBy: source.isFixed ? undefined : state.rules.chainIds[chain],
    metrics,
    problems: Problems.create(),
    stopwatch: createStopwatch(clock, metrics),
  })
  const file = await open(path, 'a')
  try {
    if (link.height === 0n && (await file.stat()).size === 0)
      await file.appendFile(`${firstLine(chain, options.rules)}\n`)
    const needed = source.isFixed ? 1 : CONFIRMATIONS
    while (!signal.aborted && feed.confirmations() < needed) {
      feed.request(signal)
      const height = await writeHeads(file, feed)
      if (height !== undefined) onProgress?.(chain, height, feed.tip())
      else await Promise.all([feed.arrival(), feed.confirmations() > 0 ? nap(options, signal) : undefined])
    }
  } finally {
    await file.close()
  }
}

async function nap({ clock, pollMs }: ArchiveOptions, signal: AbortSignal): Promise<void> {
  await clock.sleep(pollMs, signal).catch(() => undefined)
}

async function writeHeads(file: FileHandle, feed: Feed): Promise<bigint | undefined> {
  const lines: string[] = []
  let height: bigint | undefined
  for (let block = feed.head(); block !== undefined; block = feed.head()) {
    lines.push(`${lineOf(block)}\n`)
    height = block.height
    feed.take()
  }
  if (lines.length > 0) await file.appendFile(lines.join(''))
  return height
}

function lineOf({ chain, height, id, time = 0n, bytes, container }: DecodedBlock.DecodedBlock): string {
  return Archive.formatLine(chain, {
    height,
    id,
    time,
    bytes,
    ...(container === undefined ? {} : { container }),
  })
}

/** Returns the link to the last block in a chain's file. */
async function resume(
  chain: ChainAlias,
  { to, rules }: ArchiveOptions,
  state: LedgerState.LedgerState,
): Promise<DecodedBlock.Link> {
  const last = await lastBlock(to, chain)
  if (last !== undefined) return DecodedBlock.linkOf(last)
  const { blockId } = LedgerState.tip(state, chain)
  const first = chain === 'C' ? firstEvmBlock(rules) : blockId
  return { height: 0n, blockId: first, containerId: first }
}

/** Returns the last block in a chain's file. Removes a truncated line at the end of the file. */
async function lastBlock(to: string, chain: ChainAlias): Promise<DecodedBlock.DecodedBlock | undefined> {
  const path = join(to, Archive.FILES[chain])
  if (!existsSync(path)) return undefined
  const { size, text } = await lastWhole(path)
  await truncate(path, size)
  const block = text === undefined ? undefined : Archive.parseLine(chain, text, `${path}: last line`).block
  return block === undefined ? undefined : DecodedBlock.decode(chain, block)
}

function firstEvmBlock({ genesis, constants }: NetworkRules): Uint8Array {
  return CChainGenesis.firstBlock(EvmGenesis.parse(genesis.cChain.genesisData), constants.upgrades).hash
}

/**
 * Formats the line of block 0. The C-chain's line contains only the hash, because not every node API serves
 * the block's bytes.
 */
function firstLine(chain: ChainAlias, rules: NetworkRules): string {
  const { genesis, constants } = rules
  if (chain === 'C') return JSON.stringify({ height: 0, hash: Hex.encode(firstEvmBlock(rules)) })
  const bytes =
    chain === 'P' ? genesis.firstBlock.bytes : firstAvmBlock(genesis.xChain.blockchainId, constants.upgrades)
  return JSON.stringify({ height: 0, id: Id.format(Id.hash(bytes)), blockBytes: CheckedHex.encode(bytes) })
}

function firstAvmBlock(
  chainId: Uint8Array,
  { cortinaXChainStopVertexId: stop, cortina }: Upgrades.Upgrades,
): Uint8Array {
  return XChainGenesis.firstBlock(
    Bytes.isZero(stop) ? XChainGenesis.emptyStopVertexId(chainId) : stop,
    cortina,
  )
}
