import type { Change } from './Change.ts'
import { refuse } from './internal/refuse.ts'
import type { LedgerState } from './LedgerState.ts'

/** What an accepted block of the X-chain does to a state, which stays as it is. */
export function apply(_state: LedgerState, _bytes: Uint8Array): Change[] {
  return refuse('LEDGER_BLOCK_TYPE', 'expected no block of the X-chain yet, got one')
}
