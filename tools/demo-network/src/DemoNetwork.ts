import { createDevnet, type Devnet } from '@firn/devnet'
import type { LedgerState } from '@firn/ledger'
import * as NodeAssignment from './NodeAssignment.ts'

/**
 * Starts a devnet that represents the given ledger. Its P-chain, subnets and L1s come from the ledger, and
 * its validators sign the messages that this state confirms. The secret keys of the recorded validators are
 * unknown, so the devnet uses its own node ids and BLS keys.
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
  const signers = NodeAssignment.signersOf(ledger)
  return createDevnet({
    validators: signers.length,
    networkId: ledger.rules.constants.networkId,
    platform: (nodes) => NodeAssignment.toPlatformState(ledger, NodeAssignment.assign(signers, nodes)),
  })
}
