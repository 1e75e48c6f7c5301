import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Bytes, Hex, Id, isFirnError, Json } from '@firn/codec'
import { Genesis, GenesisConfig, Networks, type Upgrades } from '@firn/genesis'
import { NetworkGenesis } from '@firn/genesis-data'
import { PlatformBlock } from '@firn/txs'
import { IndexerError } from '../../common/IndexerError.ts'
import { FILES } from './Archive.ts'
import { linesOf } from './lines.ts'
import * as UpgradeTimes from './UpgradeTimes.ts'

/** Genesis and rules of a network, which an indexer needs to start. */
export interface NetworkRules {
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
}

/**
 * Sources of the genesis, and expected values. The first given source is used. If none is given, the published
 * genesis of `networkId` is used.
 */
export interface GenesisOptions {
  /** Contents of a node's genesis file (JSON). */
  readonly genesisFile?: string | undefined
  /** Contents of a node's upgrade file (JSON). It may name only some upgrades; the others keep the network's times. */
  readonly upgradeFile?: string | undefined
  /** Answer of a followed node to `info.upgrades`. */
  readonly nodeUpgrades?: Json.Json | undefined
  /** Rules in the database, or of an archive that is resumed. Their upgrade times are used if they belong to the loaded genesis. */
  readonly stored?: NetworkRules | undefined
  /** Path of an archive with a `genesis/` folder. */
  readonly archive?: string | undefined
  /**
   * Expected network id; any network is accepted if omitted. Required if neither a file nor an archive is
   * given.
   */
  readonly networkId?: number | undefined
  /** Expected genesis id (32 bytes), which is the parent id of the P-chain's block 0. */
  readonly genesisId?: Uint8Array | undefined
  /** Current time in Unix seconds, which determines the start time of a local network if `genesisId` is unknown. */
  readonly now: bigint
}

/** File names in an archive's `genesis/` folder. */
export const ARCHIVE_FILES = {
  ids: 'genesis/ids.json',
  configs: ['genesis/genesis.json', 'genesis/local.json'],
  upgrades: 'genesis/upgrade.json',
} as const

/**
 * Loads a network's genesis and rules. Checks the genesis against the network's published hash and against
 * the expected values in `options`.
 * @throws IndexerError `INDEXER_GENESIS`, `INDEXER_UPGRADES`; GenesisError and CodecError for malformed files;
 * GenesisDataError if the genesis data of this software is damaged
 */
export async function load(options: GenesisOptions): Promise<NetworkRules> {
  const { archive, networkId } = options
  const genesisId = options.genesisId ?? (archive === undefined ? undefined : await genesisIdOf(archive))
  const genesis = await read({ ...options, genesisId })
  Genesis.assertKnown(genesis)
  if (networkId !== undefined && genesis.networkId !== networkId) {
    throw refuse(`expected a genesis of network ${networkId}, got a genesis of network ${genesis.networkId}`)
  }
  if (genesisId !== undefined && !Bytes.equals(genesis.genesisId, genesisId)) {
    const [expected, actual] = [Id.format(genesisId), Id.format(genesis.genesisId)]
    throw refuse(
      `expected a genesis with the id ${expected}, the parent id of the chain's block 0, got ${actual}`,
    )
  }
  const upgrades = upgradesOf(options, genesis)
  return { genesis, constants: { ...Networks.of(genesis.networkId), upgrades } }
}

/**
 * Returns the genesis and rules of an archive that is written to a folder; undefined if the folder has none yet.
 * @throws the errors of {@link load}
 */
export async function ofArchive(archive: string, now: bigint): Promise<NetworkRules | undefined> {
  const isBegun = [ARCHIVE_FILES.ids, ARCHIVE_FILES.upgrades].every((file) => existsSync(join(archive, file)))
  return isBegun ? load({ archive, now }) : undefined
}

/**
 * Throws if this software does not contain the network's genesis. It contains the genesis of mainnet, fuji
 * and local.
 * @throws IndexerError `INDEXER_GENESIS`
 */
export function assertPublished(networkId: number | undefined): asserts networkId is number {
  if (networkId === undefined) {
    throw refuse('No network given. Pass --network, --upstream, --from or --genesis-file.')
  }
  if (!isPublished(networkId)) {
    throw refuse(`No genesis for network ${networkId}. Pass --genesis-file, or use --network local.`)
  }
}

/** Returns whether this software contains the network's genesis. */
export function isPublished(networkId: number): boolean {
  return NetworkGenesis.NETWORK_IDS.includes(networkId)
}

/**
 * Returns stored rules with the current upgrade times.
 * @throws IndexerError `INDEXER_UPGRADES`; GenesisError, CodecError
 */
export function withUpgrades(
  { genesis, constants }: NetworkRules,
  sources: Omit<UpgradeTimes.UpgradeSources, 'stored'>,
): NetworkRules {
  const { upgrades: stored } = constants
  const upgrades = UpgradeTimes.settle(genesis.networkId, { ...sources, stored })
  return { genesis, constants: { ...constants, upgrades } }
}

/** Returns the genesis file (JSON) of an archive; undefined if the archive contains only the genesis bytes. */
export function configOf(archive: string): string | undefined {
  return ARCHIVE_FILES.configs.map((file) => textOf(archive, file)).find((text) => text !== undefined)
}

/** Maximum number of periods of 270 days that are tried to find a local network's genesis. */
const MAX_PERIODS = 100

async function read(options: GenesisOptions): Promise<Genesis.Genesis> {
  const { genesisFile, archive, networkId } = options
  if (genesisFile !== undefined) return ofConfig(GenesisConfig.parse(genesisFile), options)
  if (archive === undefined) {
    assertPublished(networkId)
    return ofConfig(await NetworkGenesis.readConfig(networkId), options)
  }
  const ids = textOf(archive, ARCHIVE_FILES.ids)
  const bytes = ids === undefined ? undefined : (Json.parse(ids) as { genesisBytes?: Json.Json }).genesisBytes
  if (typeof bytes === 'string') return Genesis.decode(Hex.decode(bytes))
  const config = configOf(archive)
  if (config !== undefined) return ofConfig(GenesisConfig.parse(config), options)
  throw refuse(
    `${archive}: no genesis found. Expected the file ${ARCHIVE_FILES.ids} or ${ARCHIVE_FILES.configs.join(' or ')}.`,
  )
}

/**
 * Builds the genesis from a configuration. The nodes of a local network advance its start time by a whole number of
 * periods. That number is found by comparing genesis ids.
 */
function ofConfig(config: GenesisConfig.GenesisConfig, { genesisId, now }: GenesisOptions): Genesis.Genesis {
  const own = Genesis.build(config)
  if (config.networkId !== Networks.LOCAL.networkId) return own
  if (genesisId === undefined) return Genesis.build(GenesisConfig.advanceStartTime(config, now))
  for (let period = 0n; period < MAX_PERIODS; period++) {
    const startTime = config.startTime + period * Networks.LOCAL_PERIOD
    const candidate = Genesis.build({ ...config, startTime })
    if (Bytes.equals(candidate.genesisId, genesisId)) return candidate
  }
  return own
}

function upgradesOf(
  { upgradeFile, nodeUpgrades, stored: database, archive }: GenesisOptions,
  { networkId, genesisId }: Genesis.Genesis,
): Upgrades.Upgrades {
  const isSame = database !== undefined && Bytes.equals(database.genesis.genesisId, genesisId)
  const stored = isSame ? database.constants.upgrades : undefined
  if (upgradeFile !== undefined || archive === undefined)
    return UpgradeTimes.settle(networkId, { upgradeFile, nodeUpgrades, stored })
  const fileName = join(archive, ARCHIVE_FILES.upgrades)
  const text = textOf(archive, ARCHIVE_FILES.upgrades)
  return UpgradeTimes.settle(networkId, { upgradeFile: text, fileName, nodeUpgrades, stored })
}

/**
 * Returns the parent id of the P-chain's block 0 in an archive, which is the genesis id. Returns undefined if
 * the archive does not contain block 0.
 */
async function genesisIdOf(archive: string): Promise<Uint8Array | undefined> {
  const path = join(archive, FILES.P)
  if (!existsSync(path)) return undefined
  for await (const { text } of linesOf(path)) {
    try {
      const line = Json.parse(text) as { height?: Json.Json; blockBytes?: Json.Json }
      if (line.height !== 0 || typeof line.blockBytes !== 'string') return undefined
      return PlatformBlock.decode(Hex.decode(line.blockBytes).subarray(0, -4)).parentID
    } catch (error) {
      if (isFirnError(error)) return undefined
      throw error
    }
  }
  return undefined
}

function textOf(archive: string, file: string): string | undefined {
  const path = join(archive, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function refuse(words: string): IndexerError {
  return new IndexerError('INDEXER_GENESIS', words)
}
