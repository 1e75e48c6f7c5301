import { PlatformTx, type UnsignedTx } from '@firn/txs'
import type { PlatformDraft as Draft } from './PlatformDraft.ts'
import { RULES, type Rule } from './platformRules.ts'
import type { Choice } from './proposals.ts'
import { refuse } from './refuse.ts'
import { type GasPrice, spend } from './spend.ts'

const ruleOf = (type: UnsignedTx.TxType) => RULES[type] as Rule<UnsignedTx.TxType>

/** Executes a transaction of a standard block. Does not check its signatures. */
export function execute(draft: Draft, tx: PlatformTx.PlatformTx, price: GasPrice): void {
  perform(draft, tx, 'Committed', (unsignedTx, txId) => {
    const { type } = unsignedTx
    assertAllowed(draft, type)
    const { standard } = ruleOf(type)
    if (standard === undefined || !('inputs' in unsignedTx)) {
      refuse('LEDGER_TX_TYPE', `expected a transaction that a standard block may contain, got ${type}`)
    }
    const locked = standard(draft, txId, unsignedTx)
    spend(draft, txId, unsignedTx, price, locked)
  })
}

/** Executes the transaction of a proposal according to the decision. */
export function decide(draft: Draft, tx: PlatformTx.PlatformTx, choice: Choice): void {
  perform(draft, tx, choice === 'commit' ? 'Committed' : 'Aborted', (unsignedTx, txId) => {
    const { type } = unsignedTx
    const { proposal } = ruleOf(type)
    if (proposal === undefined) {
      refuse('LEDGER_TX_TYPE', `expected a transaction that a proposal block may contain, got ${type}`)
    }
    proposal(draft, txId, unsignedTx, choice)
  })
}

/** Executes a transaction and adds its outcome to the block's changes. */
function perform(
  draft: Draft,
  tx: PlatformTx.PlatformTx,
  status: 'Committed' | 'Aborted',
  work: (unsignedTx: UnsignedTx.UnsignedTx, txId: Uint8Array) => void,
): void {
  const bytes = PlatformTx.encode(tx)
  const txId = PlatformTx.id(bytes)
  draft.txId = txId
  work(tx.unsignedTx, txId)
  draft.decide({ txId, ...draft.nextPlace(), name: tx.unsignedTx.type, bytes, status })
  draft.txId = undefined
}

/** Checks that a transaction of this type may be accepted at the chain's time. */
export function assertAllowed(draft: Draft, type: UnsignedTx.TxType): void {
  const { upgrades } = draft.rules.constants
  const { time } = draft.tip
  const { from, until } = ruleOf(type)
  if (from !== undefined && time < upgrades[from]) {
    refuse('LEDGER_TX_TYPE', `${type} is not allowed before ${from}, got one at time ${time}`, { type, time })
  }
  if (until !== undefined && time >= upgrades[until]) {
    refuse('LEDGER_TX_TYPE', `${type} is not allowed since ${until}, got one at time ${time}`, { type, time })
  }
}
