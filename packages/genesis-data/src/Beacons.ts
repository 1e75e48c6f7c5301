import { Network, NodeId } from '@firn/codec'
import { type DataFile, type ReadOptions, readJson } from './internal/dataFiles.ts'

/** A node that a joining node asks first. */
export interface Beacon {
  /** Node id (20 bytes). */
  readonly nodeId: Uint8Array
  readonly endpoint: { readonly host: string; readonly port: number }
}

const FILE: DataFile = {
  name: 'bootstrappers.json.br',
  sha256: 'e036f03b3804d2a2c51cd14c45528c22f8b562b907324e11699bd3b5cb3a9741',
}

/**
 * Returns the beacons of a network, given by its id: 24 of mainnet, 21 of fuji. Other networks have no published
 * beacons, so their list is empty.
 *
 * @example
 * ```ts
 * import { Beacons } from '@firn/genesis-data'
 *
 * const [first] = await Beacons.of(1)
 * first?.endpoint // { host: '54.232.137.108', port: 9651 }
 * ```
 * @throws GenesisDataError `GENESIS_DATA_DAMAGED`
 */
export async function of(networkId: number, options: ReadOptions = {}): Promise<readonly Beacon[]> {
  const published = JSON.parse(await readJson(FILE, options)) as Record<string, { id: string; ip: string }[]>
  return (published[Network.formatName(networkId)] ?? []).map(({ id, ip }) => {
    const colon = ip.lastIndexOf(':')
    return {
      nodeId: NodeId.parse(id),
      endpoint: { host: ip.slice(0, colon), port: Number(ip.slice(colon + 1)) },
    }
  })
}
