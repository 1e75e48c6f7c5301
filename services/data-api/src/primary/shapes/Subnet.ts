import { Hex, Id } from '@firn/codec'
import { EvmAddress } from '@firn/keys'
import type { Subnets } from '@firn/store'
import { PlatformTx } from '@firn/txs'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { aboutBody, aboutMembers } from '../../metadata/About.ts'
import type { SubnetEntry } from '../../metadata/MetadataSchema.ts'
import { Blockchain } from './Blockchain.ts'
import { address, SubnetOwnershipInfo, subnetOwnershipInfo } from './Owner.ts'

/** The chain and the contract that manage an L1's validators. */
export const L1ValidatorManagerDetails = Schema.object(
  'L1ValidatorManagerDetails',
  'The chain and the contract that manage the validators of an L1',
  {
    blockchainId: Field.cb58('Id of the blockchain that contains the contract'),
    contractAddress: Schema.text(
      'Address of the contract in hexadecimal, with the ERC-55 checksum if it has 20 bytes',
      '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
    ),
  },
)

/**
 * Formats the address of an L1's manager contract. Addresses of 20 bytes get the ERC-55 checksum; other
 * lengths are allowed too.
 */
export function managerAddress(address: Uint8Array): string {
  return address.length === EvmAddress.LENGTH ? EvmAddress.format(address) : Hex.encode(address)
}

/**
 * A subnet. `ownerAddresses`, `threshold` and `locktime` belong to the owner at creation, and
 * `subnetOwnershipInfo` to the current owner.
 */
export const Subnet = Schema.object(
  'Subnet',
  'A subnet. `ownerAddresses`, `threshold` and `locktime` belong to the owner at creation, and `subnetOwnershipInfo` to the current owner.',
  {
    createBlockTimestamp: Field.seconds('Time of the block that created the subnet'),
    createBlockIndex: Field.height('P-chain block that created the subnet'),
    subnetId: Field.cb58('Id of the subnet'),
    ownerAddresses: Field.addresses('Addresses of the first owner'),
    threshold: Schema.integer('Number of addresses of the first owner that had to sign', 1),
    locktime: Field.seconds('Time before which the first owner could not act; 0 for none', 0),
    subnetOwnershipInfo: Schema.as(SubnetOwnershipInfo, 'Current owner'),
    isL1: Schema.flag('Whether the subnet was converted to an L1', true),
    l1ConversionTransactionHash: Schema.optional(
      Field.cb58('Id of the transaction that converted the subnet'),
    ),
    l1ValidatorManagerDetails: Schema.optional(
      Schema.as(L1ValidatorManagerDetails, 'Chain and contract that manage the validators of the L1'),
    ),
    blockchains: Schema.list(Blockchain, 'Blockchains of the subnet, without their geneses'),
    name: Schema.optional(Schema.text('Name that the operator of the service gives the subnet', 'Example')),
    ...aboutMembers,
  },
)

/** Returns a subnet in the Data API's format. */
export function subnet(
  { subnet: { subnetId, owner, conversion }, blockHeight, time, created }: Subnets.Details,
  blockchains: readonly Body[],
  hrp: string,
  about: SubnetEntry = {},
): Body {
  const { unsignedTx } = PlatformTx.decode(created)
  const first = unsignedTx.type === 'CreateSubnetTx' ? unsignedTx.owner : owner
  return {
    createBlockTimestamp: time,
    createBlockIndex: String(blockHeight),
    subnetId: Id.format(subnetId),
    ownerAddresses: first.addresses.map((one) => address(one, hrp)),
    threshold: first.threshold,
    locktime: first.locktime,
    subnetOwnershipInfo: subnetOwnershipInfo(owner, hrp),
    isL1: conversion !== undefined,
    l1ConversionTransactionHash: conversion && Id.format(conversion.txId),
    l1ValidatorManagerDetails: conversion && {
      blockchainId: Id.format(conversion.managerChainId),
      contractAddress: managerAddress(conversion.managerAddress),
    },
    blockchains,
    name: about.name,
    ...aboutBody(about),
  }
}
