import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServedChain } from '@firn/data-api'
import {
  createEvmIndexer,
  createMetadataWorker,
  createUriReader,
  type EvmIndexer,
  PublicFetch,
  TokenUri,
} from '@firn/indexer'
import type { Logger } from '@firn/runtime'
import { EvmStore, StoredChains, sqlTokenQueue } from '@firn/store/evm'
import { CliError } from '../../CliError.ts'
import type { Chain } from './Chains.ts'
import * as EventFiles from './EventFiles.ts'
import * as Keep from './Keep.ts'

/** Options that select the database of EVM chains. */
export type DatabaseOptions = {
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
  readonly requestTimeout?: number
  /** Whether the command may use the embedded database through the service that has it open. */
  readonly attach?: boolean
}

/** Indexing of EVM chains in the background. Services can read from the stores meanwhile. */
export type EvmIndexing = {
  readonly served: readonly ServedChain[]
  readonly indexer: EvmIndexer
  /** Returns whether each chain has reached the head of its nodes or is indexed by another process. */
  readonly isCaughtUp: () => boolean
  /** Returns descriptions of the current problems. */
  readonly problems: () => readonly string[]
  /** Resolves once the indexing of all chains has stopped. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Returns the stores of the indexed chains. */
export const storesOf = ({ served }: EvmIndexing): readonly EvmStore[] => served.map(({ store }) => store)

/** Returns the path of a chain's folder in the data folder. */
export const folderOf = (dataDir: string, chainId: bigint): string => join(dataDir, `evm-${chainId}`)

/** Opens the store of a chain in PostgreSQL, or in PGlite in its own folder. */
export const openStore = (
  { databaseUrl, dataDir, requestTimeout, attach }: DatabaseOptions,
  chainId: bigint,
  log: Logger,
): Promise<EvmStore> => {
  if (databaseUrl !== undefined) {
    return EvmStore.open({ chainId, url: databaseUrl, statementTimeoutMs: requestTimeout, log })
  }
  const folder = folderOf(dataDir, chainId)
  mkdirSync(folder, { recursive: true })
  return EvmStore.open({ chainId, folder, attach, log })
}

/** Returns the ids of the stored chains, ascending. */
export const storedChains = async ({ databaseUrl, dataDir }: DatabaseOptions): Promise<readonly bigint[]> => {
  if (databaseUrl !== undefined) return StoredChains.list(databaseUrl)
  const folders = existsSync(dataDir) ? readdirSync(dataDir) : []
  const ids = folders.flatMap((name) => /^evm-(\d{1,20})$/.exec(name)?.[1] ?? [])
  return ids.map(BigInt).toSorted((a, b) => (a < b ? -1 : 1))
}

/** Additional options for indexing chains. */
export type Options = DatabaseOptions & {
  /** Gateways for `ipfs:` URIs, in order of preference. */
  readonly ipfsGateway?: readonly string[] | undefined
  /** Time in milliseconds between two requests for new blocks. */
  readonly pollInterval?: number | undefined
  /** Whether to store the event logs of new blocks; true by default. */
  readonly eventLogs?: boolean | undefined
  /** Files and folders with the ABIs of the events to decode. */
  readonly events?: readonly string[] | undefined
  /** File to which TypeScript types of the events are written. */
  readonly eventTypes?: string | undefined
  /** Whether to compare token balances with the contracts' answers; true by default. */
  readonly checkBalances?: boolean | undefined
  /** How long to keep kinds of data; forever by default. */
  readonly keep?: readonly Keep.Keep[] | undefined
}

/**
 * Starts to index chains and to fetch the metadata of their tokens. Continues until the signal is aborted.
 */
export const start = async (
  options: Options,
  chains: readonly Chain[],
  log: Logger,
  signal: AbortSignal,
): Promise<EvmIndexing> => {
  const { ipfs, arweave } = TokenUri.GATEWAYS
  const gateways = { ipfs: options.ipfsGateway ?? ipfs, arweave }
  const stop = new AbortController()
  const until = AbortSignal.any([signal, stop.signal])
  const files = EventFiles.read(options.events ?? [])
  if (files.length > 0 && options.eventLogs === false)
    throw new CliError('CLI_USAGE', 'events are decoded from stored logs; omit --no-event-logs or --events')
  if (options.eventTypes !== undefined) writeFileSync(options.eventTypes, EventFiles.typesOf(files))
  const opened = await openStores(options, chains, log)
  const indexer = createEvmIndexer({
    chains: opened.map(({ chain, store }) => ({
      store,
      chain: chain.about,
      upstreams: chain.urls.map((url) => ({ url })),
      withLogs: options.eventLogs,
      ...(options.events === undefined ? {} : { events: EventFiles.sourcesOf(files, chain.chainId) }),
      checksBalances: options.checkBalances,
      keep: Keep.retentionOf(options.keep ?? [], chain.chainId),
      ...(chain.firstHeight === undefined ? {} : { firstHeight: chain.firstHeight }),
    })),
    pollMs: options.pollInterval,
    log,
  })
  const workers = opened.map(({ store }) => {
    const contracts = indexer.contracts(store.chainId)
    const readUris = createUriReader((calls, asked) => contracts?.callLatest(calls, asked) ?? unread(calls))
    return createMetadataWorker({
      queue: sqlTokenQueue(store),
      readUris,
      fetch: PublicFetch.create(),
      random: Math.random,
      gateways,
      logger: log,
      registry: indexer.metrics,
      chain: String(store.chainId),
    }).run(until)
  })
  const ended = Promise.all([indexer.run(until), ...workers]).then(() => undefined)
  ended.catch(() => undefined)
  return {
    served: opened.map(({ chain, store }) => ({
      store,
      nodes: chain.urls.filter((url) => url.startsWith('http')),
      links: chain.links,
    })),
    indexer,
    isCaughtUp: () => indexer.status().every(({ phase }) => phase === 'tip' || phase === 'standby'),
    problems: () => indexer.status().flatMap(({ problems }) => problems),
    ended,
    close: async () => {
      stop.abort()
      await ended.catch(() => undefined)
      for (const { store } of opened) await store.close()
    },
  }
}

/**
 * Opens and migrates the stores of chains before the indexer starts, because readers may query them earlier.
 */
const openStores = async (
  options: Options,
  chains: readonly Chain[],
  log: Logger,
): Promise<readonly { readonly chain: Chain; readonly store: EvmStore }[]> => {
  const opened: { chain: Chain; store: EvmStore }[] = []
  try {
    for (const chain of chains) {
      const store = await openStore(options, chain.chainId, log)
      opened.push({ chain, store })
      await store.migrate()
    }
    return opened
  } catch (error) {
    for (const { store } of opened) await store.close()
    throw error
  }
}

const unread = async (calls: readonly unknown[]) => calls.map(() => ({ error: 'unavailable' }) as const)
