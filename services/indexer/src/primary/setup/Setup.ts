import { readFile } from 'node:fs/promises'
import { Bytes, Id, isFirnError } from '@firn/codec'
import { createClient, InfoMethods } from '@firn/rpc'
import type { Clock, Logger } from '@firn/runtime'
import type { Store } from '@firn/store'
import { IndexerError } from '../../common/IndexerError.ts'
import { createArchiveSource } from '../archive/ArchiveSource.ts'
import * as GenesisFiles from '../archive/GenesisFiles.ts'
import type { NodeSourceOptions } from '../node/NodeSource.ts'
import { createUpstreamSource } from '../node/UpstreamSource.ts'
import type { Source } from '../Source.ts'
import { first, impatient } from './askNodes.ts'
import { ATTEMPTS, readGenesisId, readNodeUpgrades, readUpgrades } from './readRules.ts'
import { type StakingOptions, withStaking } from './StakingRules.ts'

/** Command-line options that select the source of the blocks. */
export interface SourceOptions {
  /** Path of an archive folder. */
  readonly from?: string | undefined
  readonly upstreams?: readonly NodeSourceOptions[]
  readonly clock: Clock
  /** Receives lines about nodes that return wrong data. */
  readonly log?: Logger
}

/**
 * Creates the source that the command-line options select: an archive or nodes.
 * @throws IndexerError `INDEXER_CONFIGURATION`, `INDEXER_ARCHIVE`
 */
export function createSource({ from, upstreams = [], clock, log }: SourceOptions): Source {
  if ((from === undefined) === (upstreams.length === 0)) {
    throw new IndexerError(
      'INDEXER_CONFIGURATION',
      'Expected exactly one source of blocks. Pass either --from <archive> or --upstream <url>.',
    )
  }
  return from === undefined
    ? createUpstreamSource({ nodes: upstreams, clock, ...(log && { log }) })
    : createArchiveSource(from)
}

/** Command-line options that select the genesis and the rules. */
export interface NetworkOptions extends SourceOptions {
  /** Store whose database may already contain the network. */
  readonly store?: Pick<Store, 'network'>
  /**
   * Rules of an archive that is resumed. Its upgrade times apply where neither the upgrade file nor a node has them.
   */
  readonly resumed?: GenesisFiles.NetworkRules | undefined
  /** Path or URL of a genesis file. `genesisFileContent` is the file's JSON in base64, and takes precedence. */
  readonly genesisFile?: string | undefined
  readonly genesisFileContent?: string | undefined
  readonly upgradeFile?: string | undefined
  readonly upgradeFileContent?: string | undefined
  readonly networkId?: number | undefined
  /** Staking rules of a custom network; by default those in the database, or of the local network. */
  readonly staking?: StakingOptions | undefined
  /**
   * Returns the network id that the database contains. Called only if neither options nor nodes provide a
   * network id.
   */
  readonly storedNetworkId?: (() => Promise<number>) | undefined
  readonly random: () => number
  readonly fetch?: typeof fetch
}

/**
 * Loads the genesis and the rules from the genesis file, the archive, the database, or the published genesis of
 * `networkId`. The first of these that is available is used. Checks the genesis against the network's published hash
 * and the nodes' block 0, and the upgrade times with the nodes' times.
 * @throws IndexerError `INDEXER_GENESIS`, `INDEXER_UPGRADES`, `INDEXER_CONFIGURATION`; GenesisError; the signal's
 * reason
 */
export async function loadNetwork(
  options: NetworkOptions,
  signal: AbortSignal,
): Promise<GenesisFiles.NetworkRules> {
  return configured(await loadRules(options, signal), options)
}

/** Returns the rules with the staking rules in the options. */
function configured(
  { genesis, constants }: GenesisFiles.NetworkRules,
  { staking = {} }: Pick<NetworkOptions, 'staking'>,
): GenesisFiles.NetworkRules {
  return { genesis, constants: withStaking(constants, staking) }
}

async function loadRules(options: NetworkOptions, signal: AbortSignal): Promise<GenesisFiles.NetworkRules> {
  const [genesisFile, upgradeFile] = await Promise.all([
    textOf(options.genesisFile, options.genesisFileContent, options, signal),
    textOf(options.upgradeFile, options.upgradeFileContent, options, signal),
  ])
  const { from: archive, networkId } = options
  const known = await options.store?.network()
  if (genesisFile === undefined && archive === undefined) {
    if (known !== undefined) return checked(known, upgradeFile, options, signal)
    GenesisFiles.assertPublished(networkId)
  }
  const now = BigInt(Math.floor(options.clock.now() / 1000))
  // The blocks of an archive are read first, also while no node answers.
  const [nodes, attempts] = archive === undefined ? [options, ATTEMPTS] : [impatient(options), 1]
  const genesisId = await readGenesisId(nodes, attempts, signal).catch((error) => {
    if (archive === undefined || signal.aborted) throw error
    return undefined
  })
  const stored = known ?? options.resumed
  const hasTimes = [upgradeFile, archive, stored].some((it) => it !== undefined)
  const nodeUpgrades = await readUpgrades(options, hasTimes, signal)
  return GenesisFiles.load({
    genesisFile,
    upgradeFile,
    nodeUpgrades,
    stored,
    archive,
    networkId,
    genesisId,
    now,
  })
}

/** Migrated database of a network, with the genesis and rules of that network. */
export interface NetworkDatabase {
  readonly store: Store
  readonly rules: GenesisFiles.NetworkRules
}

/**
 * Determines the network from the genesis file, the archive, `networkId`, the nodes or the database, in this order,
 * and opens the network's database.
 * @param openStore opens the store for a network id, which determines the schema name; the store is closed
 * here if a later step fails
 * @throws the errors of {@link loadNetwork}; StoreError
 */
export async function openNetwork(
  options: Omit<NetworkOptions, 'store'>,
  openStore: (networkId: number) => Promise<Store>,
  signal: AbortSignal,
): Promise<NetworkDatabase> {
  const { from, genesisFile, genesisFileContent } = options
  const isGiven = [from, genesisFile, genesisFileContent].some((it) => it !== undefined)
  const stored = isGiven ? await openStored(options, openStore, signal) : undefined
  if (stored !== undefined) return stored
  const given = isGiven ? await loadNetwork(options, signal) : undefined
  const networkId = given?.genesis.networkId ?? options.networkId ?? (await findNetworkId(options, signal))
  const store = await openStore(networkId)
  try {
    await store.migrate()
    // The genesis determines the database, so upgrade times in the database are read after it.
    const isFinal = given !== undefined && (await store.network()) === undefined
    return { store, rules: isFinal ? given : await loadNetwork({ ...options, networkId, store }, signal) }
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * Opens the network's database if nodes are given, none of them answers, and the database contains the network.
 * Otherwise returns undefined.
 */
async function openStored(
  options: Omit<NetworkOptions, 'store'>,
  openStore: (networkId: number) => Promise<Store>,
  signal: AbortSignal,
): Promise<NetworkDatabase | undefined> {
  const { upstreams = [], networkId, storedNetworkId, upgradeFile, upgradeFileContent } = options
  if (upstreams.length === 0 || (await isReachable(options, signal))) return undefined
  const id = networkId ?? (await storedNetworkId?.().catch(() => undefined))
  if (id === undefined) return undefined
  const store = await openStore(id)
  try {
    await store.migrate()
    const stored = await store.network()
    const upgrades = await textOf(upgradeFile, upgradeFileContent, options, signal)
    if (stored !== undefined) {
      const rules = GenesisFiles.withUpgrades(stored, { upgradeFile: upgrades })
      return { store, rules: configured(rules, options) }
    }
  } catch (error) {
    await store.close()
    throw error
  }
  await store.close()
  return undefined
}

async function isReachable(options: NetworkOptions, signal: AbortSignal): Promise<boolean> {
  const found = await readGenesisId(impatient(options), 1, signal).catch(() => undefined)
  signal.throwIfAborted()
  return found !== undefined
}

/** Returns the network id that the nodes report. If none responds in time, returns the stored one. */
async function findNetworkId(options: NetworkOptions, signal: AbortSignal): Promise<number> {
  const { upstreams = [], storedNetworkId } = options
  if (storedNetworkId === undefined) return readNetworkId(options, signal)
  if (upstreams.length === 0) return storedNetworkId()
  try {
    return await readNetworkId(impatient(options), signal)
  } catch {
    signal.throwIfAborted()
    return storedNetworkId().catch(() => readNetworkId(options, signal))
  }
}

/**
 * Returns the network id that the first responding node reports.
 * @throws IndexerError `INDEXER_CONFIGURATION` if no node is given or none responds; the signal's reason
 */
export async function readNetworkId(
  { upstreams = [] }: Pick<NetworkOptions, 'upstreams'>,
  signal: AbortSignal,
): Promise<number> {
  if (upstreams.length === 0)
    throw new IndexerError('INDEXER_CONFIGURATION', 'No network given. Pass --network or --upstream.')
  try {
    const { networkID: networkId } = await first(upstreams, signal, (options) =>
      createClient(InfoMethods, { ...options, path: '/ext/info' }).call('info.getNetworkID', {}, { signal }),
    )
    return networkId
  } catch (cause) {
    if (!isFirnError(cause) || signal.aborted) throw cause
    throw new IndexerError(
      'INDEXER_CONFIGURATION',
      `Cannot read the network id from --upstream: ${cause.message}. Start the node, or pass --network.`,
      { cause },
    )
  }
}

/**
 * Returns the stored rules with the current upgrade times if they match the expected network id and the nodes' genesis.
 * If no node responds in time, they are not compared with the nodes.
 */
async function checked(
  stored: GenesisFiles.NetworkRules,
  upgradeFile: string | undefined,
  options: NetworkOptions,
  signal: AbortSignal,
): Promise<GenesisFiles.NetworkRules> {
  const { genesis } = stored
  const { networkId = genesis.networkId } = options
  const ifReachable = (error: unknown) => {
    if (signal.aborted) throw error
    return undefined
  }
  const [reported, answer] = await Promise.all([
    readGenesisId(impatient(options), 1, signal).catch(ifReachable),
    readNodeUpgrades(impatient(options), 1, signal).catch(ifReachable),
  ])
  const isSame = reported === undefined || Bytes.equals(reported, genesis.genesisId)
  if (isSame && networkId === genesis.networkId)
    return GenesisFiles.withUpgrades(stored, { upgradeFile, nodeUpgrades: answer?.upgrades })
  const [own, other] = [
    Id.format(genesis.genesisId),
    reported === undefined ? `network ${networkId}` : Id.format(reported),
  ]
  throw new IndexerError(
    'INDEXER_GENESIS',
    `The database belongs to a network with the genesis ${own}, not ${other}. Use another database or another network.`,
  )
}

async function textOf(
  place: string | undefined,
  content: string | undefined,
  { fetch: fetchText = fetch }: NetworkOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (content !== undefined) return Buffer.from(content, 'base64').toString('utf8')
  if (place === undefined) return undefined
  try {
    if (!/^https?:\/\//.test(place)) return await readFile(place, 'utf8')
    const answer = await fetchText(place, { signal })
    if (answer.ok) return await answer.text()
    throw new IndexerError('INDEXER_GENESIS', `${place}: cannot fetch the file: HTTP status ${answer.status}`)
  } catch (cause) {
    if (isFirnError(cause) || signal.aborted) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new IndexerError('INDEXER_GENESIS', `${place}: cannot read the file: ${reason}`, { cause })
  }
}
