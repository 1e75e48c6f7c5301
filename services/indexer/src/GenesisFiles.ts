import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Bytes, Hex, Id, isFirnError, Json } from '@firn/codec'
import { Genesis, GenesisConfig, Networks, Upgrades } from '@firn/genesis'
import { NetworkGenesis } from '@firn/genesis-data'
import { PlatformBlock } from '@firn/txs'
import { FILES } from './Archive.ts'
import { IndexerError } from './IndexerError.ts'
import { linesOf } from './internal/lines.ts'

/** A network's genesis and rules, as an indexer begins with. */
export interface NetworkRules {
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
}

/** Where the genesis may come from: the first of these that is given, else the one that is published for `networkID`. */
export interface GenesisOptions {
  /** The JSON of a node's genesis file. */
  readonly genesisFile?: string | undefined
  /** The JSON of a node's upgrade file. */
  readonly upgradeFile?: string | undefined
  /** An archive, whose `genesis/` folder is read. */
  readonly archive?: string | undefined
  /** Which network it has to be; any if not given. Needed where neither file nor archive is. */
  readonly networkId?: number | undefined
  /** The id of the genesis that it has to be (32 bytes), as the parent of the P-chain's block 0 tells it. */
  readonly genesisId?: Uint8Array | undefined
  /** Unix seconds. */
  readonly now: bigint
}

/** Names of the files in an archive's `genesis/` folder. */
export const ARCHIVE_FILES = {
  ids: 'genesis/ids.json',
  configs: ['genesis/genesis.json', 'genesis/local.json'],
  upgrades: 'genesis/upgrade.json',
} as const

/**
 * The genesis and the rules of a network, checked against the hash that the network is known by, and against what the options
 * expect.
 * @throws IndexerError `INDEXER_GENESIS`; GenesisError and CodecError of malformed files; GenesisDataError of a damaged package
 */
export async function load(options: GenesisOptions): Promise<NetworkRules> {
  const { archive, networkId } = options
  const genesisId = options.genesisId ?? (archive === undefined ? undefined : await genesisIdOf(archive))
  const genesis = await read({ ...options, genesisId })
  Genesis.assertKnown(genesis)
  if (networkId !== undefined && genesis.networkId !== networkId) {
    throw refuse(`expected a genesis of network ${networkId}, got one of ${genesis.networkId}`)
  }
  if (genesisId !== undefined && !Bytes.equals(genesis.genesisId, genesisId)) {
    const [expected, actual] = [Id.format(genesisId), Id.format(genesis.genesisId)]
    throw refuse(`expected the genesis ${expected}, which the chain's block 0 follows, got ${actual}`)
  }
  return { genesis, constants: rulesOf(genesis.networkId, upgradesOf(options)) }
}

/** The rules of a network with the upgrades of a file, where there is one. */
export function rulesOf(networkId: number, upgrades?: Upgrades.Upgrades): Networks.Constants {
  const constants = Networks.of(networkId)
  return upgrades === undefined ? constants : { ...constants, upgrades }
}

/**
 * Checks that a network's genesis is published with this software: those of mainnet, fuji and local are.
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

/** Whether a network's genesis is published with this software. */
export function isPublished(networkId: number): boolean {
  return NetworkGenesis.NETWORK_IDS.includes(networkId)
}

/** A network's rules with the upgrades of a node's upgrade file (JSON), where there is one. @throws GenesisError, CodecError */
export function withUpgrades(
  { genesis, constants }: NetworkRules,
  upgradeFile: string | undefined,
): NetworkRules {
  const upgrades = upgradesOf({ upgradeFile, now: 0n })
  return { genesis, constants: upgrades === undefined ? constants : { ...constants, upgrades } }
}

/** Periods of 270 days that a local network's genesis is looked for in. */
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
  const config = ARCHIVE_FILES.configs.map((file) => textOf(archive, file)).find((text) => text !== undefined)
  if (config !== undefined) return ofConfig(GenesisConfig.parse(config), options)
  throw refuse(`${archive}: expected ${ARCHIVE_FILES.ids} or ${ARCHIVE_FILES.configs.join(' or ')}, got none`)
}

/** The local network's start time moves on by whole periods; the genesis id tells which one it is. */
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

function upgradesOf({ upgradeFile, archive }: GenesisOptions): Upgrades.Upgrades | undefined {
  const text = upgradeFile ?? (archive === undefined ? undefined : textOf(archive, ARCHIVE_FILES.upgrades))
  if (text === undefined) return undefined
  const upgrades = Upgrades.fromJSON(Json.parse(text))
  Upgrades.assertOrdered(upgrades)
  return upgrades
}

/** The id of the genesis that an archive's first P-chain block follows; undefined where block 0 isn't in it. */
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
