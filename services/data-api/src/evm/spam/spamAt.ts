import { Hex } from '@firn/codec'
import type { TokenKey } from '@firn/evm-store'
import { EvmAirdrops, type EvmSnapshot } from '@firn/evm-store'
import type { EvmChainSource } from '../chain/EvmContext.ts'
import { type Contracts, contractsAt } from '../shapes/RichAddress.ts'
import { type SpamOf, spamReasons } from '../shapes/spamReasons.ts'

/** Looks up what tells whether the tokens of contracts may be spam. */
export async function spamAt(
  { chain, store }: Pick<EvmChainSource, 'chain' | 'store'>,
  contracts: Contracts,
  addresses: readonly Uint8Array[],
): Promise<SpamOf> {
  const { token: native } = chain
  const found = await EvmAirdrops.ofContracts(store, addresses)
  const reaches = new Map(found.map((reach) => [Hex.encodeBare(reach.contract), reach]))
  return (address) =>
    spamReasons({
      contract: contracts.get(address),
      native,
      reach: reaches.get(Hex.encodeBare(address)),
      reputation: contracts.about(address)?.reputation,
    })
}

/** Looks up what tells whether tokens may be spam. */
export async function spamOfTokens(
  source: EvmChainSource,
  at: EvmSnapshot,
  tokens: readonly TokenKey[],
): Promise<SpamOf> {
  const addresses = tokens.map(({ contract }) => contract)
  return spamAt(source, await contractsAt(source, at, addresses), addresses)
}
