import { type ChainAlias, Id, Network } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { type DataFile, type ReadOptions, readJson } from './internal/dataFiles.ts'

const FILE: DataFile = {
  name: 'checkpoints.json.br',
  sha256: '0a4de98c434e4fd96bcb0b711f36a25dd5d0191ad50f3d3063c7097719140883',
}

/**
 * Returns ids (32 bytes) of accepted containers of each chain, in no particular order, from which blocks can be
 * fetched in parallel: 99 a chain of mainnet and fuji, as of 2025-08-23. Other networks have none.
 *
 * @example
 * ```ts
 * import { Checkpoints } from '@firn/genesis-data'
 *
 * const { P, X, C } = await Checkpoints.of(5)
 * console.log(P.length, X.length, C.length) // 99 99 99
 * ```
 * @throws GenesisDataError `GENESIS_DATA_DAMAGED`
 */
export async function of(
  networkId: number,
  options: ReadOptions = {},
): Promise<Readonly<Record<ChainAlias, readonly Uint8Array[]>>> {
  const published = JSON.parse(await readJson(FILE, options)) as Record<string, Record<string, string[]>>
  const chains = published[Network.formatName(networkId)]
  const { ids } = Networks.of(networkId)
  const read = (chainId: Uint8Array | undefined) =>
    chainId === undefined ? [] : (chains?.[Id.format(chainId)] ?? []).map((id) => Id.parse(id))
  return { P: read(Networks.PRIMARY_NETWORK_ID), X: read(ids?.xChainId), C: read(ids?.cChainId) }
}
