import { Id } from '@firn/codec'
import { GenesisData, Networks } from '@firn/genesis'
import type { Blockchains } from '@firn/store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'

/** A blockchain. Lists omit the genesis. */
export const Blockchain = Schema.object('Blockchain', 'A blockchain. Lists omit the genesis.', {
  createBlockTimestamp: Field.seconds('Time of the block that created the blockchain'),
  createBlockNumber: Field.height('P-chain block that created the blockchain, or -1 for the genesis'),
  blockchainId: Field.cb58('Id of the blockchain'),
  vmId: Field.cb58(
    'Id of the virtual machine; `platformvm` for the P-chain',
    'mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6',
  ),
  subnetId: Field.cb58(
    'Id of the subnet that validates the blockchain',
    '11111111111111111111111111111111LpoYY',
  ),
  blockchainName: Schema.text('Name of the blockchain', 'C-Chain'),
  evmChainId: Schema.integer('EVM chain id, from the genesis; 0 if the chain is no EVM chain', 43_114),
  genesisData: Schema.optional(
    Schema.any('The genesis as a JSON object; as hexadecimal text if it is not JSON', {
      config: { chainId: 43_114 },
    }),
  ),
})

/** EVM chain id of chains that are no EVM chains. Clients of the hosted service require a number. */
const NO_EVM = 0n

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
    evmChainId: NO_EVM,
  }
}

/** Returns a blockchain in the Data API's format. */
export function blockchain(
  { chain, blockHeight, time }: Blockchains.Details,
  genesis: Uint8Array | undefined,
  isWhole: boolean,
): Body {
  return {
    createBlockTimestamp: time,
    createBlockNumber: blockHeight === 0n ? GENESIS_NUMBER : String(blockHeight),
    blockchainId: Id.format(chain.blockchainId),
    vmId: Id.format(chain.vmId),
    subnetId: Id.format(chain.subnetId),
    blockchainName: chain.name,
    evmChainId: (genesis && GenesisData.evmChainId(genesis)) ?? NO_EVM,
    genesisData: genesis !== undefined && isWhole ? GenesisData.of(genesis) : undefined,
  }
}
