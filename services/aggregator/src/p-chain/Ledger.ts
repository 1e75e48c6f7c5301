import type { Endpoint } from '@firn/p2p'
import type { Client, PlatformMethods, ProposerVmMethods } from '@firn/rpc'
import { AggregatorError } from '../errors/AggregatorError.ts'
import { createPlatformQueries, type PChain } from './PChain.ts'

/** How far a ledger is. */
export interface LedgerStatus {
  /** What the ledger is doing, in one word, such as `fetching` or `following`. */
  readonly phase: string
  /** Height of the last P-chain block in the ledger; undefined if it is empty. */
  readonly height: bigint | undefined
  /** Height of the P-chain's last accepted block; undefined until it is known. */
  readonly tip: bigint | undefined
  readonly blocksPerSecond: number
  /** Estimated time until the tip is reached, in seconds; undefined if unknown. */
  readonly secondsLeft: number | undefined
  /** Number of connected peers from which the blocks come; undefined if they come from elsewhere. */
  readonly peers: number | undefined
  /** Why the ledger may not have the last accepted blocks; undefined while it follows the tip. */
  readonly problem: string | undefined
}

/** A ledger in this process, which provides validator sets instead of node APIs. */
export interface Ledger {
  readonly networkId: number
  /** Length of an epoch, in seconds. */
  readonly epochDurationSeconds: number
  readonly platform: Client<typeof PlatformMethods>
  /** The proposervm's API on the P-chain. */
  readonly proposerVm: Client<typeof ProposerVmMethods>
  /** Nodes to connect to at the start. Like all peers, they send the addresses of other validators. */
  readonly beacons: readonly { readonly nodeId: Uint8Array; readonly endpoint: Endpoint.Endpoint }[]
  readonly status: () => LedgerStatus
}

/**
 * Returns the P-chain queries of a ledger. Unless the ledger follows the tip, they throw `AGGREGATOR_UPSTREAM`, as for
 * node APIs that cannot be reached. Cached data is then used while it is fresh. Addresses come from gossip, and in
 * addition from `peers`.
 */
export function createLedgerPChain(ledger: Ledger, peers: PChain['peers'] = async () => []): PChain {
  const { networkId, epochDurationSeconds } = ledger
  const queries = createPlatformQueries(ledger.platform, 'the ledger')
  const checked =
    <Arguments extends readonly unknown[], T>(query: (...given: Arguments) => Promise<T>) =>
    async (...given: Arguments): Promise<T> => {
      assertFollowing(ledger)
      return query(...given)
    }
  return {
    networkId: async () => networkId,
    epochDurationSeconds: async () => epochDurationSeconds,
    peers,
    height: checked(queries.height),
    proposedHeight: checked(queries.proposedHeight),
    validatorsAt: checked(queries.validatorsAt),
    subnetOf: checked(queries.subnetOf),
    subnet: checked(queries.subnet),
    currentValidators: checked(queries.currentValidators),
    l1Validator: checked(queries.l1Validator),
    validatorFee: checked(queries.validatorFee),
  }
}

/** Returns the ledger's client of the proposervm's API. It throws unless the ledger follows the tip. */
export function createLedgerProposerVm(ledger: Ledger): Ledger['proposerVm'] {
  return {
    call: async (...given) => {
      assertFollowing(ledger)
      return ledger.proposerVm.call(...given)
    },
  }
}

function assertFollowing({ status }: Pick<Ledger, 'status'>): void {
  const { problem } = status()
  if (problem !== undefined) throw new AggregatorError('AGGREGATOR_UPSTREAM', problem)
}
