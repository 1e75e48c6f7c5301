import type { ChainAlias } from '@firn/codec'
import { type Change, LedgerState } from '@firn/ledger'
import * as Verify from '@firn/ledger/Verify'
import type { AtomicTx } from '@firn/txs'
import type * as RecordedChain from '../recorded/RecordedChain.ts'
import * as RecordedNetwork from '../recorded/RecordedNetwork.ts'
import * as Containers from './Containers.ts'
import * as EvmAccounts from './EvmAccounts.ts'
import * as Mempool from './Mempool.ts'

/** The chains that a builder extends, and the transactions that wait for blocks. */
export interface Building {
  readonly rules: RecordedNetwork.NetworkRules
  readonly containers: Containers.ContainerOptions
  /** Checks the signature of a Warp message. @throws FirnError */
  readonly verifyMessage: ((message: Uint8Array, pChainHeight: bigint) => void) | undefined
  readonly state: LedgerState.LedgerState
  readonly chains: Readonly<Record<ChainAlias, RecordedChain.GrowingChain>>
  readonly mempools: Mempool.Mempools
  /** The last block of each chain, as the next container needs it. */
  readonly views: Record<ChainAlias, Containers.View>
  accounts: EvmAccounts.Accounts
}

/** A block that can be accepted next. */
export interface Candidate {
  readonly inner: Containers.InnerBlock
  readonly changes: readonly Change.Change[]
  readonly accounts?: EvmAccounts.Accounts
}

/** Creates chains that have only their blocks 0. */
export function createBuilding(
  rules: RecordedNetwork.NetworkRules,
  containers: Containers.ContainerOptions,
  verifyMessage: Building['verifyMessage'],
): Building {
  const { genesis, constants } = rules
  const state = LedgerState.create(genesis, constants)
  const chains = RecordedNetwork.firstChains(rules)
  const viewOf = (chain: ChainAlias) => Containers.lastView(chains[chain], LedgerState.tip(state, chain).time)
  const views = { P: viewOf('P'), X: viewOf('X'), C: viewOf('C') }
  const accounts = EvmAccounts.create(genesis.cChain.genesisData)
  const mempools = Mempool.createAll()
  return { rules, containers, verifyMessage, state, chains, mempools, views, accounts }
}

/** Throws the reason why no block can contain a transaction now. */
export function assertValid(
  { rules, state, views, accounts, verifyMessage }: Building,
  chain: ChainAlias,
  { tx, bytes }: Mempool.Entry,
  nowMs: number,
): void {
  const { genesis, constants } = rules
  const refusal = Verify.refusal(state, chain, bytes, seconds(nowMs))
  if (refusal !== undefined) throw refusal.error
  if (chain === 'P' && 'message' in tx.unsignedTx) {
    const time = Containers.nextTime(views.P, nowMs)
    verifyMessage?.(tx.unsignedTx.message, Containers.nextEpoch(views.P, time, constants).pChainHeight)
  }
  if (chain === 'C') EvmAccounts.apply(accounts, tx as AtomicTx.AtomicTx, genesis.avaxAssetId)
}

/** Returns a time in Unix seconds. */
export function seconds(ms: number): bigint {
  return BigInt(Math.floor(ms / 1_000))
}
