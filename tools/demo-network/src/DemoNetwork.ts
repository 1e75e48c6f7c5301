import { createDevnet, type Devnet } from '@firn/devnet'
import type { LedgerState } from '@firn/ledger'
import * as StandIns from './StandIns.ts'

/**
 * Starts a devnet whose validators stand in for those of a ledger: it has the ledger's P-chain, subnets and
 * L1s, and signs messages that this state confirms. The recorded validators' secret keys are unknown, so node
 * ids and BLS keys are the devnet's own.
 *
 * @throws DevnetError
 * @example
 * ```ts
 * import { createDemoNetwork } from '@firn/demo-network'
 * import type { LedgerState } from '@firn/ledger'
 *
 * declare const ledger: LedgerState.LedgerState
 * const devnet = await createDemoNetwork(ledger)
 * console.log(devnet.rpcUrl)
 * await devnet.close()
 * ```
 */
export function createDemoNetwork(ledger: LedgerState.LedgerState): Promise<Devnet> {
  const signers = StandIns.signersOf(ledger)
  return createDevnet({
    validators: signers.length,
    networkId: ledger.rules.constants.networkId,
    platform: (nodes) => StandIns.toPlatformState(ledger, StandIns.assign(signers, nodes)),
  })
}
