import { ProofOfPossession } from '@firn/bls'
import { AtomicBuilder, L1Builder, PlatformBuilder, Signing } from '@firn/txs'
import { BALANCE, createL1, type L1 } from '../Genesis.ts'
import type { Plan } from '../internal/plan.ts'
import type { Chain } from '../State.ts'
import type { ValidatorKeys } from '../Validator.ts'
import type { BlockBuilder } from './BlockBuilder.ts'
import * as Funded from './FundedWallet.ts'

/** Inputs of {@link startL1s}. */
export interface L1Start {
  readonly plans: Plan['l1s']
  readonly seed: string
  readonly keys: readonly ValidatorKeys[]
  readonly c: Chain
  /** Time of the genesis in Unix milliseconds. */
  readonly startMs: number
}

/** Time in milliseconds between the blocks of two L1s, in which the gas that they use refills. */
const INTERVAL_MS = 10_000
/** Amount in nAVAX that the C-chain's block exports: 1 AVAX. */
const EPOCH_AMOUNT = 1_000_000_000n
/** Time in milliseconds from the genesis to the blocks that open an epoch. */
const EPOCH_BLOCK_MS = 1_800_000
/** Virtual machine of the L1s' chains: the id of subnet-evm. */
const VM_ID = Uint8Array.from({ length: 32 }, (_, i) => 'subnetevm'.charCodeAt(i) || 0)

/**
 * Creates L1s by transactions of the funded key, in blocks soon after the genesis. Later blocks of the C-chain and
 * the P-chain open an epoch in which these chains verify messages of the L1s.
 */
export function startL1s(builder: BlockBuilder, { plans, seed, keys, c, startMs }: L1Start): readonly L1[] {
  const l1s = plans.map(({ options, nodes }, index) => {
    const nowMs = startMs + (index + 1) * INTERVAL_MS
    const subnetId = issue(PlatformBuilder.createSubnet(wallet(), Funded.OWNER), nowMs)
    const authority = Funded.OWNER
    const chainId = issue(
      PlatformBuilder.createChain(wallet(), {
        authority,
        subnetID: subnetId,
        // The P-chain allows only letters, digits and spaces.
        chainName: options.name.replaceAll(/[^A-Za-z0-9 ]/g, ' '),
        vmID: VM_ID,
        fxIDs: [],
        genesisData: new TextEncoder().encode('{}'),
      }),
      nowMs,
    )
    const l1 = createL1(seed, options, nodes, keys, c, { subnetId, chainId })
    const inactive = new Set(options.inactive.map((position) => nodes[position]))
    const { managerChainID: managerChainId, managerAddress, validators } = l1.conversion
    const owner = { threshold: 1, addresses: [Funded.ADDRESS] }
    issue(
      L1Builder.convertSubnetToL1(wallet(), {
        authority,
        subnetID: subnetId,
        chainID: managerChainId,
        address: managerAddress,
        validators: validators.map(({ nodeID: nodeId, weight, blsPublicKey: publicKey }, position) => {
          const node = l1.nodes[position] as number
          const { secretKey } = keys[node] as ValidatorKeys
          return {
            nodeID: nodeId,
            weight,
            balance: inactive.has(node) ? 0n : BALANCE,
            signer: { publicKey, proofOfPossession: ProofOfPossession.sign(secretKey).compressed },
            remainingBalanceOwner: owner,
            deactivationOwner: owner,
          }
        }),
      }),
      nowMs,
    )
    return l1
  })
  if (l1s.length > 0) openEpoch(startMs + EPOCH_BLOCK_MS)
  return l1s

  /** Builds a block on the C-chain and one on the P-chain, by an export and its import. */
  function openEpoch(nowMs: number): void {
    const { P, C } = builder.state.rules.chainIds
    const payment = { amount: EPOCH_AMOUNT, owners: Funded.OWNER }
    issue(AtomicBuilder.exportTo(Funded.atomic(builder), P, [payment], [Funded.account(builder)]), nowMs)
    issue(PlatformBuilder.importFrom(wallet(), C, Funded.utxos(builder, 'P', 'C'), Funded.OWNER), nowMs)
  }

  function wallet() {
    return Funded.platform(builder)
  }

  function issue(draft: Signing.Draft, nowMs: number): Uint8Array {
    const id = builder.issue(draft.chain, Signing.encode(Signing.sign(draft, [Funded.KEY])), nowMs)
    builder.build(nowMs)
    return id
  }
}
