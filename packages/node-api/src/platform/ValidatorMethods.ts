import { Bytes, Id, NodeId } from '@firn/codec'
import type { PlatformMethods, Schema } from '@firn/rpc'
import { Blocks, L1Validators, type Snapshot, Validators } from '@firn/store'
import { LRUCache } from 'lru-cache'
import type { Freshness, NodeContext, ValidatorView } from '../Context.ts'
import { createSnapshotMemory } from '../internal/SnapshotMemory.ts'
import { type Handlers, methodError } from '../Service.ts'
import * as CurrentValidators from './CurrentValidators.ts'
import * as ProposedHeight from './ProposedHeight.ts'
import * as ValidatorSets from './ValidatorSets.ts'

/** How long results may be cached. Uptimes and the proposed height depend on the clock. */
export const FRESHNESS = {
  'platform.getCurrentValidators': 'second',
  'platform.getL1Validator': 'snapshot',
  'platform.getValidatorsAt': 'second',
  'platform.getAllValidatorsAt': 'second',
  'platform.sampleValidators': 'volatile',
  'platform.getTotalStake': 'snapshot',
} as const satisfies Readonly<Record<string, Freshness>>

type Api = Pick<Handlers<typeof PlatformMethods>, keyof typeof FRESHNESS>

/** Number of past validator sets kept in memory. The node keeps as many for each subnet. */
const MAX_SETS = 64
/** Number of results kept in memory that contain the sets of all subnets. */
const MAX_WARP_SETS = 8
/**
 * Number of cached lists of current validators, and of cached sets to sample from. Both are cached only for
 * the newest snapshot.
 */
const MAX_LISTS = 64

const MAX_WEIGHT = 2n ** 64n - 1n

/** Returns the handlers for current and past validators. */
export function handlers(context: NodeContext): Api {
  return { ...current(context), ...atHeights(context), ...weights(context) }
}

function current(
  context: NodeContext,
): Pick<Api, 'platform.getCurrentValidators' | 'platform.getL1Validator'> {
  const { store, snapshot } = context
  const lists = createSnapshotMemory<readonly CurrentValidators.Entry[]>(MAX_LISTS)
  return {
    'platform.getCurrentValidators': async ({ subnetID: subnetId = Id.EMPTY, nodeIDs: nodeIds = [] }) => {
      const at = await snapshot()
      const texts = [...new Set(nodeIds.map(NodeId.format))].sort()
      const query = { subnetId, nodeIds: texts.map(NodeId.parse) }
      const key = [Id.format(subnetId), ...texts].join()
      const validators = await lists.get(at, key, () => CurrentValidators.list(context, at, query))
      if (!Bytes.isZero(subnetId)) return { validators }
      const view = await context.validators()
      return { validators: validators.map((entry) => withView(view, entry)) }
    },
    'platform.getL1Validator': async ({ validationID: validationId }) => {
      const at = await snapshot()
      const [validator, { accruedFees }] = await Promise.all([
        L1Validators.byId(store, at, validationId),
        Blocks.platformState(store, at),
      ])
      if (validator === undefined)
        throw methodError(`fetching L1 validator "${Id.format(validationId)}" failed: not found`)
      const entry = CurrentValidators.l1Entry(context, validator, accruedFees)
      return { ...entry, subnetID: validator.subnetId, height: at.P.height }
    },
  }
}

/**
 * Returns an entry with the uptime and the connection state of a validator of the Primary Network. Unknown
 * values are omitted.
 */
function withView(view: ValidatorView, entry: CurrentValidators.Entry): CurrentValidators.Entry {
  const uptime = view.uptime(entry.nodeID)
  const connected = view.isConnected(entry.nodeID)
  return {
    ...entry,
    ...(uptime === undefined ? {} : { uptime: Math.fround(100 * uptime) }),
    ...(connected === undefined ? {} : { connected }),
  } as CurrentValidators.Entry
}

function atHeights(
  context: NodeContext,
): Pick<Api, 'platform.getValidatorsAt' | 'platform.getAllValidatorsAt'> {
  const { store, snapshot } = context
  const sets = new LRUCache<string, ValidatorSets.NodeSet>({ max: MAX_SETS })
  const warpSets = new LRUCache<bigint, ValidatorSets.WarpSets>({ max: MAX_WARP_SETS })
  return {
    'platform.getValidatorsAt': async ({ height, subnetID: subnetId = Id.EMPTY }) => {
      const at = await snapshot()
      const asked = await heightOf(context, at, height)
      const subnet = Id.format(subnetId)
      if (asked > at.P.height)
        throw methodError(
          `failed to get validator set at ${asked}: ${UNFINALIZED} with SubnetID = ${subnet}: ${heights(at, asked)}`,
        )
      const key = `${asked}:${subnet}`
      const known = sets.get(key)
      if (known !== undefined) return known
      const set = ValidatorSets.byNode(await Validators.setAt(store, asked, subnetId))
      sets.set(key, set)
      return set
    },
    'platform.getAllValidatorsAt': async ({ height }) => {
      const at = await snapshot()
      const asked = await heightOf(context, at, height)
      if (asked > at.P.height)
        throw methodError(`failed to get validator sets at ${asked}: ${UNFINALIZED}: ${heights(at, asked)}`)
      const known = warpSets.get(asked)
      if (known !== undefined) return { validatorSets: known }
      const validatorSets = ValidatorSets.canonical(await Validators.allAt(store, asked))
      warpSets.set(asked, validatorSets)
      return { validatorSets }
    },
  }
}

const UNFINALIZED = 'failed to fetch validator set at unfinalized height'

function heights(at: Snapshot, asked: bigint): string {
  return `current P-chain height (${at.P.height}) < requested P-Chain height (${asked})`
}

async function heightOf(context: NodeContext, at: Snapshot, height: Schema.Height): Promise<bigint> {
  return height === 'proposed' ? ProposedHeight.at(context, at) : height
}

function weights(context: NodeContext): Pick<Api, 'platform.sampleValidators' | 'platform.getTotalStake'> {
  const { store, snapshot, random } = context
  const sets = createSnapshotMemory<Awaited<ReturnType<typeof Validators.setAt>>>(MAX_LISTS)
  return {
    'platform.sampleValidators': async ({ size, subnetID: subnetId = Id.EMPTY }) => {
      const at = await snapshot()
      const members = await sets.get(at, Id.format(subnetId), () =>
        Validators.setAt(store, at.P.height, subnetId),
      )
      return { validators: ValidatorSets.sample(subnetId, members, size, random) }
    },
    'platform.getTotalStake': async ({ subnetID: subnetId = Id.EMPTY }) => {
      const weight = await Validators.totalWeight(store, await snapshot(), subnetId)
      if (weight > MAX_WEIGHT)
        throw methodError(`couldn't get total weight: total weight is not a uint64, total weight: ${weight}`)
      return { stake: weight, weight }
    },
  }
}
