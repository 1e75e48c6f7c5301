import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { addressText, type Contracts } from './RichAddress.ts'
import { textOf } from './Text.ts'

/** An ERC-20 token. The name is empty if the contract has no name. */
export const Erc20Token = Type.Object({
  address: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  decimals: Type.Number(),
  ercType: Type.Literal('ERC-20'),
})

/** Returns an ERC-20 token in the Data API's format. */
export function erc20Token(address: Uint8Array, contracts: Contracts) {
  const contract = contracts.get(address)
  return {
    address: addressText(address),
    name: textOf(contract?.name) ?? '',
    symbol: textOf(contract?.symbol) ?? '',
    decimals: contract?.decimals ?? 0,
    ercType: 'ERC-20',
  } satisfies Body
}
