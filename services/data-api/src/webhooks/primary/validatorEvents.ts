import { Hex, Id, NodeId } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { L1Validators, type Snapshot, Stakers, type Store } from '@firn/store'
import type { UnsignedTx } from '@firn/txs'
import { l1Validators } from '../../primary/platform/describe.ts'
import type { Filters } from '../common/Filters.ts'
import type { BlockWatch, DecidedBlocks } from './BlockWatch.ts'
import { type Decided, rewarded } from './decided.ts'
import type { SourceEvent } from './SourceEvent.ts'
import { belowThresholds } from './thresholds.ts'
import { observes, type ValidatorFilter, type ValidatorSubEvent } from './validatorFilter.ts'

/** The event that a transaction of each type is for the validators that it names. */
const SUB_EVENTS: { readonly [T in UnsignedTx.TxType]: ValidatorSubEvent | undefined } = {
  AddValidatorTx: 'validator_stake',
  AddSubnetValidatorTx: 'validator_stake',
  AddDelegatorTx: 'delegator_stake',
  CreateChainTx: undefined,
  CreateSubnetTx: undefined,
  ImportTx: undefined,
  ExportTx: undefined,
  AdvanceTimeTx: undefined,
  RewardValidatorTx: 'reward_distribution',
  RemoveSubnetValidatorTx: undefined,
  TransformSubnetTx: undefined,
  AddPermissionlessValidatorTx: 'validator_stake',
  AddPermissionlessDelegatorTx: 'delegator_stake',
  TransferSubnetOwnershipTx: undefined,
  BaseTx: undefined,
  ConvertSubnetToL1Tx: 'validator_stake',
  RegisterL1ValidatorTx: 'validator_stake',
  // The change of the validator is the event of removals and deactivations, whatever caused it.
  SetL1ValidatorWeightTx: undefined,
  IncreaseL1ValidatorBalanceTx: 'l1_validator_balance_increased',
  DisableL1ValidatorTx: undefined,
  AddAutoRenewedValidatorTx: 'validator_stake',
  SetAutoRenewedValidatorConfigTx: undefined,
  RewardAutoRenewedValidatorTx: 'reward_distribution',
}

/** An event of one validator. */
interface ValidatorEvent {
  readonly subEvent: ValidatorSubEvent
  readonly height: bigint
  readonly nodeId: Uint8Array
  readonly subnetId: Uint8Array
  readonly validationId?: Uint8Array
  readonly cause: Decided | undefined
}

/** Returns the webhooks of validators. */
export function watchValidators(filters: Filters<ValidatorFilter>): BlockWatch {
  return {
    filters,
    events: ({ context, at, ...blocks }) => validatorEvents(context.store, at, blocks, filters),
  }
}

/** Returns the events of P-chain blocks that webhooks of validators match, in the order of the blocks. */
async function validatorEvents(
  store: Store,
  at: Snapshot,
  blocks: DecidedBlocks,
  filters: Filters<ValidatorFilter>,
): Promise<readonly SourceEvent[]> {
  const all = [
    ...(await transactionEvents(store, at, blocks.decided)),
    ...(await changeEvents(store, blocks)),
  ]
  const matched = all.flatMap((event) => {
    const keys = [event.nodeId, event.subnetId].map((id) => Hex.encodeBare(id))
    const found = keys.flatMap((key) => [...filters.of(key)]).filter((filter) => observes(filter, event))
    return found.length === 0 ? [] : [toSourceEvent(event, new Set(found.map(({ id }) => id)))]
  })
  const below = (await belowThresholds(store, blocks, filters)).map(
    ({ webhooks, balance, threshold, ...event }) => ({
      ...toSourceEvent({ ...event, subEvent: 'l1_validator_balance_threshold' }, new Set(webhooks), {
        remainingBalance: String(balance),
        balanceThreshold: String(threshold),
      }),
    }),
  )
  return [...matched, ...below]
}

/** Returns the events that transactions are by their type. */
async function transactionEvents(
  store: Store,
  at: Snapshot,
  decided: readonly Decided[],
): Promise<readonly ValidatorEvent[]> {
  const named = decided.flatMap((cause) => {
    const subEvent = cause.platform && SUB_EVENTS[cause.platform.type]
    return subEvent === undefined ? [] : [{ cause, subEvent }]
  })
  const stakerIds = named.flatMap(({ cause }) => [cause.listed.id, ...rewarded(cause.platform)])
  const stakers = await Stakers.byIds(store, at, stakerIds)
  const validations = named.flatMap(({ cause }) => validationsOf(cause))
  const versions = await L1Validators.versions(store, at, validations)
  return named.flatMap(({ cause, subEvent }) => {
    // A denied reward can still pay the validator its share of its delegators' rewards.
    const isPaid = cause.made.some(({ origin }) => origin === 'reward')
    if (subEvent === 'reward_distribution' && !isPaid) return []
    const { decidedHeight: height, id } = cause.listed
    const common = { subEvent, height, cause }
    const [stakerId = id] = rewarded(cause.platform)
    const staker = stakers.get(Hex.encodeBare(stakerId))?.staker
    if (staker !== undefined) return [{ ...common, nodeId: staker.nodeId, subnetId: staker.subnetId }]
    return validationsOf(cause).flatMap((validationId) => {
      const version = versions.get(Hex.encodeBare(validationId))?.findLast(({ since }) => since <= height)
      return version === undefined ? [] : [{ ...common, ...idsOf(version.validator) }]
    })
  })
}

/** Returns the events of L1 validators that were disabled or removed. */
async function changeEvents(
  store: Store,
  { after, until, decided }: DecidedBlocks,
): Promise<readonly ValidatorEvent[]> {
  const ended = await L1Validators.ended(store, after, until)
  return ended.flatMap(({ height, before, after: now }) => {
    const subEvent = changeOf(before, now)
    if (subEvent === undefined) return []
    const cause = decided.find(
      (one) =>
        one.listed.decidedHeight === height &&
        validationsOf(one).some((id) => Hex.encodeBare(id) === Hex.encodeBare(before.validationId)),
    )
    return [{ subEvent, height, cause, ...idsOf(before) }]
  })
}

function changeOf(
  before: Records.L1Validator,
  after: Records.L1Validator | undefined,
): ValidatorSubEvent | undefined {
  if (after === undefined) return 'l1_validator_removed'
  const isDisabled = before.endAccumulatedFee > 0n && after.endAccumulatedFee === 0n
  return isDisabled ? 'l1_validator_disabled' : undefined
}

function validationsOf({ platform }: Decided): readonly Uint8Array[] {
  return platform === undefined ? [] : l1Validators(platform).map(({ validationId }) => validationId)
}

function idsOf({ nodeId, subnetId, validationId }: Records.L1Validator) {
  return { nodeId, subnetId, validationId }
}

function toSourceEvent(
  { subEvent, height, nodeId, subnetId, validationId, cause }: ValidatorEvent,
  webhooks: ReadonlySet<string>,
  more: SourceEvent['members'] = {},
): SourceEvent {
  return {
    ...{ height, cause, webhooks: [...webhooks] },
    members: {
      eventType: subEvent,
      nodeId: NodeId.format(nodeId),
      subnetId: Id.format(subnetId),
      validationId: validationId && Id.format(validationId),
      ...more,
    },
  }
}
