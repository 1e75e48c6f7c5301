import { Id } from '@firn/codec'
import { GenesisData, Networks } from '@firn/genesis'
import type { Blockchains } from '@firn/store'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'

/** A blockchain. Lists omit the genesis. */
export const Blockchain = Type.Object({
  createBlockTimestamp: Type.Number(),
  createBlockNumber: Type.String({ description: '-1 if the genesis created the blockchain' }),
  blockchainId: Type.String(),
  vmId: Type.String(),
  subnetId: Type.String(),
  blockchainName: Type.String(),
  evmChainId: Type.Optional(Type.Number()),
  genesisData: Type.Optional(
    Type.Unknown({ description: 'the genesis as a JSON object, or as a string if it is not JSON' }),
  ),
})

/** Block number that the Data API shows for the genesis. */
const GENESIS_NUMBER = '-1'

/**
 * Returns the P-chain in the Data API's format. Its values are fixed here, because no transaction created the
 * P-chain.
 */
export function platformChain(genesisTime: bigint): Body {
  return {
    createBlockTimestamp: genesisTime,
    createBlockNumber: GENESIS_NUMBER,
    blockchainId: Id.format(Networks.PRIMARY_NETWORK_ID),
    vmId: 'platformvm',
    subnetId: Id.format(Networks.PRIMARY_NETWORK_ID),
    blockchainName: 'P-Chain',
  }
}

/** Returns a blockchain in the Data API's format. */
export function blockchain(
  { chain, time }: Blockchains.Details,
  genesis: Uint8Array | undefined,
  isWhole: boolean,
): Body {
  return {
    createBlockTimestamp: time,
    createBlockNumber: chain.height === 0n ? GENESIS_NUMBER : String(chain.height),
    blockchainId: Id.format(chain.blockchainId),
    vmId: Id.format(chain.vmId),
    subnetId: Id.format(chain.subnetId),
    blockchainName: chain.name,
    evmChainId: genesis && GenesisData.evmChainId(genesis),
    genesisData: genesis !== undefined && isWhole ? GenesisData.of(genesis) : undefined,
  }
}
