import { Hex, Id } from '@firn/codec'
import { EvmAddress } from '@firn/keys'
import type { Subnets } from '@firn/store'
import { PlatformTx } from '@firn/txs'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { Blockchain } from './Blockchain.ts'
import { address, SubnetOwnershipInfo, subnetOwnershipInfo } from './Owner.ts'

/** The chain and the contract that manage an L1's validators. */
export const L1ValidatorManagerDetails = Type.Object({
  blockchainId: Type.String(),
  contractAddress: Type.String(),
})

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
export const Subnet = Type.Object({
  createBlockTimestamp: Type.Number(),
  createBlockIndex: Type.String(),
  subnetId: Type.String(),
  ownerAddresses: Type.Array(Type.String()),
  threshold: Type.Number(),
  locktime: Type.Number(),
  subnetOwnershipInfo: SubnetOwnershipInfo,
  isL1: Type.Boolean(),
  l1ConversionTransactionHash: Type.Optional(Type.String()),
  l1ValidatorManagerDetails: Type.Optional(L1ValidatorManagerDetails),
  blockchains: Type.Array(Blockchain),
})

/** Returns a subnet in the Data API's format. */
export function subnet(
  { subnet: { subnetId, owner, conversion, height }, time, created }: Subnets.Details,
  blockchains: readonly Body[],
  hrp: string,
): Body {
  const { unsignedTx } = PlatformTx.decode(created)
  const first = unsignedTx.type === 'CreateSubnetTx' ? unsignedTx.owner : owner
  return {
    createBlockTimestamp: time,
    createBlockIndex: String(height),
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
  }
}
