import { Hex } from '@firn/codec'
import type { EvmContracts, EvmCreations } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { addressText } from './RichAddress.ts'
import { textOf } from './Text.ts'

const members = {
  address: Type.String(),
  name: Type.Optional(Type.String()),
  deploymentDetails: Type.Optional(
    Type.Object({
      txHash: Type.String(),
      deployerAddress: Type.String({ description: 'the sender of the creating transaction' }),
      deployerContractAddress: Type.Optional(
        Type.String({ description: 'the contract that created this contract, if any' }),
      ),
    }),
  ),
}
const symbol = Type.Optional(Type.String())

/** A contract. `ercType` identifies its token standard. */
export const Contract = Type.Union([
  Type.Object({ ...members, ercType: Type.Literal('ERC-721'), symbol }),
  Type.Object({ ...members, ercType: Type.Literal('ERC-1155'), symbol }),
  Type.Object({ ...members, ercType: Type.Literal('ERC-20'), symbol, decimals: Type.Number() }),
  Type.Object({ ...members, ercType: Type.Literal('UNKNOWN'), symbol }),
])

/** Returns a contract in the Data API's format. `known` is the indexed data about it. */
export function contract(
  address: Uint8Array,
  known: EvmContracts.Contract | undefined,
  creation: EvmCreations.Creation | undefined,
): Body {
  const { standard = 0 } = known ?? {}
  return {
    address: addressText(address),
    ercType: ercTypeOf(standard),
    name: textOf(known?.name),
    symbol: textOf(known?.symbol),
    decimals: standard === 20 ? (known?.decimals ?? 0) : (known?.decimals ?? undefined),
    deploymentDetails: creation && {
      txHash: Hex.encode(creation.transactionHash),
      deployerAddress: addressText(creation.deployer),
      deployerContractAddress: creation.position === 0 ? undefined : addressText(creation.creator),
    },
  }
}

function ercTypeOf(standard: number): 'ERC-20' | 'ERC-721' | 'ERC-1155' | 'UNKNOWN' {
  return standard === 20 || standard === 721 || standard === 1155 ? `ERC-${standard}` : 'UNKNOWN'
}
