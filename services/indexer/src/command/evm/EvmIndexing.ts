import { writeFileSync } from 'node:fs'
import { ChainStores, type EvmStore, sqlImageQueue, sqlTokenQueue } from '@firn/evm-store'
import { limitHeapGrowth, OptionsError } from '@firn/options'
import { PublicFetch } from '@firn/outbound'
import { type Logger, supervise, systemClock, withOwner } from '@firn/runtime'
import type { Databases } from '@firn/store'
import { Tracing } from '@firn/tracing'
import { createEvmIndexer, type EvmIndexer } from '../../evm/EvmIndexer.ts'
import type { EvmChainOptions } from '../../evm/EvmIndexerOptions.ts'
import { createImageWorker, FETCH_POLICY } from '../../images/ImageWorker.ts'
import { createMetadataWorker } from '../../metadata/MetadataWorker.ts'
import * as TokenUri from '../../metadata/TokenUri.ts'
import { createUriReader } from '../../metadata/TokenUriReader.ts'
import type { Chain } from './Chains.ts'
import * as EventFiles from './EventFiles.ts'
import * as EventTypes from './EventTypes.ts'
import * as Keep from './Keep.ts'

/** A chain that is indexed, for services that read from its store. */
export type IndexedChain = {
  readonly store: EvmStore
  /** URLs of nodes that answer HTTP requests. */
  readonly nodes: readonly string[]
}

/** Indexing of EVM chains in the background. Services can read from the stores meanwhile. */
export type EvmIndexing = {
  readonly chains: readonly IndexedChain[]
  readonly indexer: EvmIndexer
  /** Returns whether each chain has reached the head of its nodes or is indexed by another process. */
  readonly isCaughtUp: () => boolean
  /** Returns descriptions of the current problems, and of nodes that are used last because they returned wrong data. */
  readonly problems: () => readonly string[]
  /** Resolves once the indexing of all chains has stopped. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Returns the stores of the indexed chains. */
export const storesOf = ({ chains }: EvmIndexing): readonly EvmStore[] => chains.map(({ store }) => store)

/** Additional options for indexing chains. */
export type Options = Databases.Options & {
  /** Gateways for `ipfs:` URIs, in order of preference. */
  readonly ipfsGateway?: readonly string[] | undefined
  /** Total size in bytes of the copies of NFT images to store per chain; 0 by default. */
  readonly nftImageBytes?: number | undefined
  /** Time in milliseconds between two requests for new blocks. */
  readonly pollInterval?: number | undefined
  /** Whether to store the event logs of new blocks; true by default. */
  readonly eventLogs?: boolean | undefined
  /** Files and folders with the ABIs of the events to decode. */
  readonly events?: readonly string[] | undefined
  /** Whether to store only headers and the logs of the events; false by default. */
  readonly eventsOnly?: boolean | undefined
  /** File to which TypeScript types of the events are written. */
  readonly eventTypes?: string | undefined
  /** Whether to compare token balances with the contracts' answers; true by default. */
  readonly checkBalances?: boolean | undefined
  /** Maximum time in milliseconds that a node may take for the traces of a block. */
  readonly traceTimeout?: number | undefined
  /** Whether to fill an empty database without the indexes that only requests need; false by default. */
  readonly indexesAfterBackfill?: boolean | undefined
  /** How long to keep kinds of data; forever by default. */
  readonly keep?: readonly Keep.Keep[] | undefined
}

/** In percent. Limiting it saves a fifth of the memory and costs little processor time; see the indexer's docs/capacity.md. */
const HEAP_GROWTH = 100

/**
 * Starts to index chains and to fetch the metadata of their tokens. Continues until the signal is aborted.
 */
export const start = (
  options: Options,
  chains: readonly Chain[],
  log: Logger,
  signal: AbortSignal,
): Promise<EvmIndexing> =>
  withOwner(async (owner) => {
    const files = readEvents(options, log)
    limitHeapGrowth(HEAP_GROWTH)
    // Readers may query the stores before the indexer starts, so they are migrated here.
    const ids = chains.map(({ chainId }) => chainId)
    const opened = owner.own(await ChainStores.open(options, ids, log, (store) => store.migrate()))
    const followed = chains.map((chain, i) => ({ chain, store: opened.stores[i] as EvmStore }))
    const indexer = createEvmIndexer({
      chains: followed.map(({ chain, store }) => chainOptions(options, chain, store, files)),
      pollMs: options.pollInterval,
      traceTimeoutMs: options.traceTimeout,
      log,
      tracer: Tracing.tracer,
    })
    const stop = new AbortController()
    const until = AbortSignal.any([signal, stop.signal])
    const workers = opened.stores.flatMap((store) => startWorkers(options, indexer, store, log, until))
    const ended = Promise.all([indexer.run(until), ...workers]).then(() => undefined)
    owner.onClose(() => ended.catch(() => undefined))
    owner.onClose(() => stop.abort())
    ended.catch(() => undefined)
    return {
      chains: followed.map(({ chain, store }) => ({
        store,
        nodes: chain.urls.filter((url) => url.startsWith('http')),
      })),
      indexer,
      isCaughtUp: () => indexer.status().every(({ phase }) => phase === 'tip' || phase === 'standby'),
      problems: () =>
        indexer.status().flatMap(({ problems, warnings }) => [...new Set([...problems, ...warnings])]),
      ended,
      close: owner.close,
    }
  })

/** Returns the events to decode. Writes their types if asked. @throws OptionsError if options contradict each other */
const readEvents = (options: Options, log: Logger): readonly EventFiles.EventFile[] => {
  const { files, others } = EventFiles.read(options.events ?? [])
  if (files.length > 0 && options.eventLogs === false)
    throw new OptionsError('events are decoded from stored logs; omit --no-event-logs or --events')
  if (files.length === 0 && options.eventsOnly === true)
    throw new OptionsError('--events-only needs --events <abi-or-folder>')
  if (options.eventTypes !== undefined) writeTypes(options.eventTypes, files)
  logOmitted(files, others, log)
  return files
}

const chainOptions = (
  options: Options,
  { chainId, about, urls, firstHeight }: Chain,
  store: EvmStore,
  files: readonly EventFiles.EventFile[],
): EvmChainOptions => ({
  store,
  chain: about,
  upstreams: urls.map((url) => ({ url })),
  withLogs: options.eventLogs,
  ...(options.events === undefined ? {} : { events: EventFiles.sourcesOf(files, chainId) }),
  isEventsOnly: options.eventsOnly,
  checksBalances: options.checkBalances,
  buildsIndexesLater: options.indexesAfterBackfill,
  keep: Keep.retentionOf(options.keep ?? [], chainId, files.length > 0),
  ...(firstHeight === undefined ? {} : { firstHeight }),
})

/** Starts to read the metadata and to copy the images of a chain's tokens. */
const startWorkers = (
  { ipfsGateway, nftImageBytes: limit = 0 }: Options,
  indexer: EvmIndexer,
  store: EvmStore,
  log: Logger,
  signal: AbortSignal,
): readonly Promise<void>[] => {
  const chain = String(store.chainId)
  const { ipfs, arweave } = TokenUri.GATEWAYS
  const gateways = { ipfs: ipfsGateway ?? ipfs, arweave }
  const common = { random: Math.random, gateways, logger: log, registry: indexer.metrics, chain }
  const contracts = indexer.contracts(store.chainId)
  const metadata = createMetadataWorker({
    queue: sqlTokenQueue(store, { copiesImages: limit > 0 }),
    readUris: createUriReader((calls, asked) => contracts?.callLatest(calls, asked) ?? unread(calls)),
    fetch: PublicFetch.create(),
    ...common,
  })
  const images = createImageWorker({
    queue: sqlImageQueue(store),
    fetch: PublicFetch.create(FETCH_POLICY),
    limit,
    ...common,
  })
  const loop = { clock: systemClock, random: Math.random, log, facts: { chain } }
  return [
    supervise(() => metadata.run(signal), { ...loop, effect: 'metadata of tokens is not read' }, signal),
    supervise(() => images.run(signal), { ...loop, effect: 'images of tokens are not copied' }, signal),
  ]
}

/** @throws OptionsError if the file cannot be written */
const writeTypes = (path: string, files: readonly EventFiles.EventFile[]): void => {
  try {
    writeFileSync(path, EventTypes.format(files))
  } catch (cause) {
    throw new OptionsError(`--event-types: ${(cause as Error).message}`, { cause })
  }
}

/** Logs what the files and folders of `--events` contain besides the events that are decoded. */
const logOmitted = (
  files: readonly EventFiles.EventFile[],
  others: readonly string[],
  log: Pick<Logger, 'warn'>,
): void => {
  if (others.length > 0)
    log.warn(
      { paths: others },
      'not read from the folders of --events: folders, and files that do not end in .json or .abi',
    )
  for (const { path, events, anonymous } of files) {
    if (anonymous.length > 0)
      log.warn(
        { file: path, events: anonymous },
        'anonymous events are not decoded, because their logs do not say which event they are',
      )
    if (events.length === 0) log.warn({ file: path }, 'the ABI has no events')
  }
}

const unread = async (calls: readonly unknown[]) => calls.map(() => ({ error: 'unavailable' }) as const)
