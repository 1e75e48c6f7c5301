import { Network } from '@firn/codec'
import { Genesis, GenesisConfig } from '@firn/genesis'
import { GenesisDataError } from './GenesisDataError.ts'
import { type DataFile, type ReadOptions, readJson } from './internal/dataFiles.ts'

export type { ReadOptions }

const FILES: ReadonlyMap<number, DataFile> = new Map([
  [
    Network.MAINNET,
    { name: 'mainnet.json.br', sha256: '2a049446b4b4dcc2c2d51125f5354bfd0f363baeed6a6389437f7048d09723a1' },
  ],
  [
    Network.FUJI,
    { name: 'fuji.json.br', sha256: '862a4031f7d91927d8d141ef6f2cb938317a40e44cbc7bb8d3bbe081aa11fdca' },
  ],
  [
    Network.LOCAL,
    { name: 'local.json.br', sha256: 'ac8311ae6b7d1127d66beb6e99562226ac969323c8fcf40144c330402e492087' },
  ],
])

/** Ids of the networks whose genesis is in this package: mainnet, fuji and local. */
export const NETWORK_IDS: readonly number[] = [...FILES.keys()]

/**
 * Returns the genesis configuration of a network as avalanchego publishes it. The network is given by its id
 * or name.
 *
 * @example
 * ```ts
 * import { NetworkGenesis } from '@firn/genesis-data'
 *
 * const { startTime } = await NetworkGenesis.readConfig('local') // Unix seconds
 * ```
 * @throws GenesisDataError `GENESIS_DATA_NETWORK`, `GENESIS_DATA_DAMAGED`; CodecError `CODEC_NETWORK` for a
 * malformed name
 */
export async function readConfig(
  network: number | string,
  options: ReadOptions = {},
): Promise<GenesisConfig.GenesisConfig> {
  const networkId = typeof network === 'number' ? network : Network.parseName(network)
  const file = FILES.get(networkId)
  if (file === undefined) {
    const known = NETWORK_IDS.map(Network.formatName).join(', ')
    throw new GenesisDataError(
      'GENESIS_DATA_NETWORK',
      `No genesis for network ${networkId} in this package, which has ${known}. Load the genesis from a file instead.`,
      { details: { networkId } },
    )
  }
  return GenesisConfig.parse(await readJson(file, options))
}

/**
 * Returns the genesis of a network, given by its id or name. The genesis is checked against the known ids of
 * the network. The local network's genesis starts at the time in its file.
 *
 * @example
 * ```ts
 * import { NetworkGenesis } from '@firn/genesis-data'
 *
 * const { genesisId, cChain } = await NetworkGenesis.load('mainnet')
 * ```
 * @throws the errors of {@link readConfig}; GenesisError `GENESIS_HASH`
 */
export async function load(network: number | string, options: ReadOptions = {}): Promise<Genesis.Genesis> {
  const genesis = Genesis.build(await readConfig(network, options))
  Genesis.assertKnown(genesis)
  return genesis
}
