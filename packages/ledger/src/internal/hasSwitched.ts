import { Upgrades } from '@firn/genesis'
import { type LedgerState, tip } from '../LedgerState.ts'

/**
 * Returns whether nodes use the C-chain implementation since Helicon after the last block. If the C-chain is not followed, the
 * P-chain's time decides.
 */
export function hasSwitched(state: LedgerState): boolean {
  const { constants, followsCChain } = state.rules
  return Upgrades.hasSwitchedCChain(constants.upgrades, tip(state, followsCChain ? 'C' : 'P').time)
}
