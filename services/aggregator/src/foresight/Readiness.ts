import { Hex, Id, NodeId } from '@firn/codec'
import { Quorum } from '@firn/warp'
import { type Static, Type } from 'typebox'
import { AggregatorError } from '../AggregatorError.ts'
import type { AllowList } from '../callers/AllowList.ts'
import type { PChain } from '../p-chain/PChain.ts'
import type { SetAtHeight, ValidatorSets } from '../p-chain/ValidatorSets.ts'
import { percentage } from '../peers/ConnectedWeight.ts'
import type { Connections } from '../peers/Connections.ts'
import type { Seen, SeenSignatures } from '../signing/SeenSignatures.ts'

/** Percentage of a subnet's weight that must be connected. It equals the quorum that the P-chain requires. */
const NEEDED_PERCENTAGE = 67

/** The response body of `GET /v1/readiness/{subnetId}`. The status is 200 when ready, and 503 when not. */
export const Readiness = Type.Object(
  {
    subnetId: Type.String(),
    status: Type.Enum(['ready', 'not-ready']),
    problems: Type.Array(Type.String()),
    pChainHeight: Type.String({ description: 'height of the validator set' }),
    isProposed: Type.Boolean({
      description:
        'whether the validators may sign yet: right after an L1 is created, they are not at the proposed height',
    }),
    connectedPercentage: Type.Number(),
    neededPercentage: Type.Number(),
    connectedWeight: Type.String(),
    totalWeight: Type.String(),
    signedPercentage: Type.Number({
      description: 'percentage of the weight that has signed a message for this process since its start',
    }),
    firstSignatureAt: Type.Optional(Type.String({ description: 'time of the first signature, ISO 8601' })),
    validators: Type.Array(
      Type.Object({
        nodeIds: Type.Array(Type.String()),
        weight: Type.String(),
        isConnected: Type.Boolean(),
        hasSigned: Type.Boolean(),
      }),
    ),
  },
  { title: 'Readiness' },
)

/** The response body of `GET /v1/readiness/{subnetId}`. */
export type Readiness = Static<typeof Readiness>

/** Returns whether messages of a subnet (32 bytes) can be signed now. */
export type ReadinessCheck = (subnetId: Uint8Array, signal?: AbortSignal) => Promise<Readiness>

/** Options of {@link createReadinessCheck}. */
export interface ReadinessDependencies {
  readonly pChain: Pick<PChain, 'height'>
  readonly validatorSets: ValidatorSets
  readonly connections: Pick<Connections, 'ready' | 'transport'>
  readonly seen: SeenSignatures
  readonly allowList: Pick<AllowList, 'assertSigningSubnet'>
}

/**
 * Creates the check. It starts to connect to the validators of a subnet, also to those of an L1 that was created a
 * moment ago and has no validators at the proposed height yet. It throws `AGGREGATOR_SUBNET_FORBIDDEN`,
 * `AGGREGATOR_SUBNET_UNKNOWN`, `AGGREGATOR_UPSTREAM`, or `AGGREGATOR_UPSTREAM_STALE`.
 */
export function createReadinessCheck(dependencies: ReadinessDependencies): ReadinessCheck {
  const { pChain, validatorSets, connections, seen, allowList } = dependencies
  return async (subnetId, signal) => {
    allowList.assertSigningSubnet(subnetId)
    const { at, isProposed } = await newestSet(pChain, validatorSets, subnetId, signal)
    // Without patience, this only starts to connect.
    await connections.ready(at, NEEDED_PERCENTAGE, 0, signal)
    const isConnected = (nodeId: Uint8Array) => connections.transport.connection(nodeId).connected
    return toReadiness(at, isProposed, isConnected, seen.find(subnetId))
  }
}

function toReadiness(
  { subnetId, height, set }: SetAtHeight,
  isProposed: boolean,
  isConnected: (nodeId: Uint8Array) => boolean,
  seen: Seen | undefined,
): Readiness {
  const validators = set.validators.map(({ nodeIds, weight, publicKey }) => ({
    nodeIds: nodeIds.map(NodeId.format),
    weight,
    isConnected: nodeIds.some(isConnected),
    hasSigned: seen?.signers.has(Hex.encodeBare(publicKey.compressed)) ?? false,
  }))
  const weightOf = (chosen: typeof validators) => chosen.reduce((sum, { weight }) => sum + weight, 0n)
  const connected = weightOf(validators.filter((one) => one.isConnected))
  const signed = weightOf(validators.filter(({ hasSigned }) => hasSigned))
  const connectedPercentage = percentage(connected, set.totalWeight)
  const problems = [
    ...(isProposed ? [] : [`the validators start at P-chain height ${height}, which is not proposed yet`]),
    ...(Quorum.isMet(connected, set.totalWeight, BigInt(NEEDED_PERCENTAGE))
      ? []
      : [`${connectedPercentage} % of the weight is connected, ${NEEDED_PERCENTAGE} % needed`]),
  ]
  return {
    subnetId: Id.format(subnetId),
    status: problems.length === 0 ? 'ready' : 'not-ready',
    problems,
    pChainHeight: height.toString(),
    isProposed,
    connectedPercentage,
    neededPercentage: NEEDED_PERCENTAGE,
    connectedWeight: connected.toString(),
    totalWeight: set.totalWeight.toString(),
    signedPercentage: percentage(signed, set.totalWeight),
    ...(seen === undefined ? {} : { firstSignatureAt: new Date(seen.firstAt).toISOString() }),
    validators: validators.map((one) => ({ ...one, weight: one.weight.toString() })),
  }
}

/** Returns the set at the proposed height or, if the subnet has no validators there, the set at the tip. */
async function newestSet(
  pChain: Pick<PChain, 'height'>,
  validatorSets: ValidatorSets,
  subnetId: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<{ readonly at: SetAtHeight; readonly isProposed: boolean }> {
  try {
    return { at: await validatorSets.at(subnetId, 'proposed', signal), isProposed: true }
  } catch (error) {
    if (!(error instanceof AggregatorError && error.code === 'AGGREGATOR_SUBNET_UNKNOWN')) throw error
    const tip = await pChain.height(signal)
    return { at: await validatorSets.at(subnetId, tip, signal), isProposed: false }
  }
}
