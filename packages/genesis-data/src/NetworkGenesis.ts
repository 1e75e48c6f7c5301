import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { Network } from '@firn/codec'
import { Genesis, GenesisConfig } from '@firn/genesis'
import { GenesisDataError } from './GenesisDataError.ts'

interface DataFile {
  readonly name: string
  /** SHA-256 of the JSON file as avalanchego publishes it. */
  readonly sha256: string
}

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

const DATA = new URL('../data/', import.meta.url)

/** Options of {@link load} and {@link readConfig}: the source of the data files. */
export interface ReadOptions {
  /** Reads a file of the `data` folder by its name. By default, files are read from this package. */
  readonly read?: (name: string) => Promise<Uint8Array>
}

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
      `No genesis for network ${networkId} in this package; it has those of ${known}. Load the genesis from a file instead.`,
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

async function readJson({ name, sha256 }: DataFile, options: ReadOptions): Promise<string> {
  const { read = (file) => readFile(new URL(file, DATA)) } = options
  const json = await read(name)
    .then((bytes) => promisify(brotliDecompress)(bytes))
    .catch((cause: unknown) => {
      throw damaged(
        `cannot read ${name}: ${cause instanceof Error ? cause.message : String(cause)}`,
        {},
        cause,
      )
    })
  const actual = createHash('sha256').update(json).digest('hex')
  if (actual === sha256) return json.toString('utf8')
  throw damaged(`expected ${name} with SHA-256 ${sha256}, got ${actual}`, { expected: sha256, actual })
}

function damaged(message: string, details: Record<string, string>, cause?: unknown): GenesisDataError {
  return new GenesisDataError('GENESIS_DATA_DAMAGED', `${message}. Install @firn/genesis-data again.`, {
    details,
    cause,
  })
}
