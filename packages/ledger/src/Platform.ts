import { Upgrades } from '@firn/genesis'
import { PlatformBlock, type PlatformTx, ValidatorFee } from '@firn/txs'
import type { Change } from './Change.ts'
import * as follow from './internal/follow.ts'
import * as l1Validators from './internal/l1Validators.ts'
import { PlatformDraft as Draft } from './internal/PlatformDraft.ts'
import type * as proposals from './internal/proposals.ts'
import { refuse } from './internal/refuse.ts'
import { consumeGas } from './internal/spend.ts'
import * as time from './internal/time.ts'
import * as transactions from './internal/transactions.ts'
import type { LedgerState } from './LedgerState.ts'

type Block = PlatformBlock.PlatformBlock
type BlockOf<T extends PlatformBlock.BlockType> = Extract<Block, { readonly type: T }>

/**
 * Returns the effects of an accepted P-chain block on a state. Does not change the state. Checks the rules
 * that depend on state, except signatures, staking limits and clocks, which the network has already checked.
 * A proposal has no effect until the next block, which applies the changes of both.
 * @param bytes the block's bytes, without a proposervm container
 * @example
 * ```ts
 * import { type LedgerState, Platform, ValidatorSets } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * declare const block: Uint8Array // the next accepted block of the P-chain
 * const changes = Platform.apply(state, block)
 * const differences = ValidatorSets.differences(changes)
 * ```
 * @throws LedgerError; CodecError if the bytes are malformed; TxsError `TXS_FUNDS`, `TXS_CAPACITY`,
 * `TXS_UNSUPPORTED`, `TXS_OVERFLOW`
 */
export function apply(state: LedgerState, bytes: Uint8Array): Change[] {
  const block = PlatformBlock.decode(bytes)
  const draft = new Draft(state.tables, state.rules)
  assertFollows(draft, block)
  if ('tx' in block && block.type !== 'ApricotAtomicBlock') propose(state, draft, block)
  else execute(draft, block)
  return draft.finish(PlatformBlock.id(bytes))
}

function assertFollows(draft: Draft, block: Block): void {
  const { time: now } = draft.tip
  const { proposal } = draft.platform
  follow.assertHeight(draft, block.height)
  follow.assertParent(draft, block.parentID)
  if ((choiceOf(block) !== undefined) !== (proposal !== undefined)) {
    const expected =
      proposal === undefined
        ? 'a block other than commit or abort (no proposal is pending)'
        : 'a commit or abort block for the pending proposal'
    refuse('LEDGER_OPTION', `expected ${expected}, got ${block.type}`, { type: block.type })
  }
  const isBanff = Upgrades.isActive(draft.rules.constants.upgrades, 'banff', now)
  if (isBanff && block.type.startsWith('Apricot')) {
    refuse('LEDGER_BLOCK_TYPE', `expected a Banff block type at time ${now}, got ${block.type}`, {
      type: block.type,
    })
  }
}

/** Returns the decision of a commit or abort block; undefined for other blocks. */
function choiceOf({ type }: Block): proposals.Choice | undefined {
  if (type === 'ApricotCommitBlock' || type === 'BanffCommitBlock') return 'commit'
  return type === 'ApricotAbortBlock' || type === 'BanffAbortBlock' ? 'abort' : undefined
}

/** Checks that a proposal can be both committed and aborted, and keeps it for the deciding block. */
function propose(state: LedgerState, draft: Draft, block: Block): void {
  for (const choice of ['commit', 'abort'] as const)
    decide(new Draft(state.tables, state.rules), block, choice)
  draft.setPlatform({ proposal: block })
}

function decide(draft: Draft, block: Block, choice: proposals.Choice): void {
  if (block.type === 'BanffProposalBlock') {
    time.assertNext(draft, block.time)
    time.advance(draft, block.time)
    executeAll(draft, block.txs)
  }
  if ('tx' in block) transactions.decide(draft, block.tx, choice)
}

function execute(draft: Draft, block: Block): void {
  const { proposal } = draft.platform
  const choice = choiceOf(block)
  if (choice !== undefined && proposal !== undefined) {
    draft.enter(proposal.height)
    decide(draft, proposal, choice)
    if ('time' in block && block.time !== draft.tip.time) {
      refuse('LEDGER_TIME', `expected the time of the proposal (${draft.tip.time}), got ${block.time}`)
    }
    draft.setPlatform({ proposal: undefined })
  } else if (block.type === 'BanffStandardBlock') standard(draft, block)
  else if (block.type === 'ApricotStandardBlock') executeAll(draft, block.txs)
  else if (block.type === 'ApricotAtomicBlock') atomic(draft, block)
}

function standard(draft: Draft, { time: at, txs }: BlockOf<'BanffStandardBlock'>): void {
  time.assertNext(draft, at)
  const hasChanged = time.advance(draft, at)
  const hasEvicted = executeAll(draft, txs)
  if (hasChanged || hasEvicted || txs.length > 0) return
  refuse(
    'LEDGER_EMPTY_BLOCK',
    'expected a standard block with transactions or a change of the validators, got an empty block',
  )
}

/** Executes an atomic block. Before Apricot phase 5, each import or export had a block of this type. */
function atomic(draft: Draft, { tx }: BlockOf<'ApricotAtomicBlock'>): void {
  const { time: now } = draft.tip
  const { type } = tx.unsignedTx
  const isOver = Upgrades.isActive(draft.rules.constants.upgrades, 'apricotPhase5', now)
  if (isOver || (type !== 'ImportTx' && type !== 'ExportTx')) {
    refuse(
      'LEDGER_BLOCK_TYPE',
      `expected an import or export in an atomic block before Apricot phase 5, got a ${type} at time ${now}`,
      { type, time: now },
    )
  }
  transactions.execute(draft, tx, undefined)
}

/**
 * Executes transactions, then deactivates L1 validators that cannot pay for the next second. Returns true if
 * any was deactivated.
 */
function executeAll(draft: Draft, txs: readonly PlatformTx.PlatformTx[]): boolean {
  const price = consumeGas(draft, txs)
  for (const tx of txs) transactions.execute(draft, tx, price)
  const { validatorFee } = draft.rules.constants
  const next =
    draft.platform.accruedFees + ValidatorFee.costOf(l1Validators.feeState(draft), validatorFee, 1n)
  return l1Validators.deactivate(draft, (end) => end < next)
}
