import { type ChainAlias, Id, isFirnError } from '@firn/codec'
import { Ledger, LedgerState, Records } from '@firn/ledger'
import { AvmBlock, EvmBlock, PlatformBlock, type PlatformTx } from '@firn/txs'
import type * as RecordedChain from '../recorded/RecordedChain.ts'
import type { Building, Candidate } from './Building.ts'
import * as Containers from './Containers.ts'
import * as EvmAccounts from './EvmAccounts.ts'
import * as EvmBlocks from './EvmBlocks.ts'
import { pack } from './Packing.ts'

/** Returns the next block of a chain; undefined if none is due. */
export const CANDIDATES: Readonly<
  Record<ChainAlias, (building: Building, nowMs: number) => Candidate | undefined>
> = { P: platformCandidate, X: avmCandidate, C: atomicCandidate }

function platformCandidate(building: Building, nowMs: number): Candidate | undefined {
  const { state } = building
  const parent = LedgerState.tip(state, 'P')
  const { blockId: parentId, height, platform } = parent
  const latest = Containers.nextTime(parent, nowMs)
  const place = { parentID: parentId, height: height + 1n }
  const proposal = platform?.proposal
  if (proposal !== undefined) {
    const time = 'time' in proposal ? proposal.time : latest
    return platformBlock(state, { type: 'BanffCommitBlock', time, ...place })
  }
  const standard = (time: bigint, txs: readonly PlatformTx.PlatformTx[]) =>
    platformBlock(state, { type: 'BanffStandardBlock', time, ...place, txs })
  const { time, empty } = advance(latest, (at) => standard(at, []))
  const staker = firstDue(state, time)
  if (staker !== undefined) {
    const tx = rewardOf(staker, time)
    return platformBlock(state, { type: 'BanffProposalBlock', time, ...place, txs: [], tx })
  }
  const withTxs = pack(building, 'P', nowMs, (entries) =>
    standard(
      time,
      entries.map(({ tx }) => tx),
    ),
  )
  return withTxs ?? empty
}

function platformBlock(state: LedgerState.LedgerState, content: PlatformBlock.PlatformBlock): Candidate {
  const bytes = PlatformBlock.encode(content)
  const isOption = content.type === 'BanffCommitBlock'
  return {
    inner: { id: PlatformBlock.id(bytes), bytes, isOption },
    changes: Ledger.apply(state, 'P', bytes),
  }
}

/**
 * Returns the time of the next P-chain block, at most `latest`, and the block without transactions at that time if it
 * changes the validators. The ledger allows no time after the next change of the validators.
 */
function advance(
  latest: bigint,
  attempt: (time: bigint) => Candidate,
): { readonly time: bigint; readonly empty: Candidate | undefined } {
  try {
    return { time: latest, empty: attempt(latest) }
  } catch (error) {
    if (!isFirnError(error)) throw error
    if (error.code === 'LEDGER_EMPTY_BLOCK') return { time: latest, empty: undefined }
    const { next } = error.details as { readonly next?: bigint }
    if (error.code !== 'LEDGER_TIME' || next === undefined || next >= latest) throw error
    return advance(next, attempt)
  }
}

/**
 * Returns the first staker whose period ends at `time` and who is rewarded by a proposal. The time itself removes
 * permissioned validators.
 */
function firstDue(state: LedgerState.LedgerState, time: bigint): Records.Staker | undefined {
  for (const staker of state.tables.staker.ordered()) {
    if (Records.nextTime(staker) > time) return undefined
    if (staker.status === 'current' && staker.kind !== 'permissioned') return staker
  }
  return undefined
}

/** Returns the transaction that proposes to reward a staker. */
function rewardOf({ txId, autoRenewal }: Records.Staker, time: bigint): PlatformTx.PlatformTx {
  const unsignedTx =
    autoRenewal === undefined
      ? { type: 'RewardValidatorTx' as const, txID: txId }
      : { type: 'RewardAutoRenewedValidatorTx' as const, txID: txId, timestamp: time }
  return { unsignedTx, credentials: [] }
}

function avmCandidate(building: Building, nowMs: number): Candidate | undefined {
  const { state } = building
  const parent = LedgerState.tip(state, 'X')
  const { blockId: parentId, height } = parent
  const time = Containers.nextTime(parent, nowMs)
  return pack(building, 'X', nowMs, (entries) => {
    const txs = entries.map(({ tx }) => tx)
    const place = { parentID: parentId, height: height + 1n, time, merkleRoot: Id.EMPTY }
    const bytes = AvmBlock.encode({ type: 'StandardBlock', ...place, txs })
    return {
      inner: { id: AvmBlock.id(bytes), bytes, isOption: false },
      changes: Ledger.apply(state, 'X', bytes),
    }
  })
}

function atomicCandidate(building: Building, nowMs: number): Candidate | undefined {
  const { state, chains, rules, accounts } = building
  const { avaxAssetId } = rules.genesis
  const parent = LedgerState.tip(state, 'C')
  const { height } = parent
  const time = Containers.nextTime(parent, nowMs)
  const { innerId: parentHash } = chains.C.blocks.at(-1) as RecordedChain.RecordedBlock
  return pack(building, 'C', nowMs, (entries) => {
    const txs = entries.map(({ tx }) => tx)
    const after = txs.reduce((before, tx) => EvmAccounts.apply(before, tx, avaxAssetId), accounts)
    const bytes = EvmBlocks.encode({ parentHash, height: height + 1n, time, txs })
    const inner = { id: EvmBlock.decode(bytes).hash, bytes, isOption: false }
    return { inner, changes: Ledger.apply(state, 'C', bytes), accounts: after }
  })
}
