import { Hex } from '@firn/codec'
import { type Block, Creations, Transfers } from '@firn/evm'
import type { Seen } from './ContractReader.ts'

/**
 * Returns the contracts that were created in a block or emitted transfers in it. Each contract occurs once,
 * keyed by its address.
 */
export function contractsOf(block: Block): ReadonlyMap<string, Seen> {
  const seen = new Map<string, Seen>()
  for (const { contract, succeeded } of Creations.of(block)) {
    if (contract !== undefined && succeeded)
      seen.set(Hex.encode(contract), { address: contract, tellsErc20: false })
  }
  for (const { contract, standard } of Transfers.of(block)) {
    const key = Hex.encode(contract)
    const tellsErc20 = standard === 20 || (seen.get(key)?.tellsErc20 ?? false)
    seen.set(key, { address: contract, tellsErc20 })
  }
  return seen
}
